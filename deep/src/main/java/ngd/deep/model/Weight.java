package ngd.deep.model;

import java.util.List;

/**
 * One array of trainable numbers of a layer, in each client.
 *
 * @param name its name within the layer, such as {@code weight}
 * @param shape its sizes, without the clients
 * @param start how it begins
 */
public record Weight(String name, List<Integer> shape, Start start) {
  public Weight {
    shape = List.copyOf(shape);
  }

  /** Where the numbers of a weight begin. */
  public sealed interface Start {}

  /** Xavier uniform (Glorot and Bengio 2010): within ±√(6 / (in + out)). */
  public record Xavier(int in, int out) implements Start {
    double limit() {
      return Math.sqrt(6.0 / (in + (double) out));
    }
  }

  /** One number for all. */
  public record Constant(double value) implements Start {}

  /** How many numbers it has. */
  public int size() {
    return shape.stream().reduce(1, Math::multiplyExact);
  }
}
