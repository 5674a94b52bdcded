/** Algorithms that learn a model for each client, drawn towards its neighbours' models. */
@NullMarked
package ngd.core.algorithm.personal;

import org.jspecify.annotations.NullMarked;
