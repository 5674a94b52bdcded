/**
 * JMH benchmarks of the hot paths. {@code bench/jmh} runs them; {@code bench/side-by-side} measures
 * rounds against reference programs in one run; the numbers live in {@code docs/decisions.md}.
 */
@NullMarked
package ngd.bench;

import org.jspecify.annotations.NullMarked;
