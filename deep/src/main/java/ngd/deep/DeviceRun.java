package ngd.deep;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import ngd.core.InvalidInput;
import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.Snapshot;
import ngd.core.random.Draws;
import ngd.core.random.Streams;
import ngd.core.rows.Rows;
import ngd.core.world.Diverged;
import ngd.deep.device.Device;
import ngd.deep.device.DeviceExchange;
import ngd.deep.device.DeviceRows;
import ngd.deep.device.Torch;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch.ScalarType;

/** A synchronous algorithm under way on a device. */
final class DeviceRun<S extends Algorithm.State> {
  private static final double BOUND = 1e30;

  private final Algorithm.Rounds<S> algorithm;
  private final Device device;
  private final DeviceExchange exchange;
  private final DeviceLocal local;
  private final Streams streams;
  private S state;

  DeviceRun(
      Algorithm.Rounds<S> algorithm,
      Device device,
      DeviceExchange exchange,
      DeviceLocal local,
      Streams streams,
      Rows theta) {
    this.algorithm = algorithm;
    this.device = device;
    this.exchange = exchange;
    this.local = local;
    this.streams = streams;
    state = algorithm.start(theta);
    device.recycle(state.rows());
  }

  S state() {
    return state;
  }

  int round() {
    return state.round();
  }

  Rows theta() {
    return state.theta();
  }

  /** One round. */
  void advance() {
    state = algorithm.step(state, exchange, local, new Draws(streams, state.round(), 0));
    device.recycle(state.rows());
  }

  /** Writes all that the next round depends on. */
  void write(OutputStream out) throws IOException {
    Snapshot.write(state, out);
  }

  /** Goes on from where a run of the same algorithm stood; changes nothing where it cannot. */
  void restore(InputStream in, long most) throws IOException {
    S found = Snapshot.read(in, most, state, device);
    if (found.theta().rows() != theta().rows() || found.theta().width() != theta().width()) {
      throw new InvalidInput(
          "resume: must hold %d clients with %d parameters each; got %d with %d"
              .formatted(
                  theta().rows(), theta().width(), found.theta().rows(), found.theta().width()));
    }
    state = found;
    device.recycle(state.rows());
  }

  /** Throws where an estimate is lost. */
  void requireFinite() {
    try (PointerScope _ = new PointerScope()) {
      Tensor lost = DeviceRows.in(theta()).tensor().abs().lt(Torch.scalar(BOUND)).logical_not();
      double[] counts = Torch.toArray(lost.to(ScalarType.Double).sum(1));
      for (int m = 0; m < counts.length; m++) {
        if (counts[m] > 0) {
          throw new Diverged(state.round(), m);
        }
      }
    }
  }
}
