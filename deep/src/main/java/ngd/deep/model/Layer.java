package ngd.deep.model;

import java.util.List;
import org.bytedeco.pytorch.Tensor;

/**
 * A step from activations to activations, taken for M clients at once, each with its own weights.
 *
 * <p>Activations that are images have the shape n × (M·C) × H × W, client after client among the
 * channels; flat ones M × n × C. A weight comes as a view M × its own shape of the block of all
 * rows. A layer of your own implements this interface and uses {@code
 * org.bytedeco.pytorch.global.torch}; whatever it makes ends with the caller's scope.
 */
public interface Layer {
  /** The word for it in names of weights, such as {@code conv}. */
  String name();

  /** What comes out for what goes in; refuses what it cannot take. */
  Shape after(Shape in);

  /** Its weights for what goes in; none for many. */
  default List<Weight> weights(Shape in) {
    return List.of();
  }

  /** The numbers of statistics that it keeps beside θ, for what goes in; most keep none. */
  default List<Weight> statistics(Shape in) {
    return List.of();
  }

  /**
   * What comes out.
   *
   * @param x the activations before it
   * @param in the shape of one sample of them
   * @param weights one tensor for each of {@link #weights}
   */
  Tensor forward(Tensor x, Shape in, List<Tensor> weights, Pass pass);
}
