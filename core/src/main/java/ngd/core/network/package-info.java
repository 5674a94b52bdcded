/**
 * Who listens to whom and with what weight, and what can be said of that alone.
 *
 * <p>A {@link ngd.core.network.Topology} describes links, a {@link ngd.core.network.Graph} holds
 * them, {@link ngd.core.network.Weights} turn them into the row-stochastic matrix W of a {@link
 * ngd.core.network.Network}, and a {@link ngd.core.network.Diagnosis} reads W: balance, {@link
 * ngd.core.network.CommunicatingClasses reachability}, {@link ngd.core.network.Spectrum spectrum},
 * {@link ngd.core.network.Stationary stationary distribution}, and warnings in plain words. A
 * {@link ngd.core.network.NetworkSchedule} is W by round, of which a network is the constant case.
 * A number that was not computed is absent with the reason ({@link ngd.core.network.Measured}).
 *
 * <p>A single client is a network too: {@code complete} with M = 1, or a file that states the
 * weight 1 on itself; it hears only itself, W = (1). Every other kind needs somebody to hear.
 *
 * <p>Knows nothing of data, models or algorithms: row counts enter the weights as plain numbers.
 * Eigenvalues come from {@code linalg}, random links from {@code random}.
 */
@NullMarked
package ngd.core.network;

import org.jspecify.annotations.NullMarked;
