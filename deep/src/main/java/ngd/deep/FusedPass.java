package ngd.deep;

import java.util.function.Consumer;
import java.util.function.Supplier;
import ngd.deep.device.Cuda;
import ngd.deep.device.Device;
import ngd.deep.device.Precision;
import ngd.deep.model.Net;
import org.bytedeco.pytorch.Tensor;
import org.jspecify.annotations.Nullable;

/** All clients' gradients by kernels of our own. */
interface FusedPass extends AutoCloseable {
  /** Whether it takes what a round chooses of the samples, or all of them alone. */
  boolean takesBatches();

  /**
   * The gradient of each row of theta, in the current scope.
   *
   * @param chosen the samples of the round, not asked for where all of them are known already
   */
  Tensor gradient(Tensor theta, Supplier<ClientData.Chunk> chosen);

  @Override
  void close();

  /**
   * The kernels that fit model, data and device; null where plain library calls must do.
   *
   * @param warning receives why they cannot be used though they fit
   */
  static @Nullable FusedPass of(
      Net net, ClientData data, Device device, Statistics statistics, Consumer<String> warning) {
    boolean possible =
        device.cuda()
            && (device.precision() == Precision.FLOAT32 || device.precision() == Precision.TF32);
    if (!possible) {
      return null;
    }
    return made(
        net.model().name(),
        () -> {
          FusedPass lenet = FusedLenet.of(net, data, device);
          return lenet != null ? lenet : FusedSeparable.of(net, data.clients(), device, statistics);
        },
        warning);
  }

  /** What is made, or null where the driver refuses: another driver, an older GPU. */
  static @Nullable FusedPass made(
      String model, Supplier<@Nullable FusedPass> maker, Consumer<String> warning) {
    try {
      return maker.get();
    } catch (Cuda.CudaFailed | IllegalArgumentException cannot) {
      warning.accept(
          "ngd's kernels for %s cannot be used; libtorch's are used instead, which are slower: %s"
              .formatted(model, cannot.getMessage()));
      return null;
    }
  }
}
