/**
 * Network gradient descent as a library: networks, data, models, theory, algorithms and their
 * simulation.
 *
 * <p>Data flows one way: source, partition, shards, algorithm (mix, gradient), trace, report. The
 * rooms below depend on each other in the order {@code linalg}, {@code random}, {@code network},
 * {@code data}, {@code model}, {@code theory}, {@code algorithm}, {@code simulation}, {@code run};
 * {@code theory} never knows {@code algorithm} or {@code simulation}, which makes it an oracle for
 * them. This package itself holds only the one exception that every room may throw, and what its
 * messages need to offer the nearest word: {@link ngd.core.NearestName} and {@link
 * ngd.core.Vocabulary}.
 */
@NullMarked
package ngd.core;

import org.jspecify.annotations.NullMarked;
