/**
 * The command line {@code ngd}: the only place that prints and that reads the clock.
 *
 * <p>{@link ngd.app.Main} finds the command. Those about one fit, from its data to its predictions,
 * are in {@link ngd.app.fit}, those about real peers in {@link ngd.app.federation}, measurements in
 * {@link ngd.app.bench}, and the others here; the window in the browser is a room of its own,
 * {@code ngd.app.window}, whose runs {@link ngd.app.fit.FitTrialFactory} makes. What all commands
 * are made of, from flags to exit codes, is in {@link ngd.app.terminal}.
 *
 * <p>Options that several commands share stand in {@code …Options} classes, which also turn words
 * into the types of {@code ngd.core}; a command's own class prepares everything, lists every
 * problem of the request at once through {@link ngd.core.Problems}, and only then works and writes.
 *
 * <p>Knows no mathematics: what a number means is decided in {@code ngd.core}.
 */
@NullMarked
package ngd.app;

import org.jspecify.annotations.NullMarked;
