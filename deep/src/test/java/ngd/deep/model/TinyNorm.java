package ngd.deep.model;

import java.util.List;

/** A small model with batch normalisation. */
public final class TinyNorm implements Model {
  @Override
  public String name() {
    return "tiny-norm";
  }

  @Override
  public List<Layer> layers(Shape input, int classes) {
    return List.of(
        Layers.Conv.plain(4, 3, 2),
        new Norms.BatchNorm(),
        new Layers.Relu(),
        new Layers.GlobalMean(),
        new Layers.Dense(classes));
  }
}
