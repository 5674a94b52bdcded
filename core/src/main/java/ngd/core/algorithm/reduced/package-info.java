/** Gradient tracking on mini-batches whose noise vanishes on the way. */
@NullMarked
package ngd.core.algorithm.reduced;

import org.jspecify.annotations.NullMarked;
