/**
 * The run folder: {@code manifest.json}, {@code theta.csv}, {@code trace.csv} and {@code
 * result.json}, written whole or not at all by {@link ngd.core.run.RunFolder}.
 *
 * <p>What a result means is decided by whoever runs; here it is put into files and into {@link
 * ngd.core.run.JsonObject}s, which the command line prints too.
 */
@NullMarked
package ngd.core.run;

import org.jspecify.annotations.NullMarked;
