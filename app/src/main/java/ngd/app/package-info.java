/**
 * The command line {@code ngd}: the only place that prints and that reads the clock.
 *
 * <p>{@link ngd.app.Ngd} finds the command; options that several commands share stand in {@code
 * …Options} classes, which also turn words into the types of {@code ngd.core}; a command's own
 * class prepares everything, lists every problem of the request at once through {@link
 * ngd.app.Problems}, and only then works and writes. Results go to standard output, all else to
 * standard error, both through a {@link ngd.app.Console}. The window in the browser is a room of
 * its own, {@code ngd.app.window}; its runs are made here, by {@link ngd.app.FitLaboratory}. A
 * {@link ngd.app.ConfigFile} says in YAML what flags say.
 *
 * <p>Knows no mathematics: what a number means is decided in {@code ngd.core}.
 */
@NullMarked
package ngd.app;

import org.jspecify.annotations.NullMarked;
