package ngd.deep.model;

import java.util.ArrayList;
import java.util.List;
import ngd.core.InvalidInput;
import ngd.core.random.Streams;
import ngd.deep.device.Device;
import org.apache.commons.rng.UniformRandomProvider;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;

/**
 * A model for given inputs and classes: where each weight lies in a row of θ, and what a block of
 * rows makes of samples.
 */
public final class Net {
  private final Model model;
  private final Shape input;
  private final int classes;
  private final Chain layers;
  private final List<Weight> weights;
  private final List<Weight> statistics;
  private final long[] sizes;
  private final int parameters;

  public Net(Model model, Shape input, int classes) {
    this.model = model;
    this.input = input;
    this.classes = classes;
    layers = new Chain(model.name(), model.layers(input, classes));
    Shape out;
    try {
      out = layers.after(input);
    } catch (InvalidInput e) {
      throw new InvalidInput(
          "model %s: does not fit samples of %s: %s".formatted(model.name(), input, e.getMessage()),
          e);
    }
    if (!out.equals(Shape.row(classes))) {
      throw new InvalidInput(
          "model %s: must end in %d numbers, one per class; it ends in %s"
              .formatted(model.name(), classes, out));
    }
    weights = layers.weights(input);
    statistics = layers.statistics(input);
    sizes = weights.stream().mapToLong(Weight::size).toArray();
    long sum = 0;
    for (long size : sizes) {
      sum += size;
    }
    parameters = Math.toIntExact(sum);
  }

  public Model model() {
    return model;
  }

  public Shape input() {
    return input;
  }

  public int classes() {
    return classes;
  }

  /** p, the trainable numbers of one client. */
  public int parameters() {
    return parameters;
  }

  /** The weights in the order in which they lie in a row of θ. */
  public List<Weight> weights() {
    return weights;
  }

  /** What layers keep beside θ. */
  public List<Weight> statistics() {
    return statistics;
  }

  /** Xavier uniform weights, zero shifts: one row of θ. */
  public double[] start(Streams streams) {
    double[] theta = new double[parameters];
    int at = 0;
    for (int w = 0; w < weights.size(); w++) {
      Weight weight = weights.get(w);
      UniformRandomProvider draw = streams.stream(Streams.Purpose.START, w);
      for (int i = 0; i < weight.size(); i++) {
        theta[at++] =
            switch (weight.start()) {
              case Weight.Xavier xavier -> (2 * draw.nextDouble() - 1) * xavier.limit();
              case Weight.Constant constant -> constant.value();
            };
      }
    }
    return theta;
  }

  /** M × n × classes: what each row of θ says of its client's samples. */
  public Tensor logits(Tensor theta, Tensor x, Pass pass, Device device) {
    TensorVector parts = theta.split_with_sizes(sizes, 1);
    List<Tensor> views = new ArrayList<>(weights.size());
    for (int w = 0; w < weights.size(); w++) {
      List<Integer> own = weights.get(w).shape();
      long[] shape = new long[own.size() + 1];
      shape[0] = pass.clients();
      for (int i = 0; i < own.size(); i++) {
        shape[i + 1] = own.get(i);
      }
      views.add(parts.get(w).view(shape).to(device.passType()));
    }
    return layers
        .forward(x.to(device.passType()), input, views, pass)
        .to(device.precision().rows());
  }
}
