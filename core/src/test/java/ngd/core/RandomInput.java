package ngd.core;

import java.util.List;
import java.util.function.Supplier;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import ngd.core.random.Streams;
import org.apache.commons.rng.UniformRandomProvider;

/** What one seed gives a test: numbers from a range, its ends far more often than by chance. */
public record RandomInput(long seed, UniformRandomProvider random) {
  private static final double[] EDGES = {
    0.0,
    -0.0,
    1,
    -1,
    0.01,
    -0.01,
    Double.MIN_VALUE,
    -Double.MIN_VALUE,
    Math.nextDown(Double.MIN_NORMAL),
    Double.MIN_NORMAL,
    Double.MAX_VALUE,
    -Double.MAX_VALUE,
    Double.POSITIVE_INFINITY,
    Double.NEGATIVE_INFINITY,
    Double.NaN
  };

  public static RandomInput of(long seed) {
    return new RandomInput(seed, Streams.of(seed).stream(Streams.Purpose.DATA));
  }

  /** A number from min to max, both included; one in five is an end. */
  public int between(int min, int max) {
    return edge() ? oneOf(min, max) : random.nextInt(min, max + 1);
  }

  /**
   * A number from min to max; one in five is an end, or 0, ±1 and the like where they lie inside.
   */
  public double between(double min, double max) {
    if (edge()) {
      double[] edges =
          DoubleStream.concat(
                  DoubleStream.of(min, max),
                  DoubleStream.of(EDGES).filter(value -> min <= value && value <= max))
              .toArray();
      return edges[random.nextInt(edges.length)];
    }
    return random.nextDouble(min, max);
  }

  /** Any bit pattern, so that all exponents come up; one in five is an edge of the format. */
  public double anyDouble() {
    return edge()
        ? EDGES[random.nextInt(EDGES.length)]
        : Double.longBitsToDouble(random.nextLong());
  }

  public double anyFinite() {
    return DoubleStream.generate(this::anyDouble)
        .filter(Double::isFinite)
        .findFirst()
        .orElseThrow();
  }

  public long anyLong() {
    return edge() ? oneOf(0L, 1L, -1L, Long.MIN_VALUE, Long.MAX_VALUE) : random.nextLong();
  }

  @SafeVarargs
  public final <T> T oneOf(T... values) {
    return values[random.nextInt(values.length)];
  }

  public <T> List<T> listOf(int size, Supplier<T> element) {
    return Stream.generate(element).limit(size).toList();
  }

  private boolean edge() {
    return random.nextInt(5) == 0;
  }

  @Override
  public String toString() {
    return "seed " + seed;
  }
}
