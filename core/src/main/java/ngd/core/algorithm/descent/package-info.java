/**
 * Gradient descent over a network: average what is heard, descend, once or several times a round.
 */
@NullMarked
package ngd.core.algorithm.descent;

import org.jspecify.annotations.NullMarked;
