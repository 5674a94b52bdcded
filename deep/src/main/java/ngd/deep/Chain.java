package ngd.deep;

import java.util.ArrayList;
import java.util.List;
import org.bytedeco.pytorch.Tensor;

/** Layers one after another, as one. Weights are named by the layer's place and word. */
record Chain(String name, List<Layer> layers) implements Layer {
  Chain {
    layers = List.copyOf(layers);
  }

  @Override
  public Shape after(Shape in) {
    Shape shape = in;
    for (Layer layer : layers) {
      shape = layer.after(shape);
    }
    return shape;
  }

  private interface Asked {
    List<Weight> of(Layer layer, Shape in);
  }

  private List<Weight> all(Shape in, Asked asked) {
    List<Weight> all = new ArrayList<>();
    Shape shape = in;
    for (int i = 0; i < layers.size(); i++) {
      String prefix = i + "." + layers.get(i).name() + ".";
      for (Weight weight : asked.of(layers.get(i), shape)) {
        all.add(new Weight(prefix + weight.name(), weight.shape(), weight.start()));
      }
      shape = layers.get(i).after(shape);
    }
    return all;
  }

  @Override
  public List<Weight> weights(Shape in) {
    return all(in, Layer::weights);
  }

  @Override
  public List<Weight> statistics(Shape in) {
    return all(in, Layer::statistics);
  }

  @Override
  public Tensor forward(Tensor x, Shape in, List<Tensor> weights, Pass pass) {
    Tensor activations = x;
    Shape shape = in;
    int weight = 0;
    int statistic = 0;
    for (Layer layer : layers) {
      int w = layer.weights(shape).size();
      int s = layer.statistics(shape).size();
      activations =
          layer.forward(
              activations,
              shape,
              weights.subList(weight, weight + w),
              pass.with(pass.statistics().subList(statistic, statistic + s)));
      weight += w;
      statistic += s;
      shape = layer.after(shape);
    }
    return activations;
  }
}
