/**
 * The run folder: {@code manifest.json}, {@code theta.csv}, {@code trace.csv} and {@code
 * result.json}, written whole or not at all.
 */
@NullMarked
package ngd.core.run;

import org.jspecify.annotations.NullMarked;
