/**
 * The contract of a federation: {@code plan.yaml}.
 *
 * <p>A {@link ngd.peer.plan.WrittenPlan} is what {@link ngd.peer.plan.PlanReader} makes of the
 * text: the {@link ngd.peer.plan.Plan}, its canonical lines and where each stands in the file. Two
 * peers hold the same plan when the canonical lines agree; {@link ngd.peer.plan.PlanDifference}
 * names the first that does not. {@link ngd.peer.plan.Exposure} says what listeners learn by the
 * network alone.
 *
 * <p>Knows networks and algorithms by name. Must not know keys, connections or data.
 */
@NullMarked
package ngd.peer.plan;

import org.jspecify.annotations.NullMarked;
