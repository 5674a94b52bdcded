/**
 * What sites agree on before the first round, and what a study opens with: columns, levels, rows,
 * the description of the data.
 *
 * <p>{@link ngd.core.preparation.Preparation} takes a formula and the {@link
 * ngd.core.preparation.Sites}, and comes to the same {@link ngd.core.formula.Design} at each;
 * {@link ngd.core.preparation.Description} makes the table that opens a paper. Both hear the other
 * sites through the exact totals of an {@link ngd.core.algorithm.Totals} alone, so that a
 * rehearsal, which holds all tables, and a peer, which holds one, run the same code. Whatever is
 * wrong anywhere is found in totals, so that all sites refuse together and say the same.
 *
 * <p>Before all that, {@link ngd.core.preparation.Disclosure} asks whether each site's own {@link
 * ngd.core.preparation.DisclosureRules} allow the question.
 */
@NullMarked
package ngd.core.preparation;

import org.jspecify.annotations.NullMarked;
