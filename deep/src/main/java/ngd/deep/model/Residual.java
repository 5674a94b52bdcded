package ngd.deep.model;

import java.util.ArrayList;
import java.util.List;
import ngd.core.InvalidInput;
import org.bytedeco.pytorch.Tensor;

/**
 * What goes in, added to what some layers make of it (He, Zhang, Ren and Sun 2016). The shortcut is
 * the identity where it has no layers.
 */
public record Residual(List<Layer> body, List<Layer> shortcut) implements Layer {
  public Residual {
    body = List.copyOf(body);
    shortcut = List.copyOf(shortcut);
  }

  @Override
  public String name() {
    return "residual";
  }

  private Chain bodyChain() {
    return new Chain("body", body);
  }

  private Chain shortcutChain() {
    return new Chain("shortcut", shortcut);
  }

  @Override
  public Shape after(Shape in) {
    Shape out = bodyChain().after(in);
    Shape beside = shortcutChain().after(in);
    if (!out.equals(beside)) {
      throw new InvalidInput(
          "layer residual: body and shortcut must come to the same shape; got %s and %s"
              .formatted(out, beside));
    }
    return out;
  }

  private static List<Weight> prefixed(String prefix, List<Weight> weights) {
    return weights.stream()
        .map(weight -> new Weight(prefix + weight.name(), weight.shape(), weight.start()))
        .toList();
  }

  private static List<Weight> both(List<Weight> first, List<Weight> second) {
    List<Weight> all = new ArrayList<>(prefixed("body.", first));
    all.addAll(prefixed("shortcut.", second));
    return all;
  }

  @Override
  public List<Weight> weights(Shape in) {
    return both(bodyChain().weights(in), shortcutChain().weights(in));
  }

  @Override
  public List<Weight> statistics(Shape in) {
    return both(bodyChain().statistics(in), shortcutChain().statistics(in));
  }

  @Override
  public Tensor forward(Tensor x, Shape in, List<Tensor> weights, Pass pass) {
    int w = bodyChain().weights(in).size();
    int s = bodyChain().statistics(in).size();
    List<Tensor> all = pass.statistics();
    Tensor out = bodyChain().forward(x, in, weights.subList(0, w), pass.with(all.subList(0, s)));
    return out.add(
        shortcutChain()
            .forward(
                x, in, weights.subList(w, weights.size()), pass.with(all.subList(s, all.size()))));
  }
}
