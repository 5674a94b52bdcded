package ngd.deep.model;

import java.util.List;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/** A model of one's own with a layer of one's own: the example of docs/deep.md. */
public final class TinyModel implements Model {
  /** x · sigmoid(slope · x), a slope for each channel, learned. */
  public record Swish() implements Layer {
    @Override
    public String name() {
      return "swish";
    }

    @Override
    public Shape after(Shape in) {
      return in;
    }

    @Override
    public List<Weight> weights(Shape in) {
      return List.of(new Weight("slope", List.of(in.channels()), new Weight.Constant(1)));
    }

    @Override
    public Tensor forward(Tensor x, Shape in, List<Tensor> weights, Pass pass) {
      // Images are n × (M·C) × H × W: the slopes of all clients lie beside each other.
      Tensor slope = weights.get(0).reshape(1, (long) pass.clients() * in.channels(), 1, 1);
      return x.mul(torch.sigmoid(x.mul(slope)));
    }
  }

  @Override
  public String name() {
    return "tiny";
  }

  @Override
  public List<Layer> layers(Shape input, int classes) {
    return List.of(
        new Layers.Conv(4, 3, 2, 1),
        new Swish(),
        new Layers.GlobalMean(),
        new Layers.Dense(classes));
  }
}
