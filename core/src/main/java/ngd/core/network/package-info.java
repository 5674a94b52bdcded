/**
 * Who listens to whom and with what weight, and what can be said of that alone.
 *
 * <p>A {@link ngd.core.network.Topology} describes links, a {@link ngd.core.network.Graph} holds
 * them, {@link ngd.core.network.Weights} turns them into the row-stochastic matrix W of a {@link
 * ngd.core.network.Network}, and a {@link ngd.core.network.Diagnosis} reads W: balance,
 * reachability, spectrum, stationary distribution. Knows nothing of data, models or algorithms.
 */
@NullMarked
package ngd.core.network;

import org.jspecify.annotations.NullMarked;
