package ngd.deep.model;

import java.util.ArrayList;
import java.util.List;
import ngd.deep.model.Layers.Conv;
import ngd.deep.model.Norms.BatchNorm;
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
    Rest<Tensor> weight = new Rest<>(weights);
    Rest<Tensor> statistic = new Rest<>(pass.statistics());
    for (int i = 0; i < layers.size(); i++) {
      Layer layer = layers.get(i);
      List<Tensor> own = weight.next(layer.weights(shape).size());
      Pass ofLayer = pass.with(statistic.next(layer.statistics(shape).size()));
      Shape out = layer.after(shape);
      // A normalisation that only scales and shifts costs nothing inside the convolution before it.
      if (layer instanceof Conv conv
          && i + 1 < layers.size()
          && layers.get(i + 1) instanceof BatchNorm norm
          && norm.asGiven(pass)) {
        List<Tensor> scaleAndShift = weight.next(norm.weights(out).size());
        Pass ofNorm = pass.with(statistic.next(norm.statistics(out).size()));
        activations =
            conv.forward(activations, shape, own, ofLayer, norm.affine(scaleAndShift, ofNorm));
        i++;
      } else {
        activations = layer.forward(activations, shape, own, ofLayer);
      }
      shape = out;
    }
    return activations;
  }

  /** What has not been handed out of a list. */
  private static final class Rest<T> {
    private final List<T> all;
    private int at;

    private Rest(List<T> all) {
      this.all = all;
    }

    private List<T> next(int count) {
      at += count;
      return all.subList(at - count, at);
    }
  }
}
