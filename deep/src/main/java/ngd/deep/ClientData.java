package ngd.deep;

import java.util.Arrays;
import ngd.core.world.RowChoice;
import ngd.deep.device.Device;
import ngd.deep.device.Torch;
import ngd.deep.model.Shape;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch.ScalarType;
import org.jspecify.annotations.Nullable;

/** All clients' samples on a device, client after client, and how passes get at them. */
final class ClientData {
  private final Device device;
  private final Shape shape;
  private final int[] offsets;
  private final Tensor x;
  private final Tensor y;

  /** Samples of client m lie at {@code offsets[m] .. offsets[m + 1]} of x and labels. */
  ClientData(Device device, Shape shape, int[] offsets, float[] samples, long[] labels) {
    this.device = device;
    this.shape = shape;
    this.offsets = offsets.clone();
    int n = labels.length;
    long[] sizes =
        shape.flat()
            ? new long[] {n, shape.channels()}
            : new long[] {n, shape.channels(), shape.height(), shape.width()};
    try (PointerScope _ = new PointerScope()) {
      x = device.keep(device.real(Torch.of(samples, sizes)));
      y = device.keep(device.here(Torch.of(labels, n)));
    }
  }

  /** All samples, client after client. */
  Tensor x() {
    return x;
  }

  Tensor y() {
    return y;
  }

  /** Shared. */
  int[] offsets() {
    return offsets;
  }

  int clients() {
    return offsets.length - 1;
  }

  int rows(int client) {
    return offsets[client + 1] - offsets[client];
  }

  int[] sizes() {
    int[] sizes = new int[clients()];
    Arrays.setAll(sizes, this::rows);
    return sizes;
  }

  /**
   * What a pass over some clients sees.
   *
   * @param x in the layout of activations
   * @param y M × n labels
   * @param share M × n: 1 / (samples of the client), 0 where a batch is only filled up
   * @param real 1 where share is not 0; null where that is everywhere
   */
  record Chunk(int clients, Tensor x, Tensor y, Tensor share, @Nullable Tensor real) {
    /** The same, each sample counting by a factor of its own. */
    Chunk weighted(Tensor factors) {
      return new Chunk(clients, x, y, share.mul(factors), real);
    }

    /** Survives the scope it was made in. */
    Chunk kept(Device device) {
      return new Chunk(
          clients,
          device.keep(x),
          device.keep(y),
          device.keep(share),
          real == null ? null : device.keep(real));
    }
  }

  /** All samples of these clients. */
  Chunk all(int... clients) {
    if (clients.length == 1) {
      int m = clients[0];
      return one(x.narrow(0, offsets[m], rows(m)), y.narrow(0, offsets[m], rows(m)), rows(m));
    }
    long[][] picked = new long[clients.length][];
    for (int i = 0; i < clients.length; i++) {
      int m = clients[i];
      picked[i] = new long[rows(m)];
      Arrays.setAll(picked[i], k -> offsets[m] + (long) k);
    }
    return picked(picked);
  }

  /** A round's batches of these clients. */
  Chunk batch(RowChoice batches, int round, int... clients) {
    long[][] picked = new long[clients.length][];
    for (int i = 0; i < clients.length; i++) {
      int m = clients[i];
      int from = batches.from(m, round);
      int[] order = batches.order(m, round);
      picked[i] = new long[batches.to(m, round) - from];
      Arrays.setAll(picked[i], k -> offsets[m] + (long) order[from + k]);
    }
    return picked(picked);
  }

  private Chunk one(Tensor samples, Tensor labels, int n) {
    Tensor share =
        org.bytedeco.pytorch.global.torch.full(
            new long[] {1, n}, Torch.scalar(1.0 / n), device.reals());
    return new Chunk(
        1, shape.flat() ? samples.unsqueeze(0) : samples, labels.unsqueeze(0), share, null);
  }

  /** Rows of x by client, filled up to the longest by the client's first. */
  private Chunk picked(long[][] rows) {
    int clients = rows.length;
    int n = Arrays.stream(rows).mapToInt(own -> own.length).max().orElseThrow();
    boolean even = Arrays.stream(rows).allMatch(own -> own.length == n);
    long[] index = new long[Math.multiplyExact(clients, n)];
    double[] share = new double[index.length];
    for (int m = 0; m < clients; m++) {
      Arrays.fill(index, m * n, (m + 1) * n, rows[m][0]);
      System.arraycopy(rows[m], 0, index, m * n, rows[m].length);
      Arrays.fill(share, m * n, m * n + rows[m].length, 1.0 / rows[m].length);
    }
    Tensor at = device.here(Torch.of(index, index.length));
    Tensor labels = y.index_select(0, at);
    Tensor samples = x.index_select(0, at);
    if (clients == 1) {
      return one(samples, labels, n);
    }
    Tensor shares = device.real(Torch.of(share, clients, n));
    Tensor laidOut =
        shape.flat()
            ? samples.view(clients, n, shape.channels())
            : beside(samples.view(clients, n, shape.channels(), shape.height(), shape.width()));
    return new Chunk(
        clients,
        laidOut,
        labels.view(clients, n),
        shares,
        even ? null : shares.ne(Torch.scalar(0)).to(ScalarType.Float));
  }

  /** M × n × C × H × W as n × (M·C) × H × W. */
  private Tensor beside(Tensor samples) {
    return samples
        .permute(1, 0, 2, 3, 4)
        .reshape(
            samples.size(1),
            samples.size(0) * (long) shape.channels(),
            shape.height(),
            shape.width());
  }

  /** Samples [from, to), the same for each of {@code clients} clients, for evaluation. */
  Chunk shared(int from, int to, int clients) {
    int n = to - from;
    Tensor samples = x.narrow(0, from, n);
    Tensor labels = y.narrow(0, from, n);
    if (clients == 1) {
      return one(samples, labels, n);
    }
    Tensor wide = samples.unsqueeze(0);
    long[] sizes =
        shape.flat()
            ? new long[] {clients, n, shape.channels()}
            : new long[] {clients, n, shape.channels(), shape.height(), shape.width()};
    Tensor laidOut = shape.flat() ? wide.expand(sizes) : beside(wide.expand(sizes));
    return new Chunk(clients, laidOut, labels.unsqueeze(0).expand(clients, n), labels, null);
  }

  int size() {
    return offsets[offsets.length - 1];
  }
}
