package ngd.deep;

import java.util.stream.IntStream;
import ngd.core.rows.Rows;
import ngd.deep.device.Device;
import ngd.deep.device.DeviceRows;
import ngd.deep.device.Torch;
import ngd.deep.model.Net;
import ngd.deep.model.Pass;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.LongOptional;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.bytedeco.pytorch.global.torch.ScalarType;

/**
 * The share of validation samples that each client gets wrong: Err of the paper's section 3.5.
 *
 * @param validation as one client's samples
 */
record Evaluation(Net net, ClientData validation, Device device, Statistics statistics) {
  /** Numbers of samples times clients in one pass, so that memory stays bounded. */
  private static final int PASS = 20_000_000;

  /** Err of each row of theta: all clients at once on a GPU, spread over threads otherwise. */
  double[] errors(Rows theta) {
    int clients = theta.rows();
    double[] errors = new double[clients];
    Tensor rows = DeviceRows.in(theta).tensor();
    int together = device.cuda() ? clients : 1;
    int threads = device.workers().threads();
    int pieces = Math.ceilDiv(clients, together);
    device
        .workers()
        .run(
            pieces,
            Long.MAX_VALUE,
            (from, to) -> {
              torch.set_num_threads(pieces >= 2 * threads ? 1 : threads);
              for (int piece = from; piece < to; piece++) {
                int first = piece * together;
                double[] wrong = wrong(rows, first, together);
                IntStream.range(0, together)
                    .forEach(i -> errors[first + i] = wrong[i] / validation.size());
              }
            });
    return errors;
  }

  private double[] wrong(Tensor theta, int first, int clients) {
    double[] wrong = new double[clients];
    int step = Math.max(1, Math.min(validation.size(), PASS / net.input().size() / clients));
    if (!device.cuda()) {
      step = Math.min(step, 500);
    }
    for (int from = 0; from < validation.size(); from += step) {
      int to = Math.min(validation.size(), from + step);
      try (PointerScope _ = new PointerScope();
          NoGradGuard _ = new NoGradGuard()) {
        ClientData.Chunk chunk = validation.shared(from, to, clients);
        Pass pass = new Pass(clients, false, true, null, statistics.of(first, first + clients));
        Tensor said = net.logits(theta.narrow(0, first, clients), chunk.x(), pass, device);
        Tensor misses =
            said.argmax(new LongOptional(2), false).ne(chunk.y()).to(ScalarType.Double).sum(1);
        double[] counts = Torch.toArray(misses);
        for (int i = 0; i < clients; i++) {
          wrong[i] += counts[i];
        }
      }
    }
    return wrong;
  }
}
