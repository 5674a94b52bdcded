/**
 * The alternating direction method of multipliers over links, exact, linearised or by local steps.
 */
@NullMarked
package ngd.core.algorithm.admm;

import org.jspecify.annotations.NullMarked;
