package ngd.deep.model;

import java.util.List;
import org.bytedeco.pytorch.Tensor;
import org.jspecify.annotations.Nullable;

/**
 * What a layer may know of the pass it is part of.
 *
 * @param clients M, whose samples lie in the activations
 * @param training whether the weights are being learned, or only used
 * @param frozen whether statistics stay as they are and are used as they are, in training too
 * @param real M × n, 1 for a sample and 0 for what only fills a client's batch up to the longest;
 *     null where nothing is filled up
 * @param statistics of this layer, one tensor (M·size) for each it asked for, changed in place
 */
public record Pass(
    int clients, boolean training, boolean frozen, @Nullable Tensor real, List<Tensor> statistics) {
  public Pass {
    statistics = List.copyOf(statistics);
  }

  Pass with(List<Tensor> others) {
    return new Pass(clients, training, frozen, real, others);
  }
}
