/**
 * Algorithms for messages in few bytes: clients send compressed differences to what others already
 * know of them, so that what is left out now comes later.
 */
@NullMarked
package ngd.core.algorithm.compressed;

import org.jspecify.annotations.NullMarked;
