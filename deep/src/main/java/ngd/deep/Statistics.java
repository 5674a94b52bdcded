package ngd.deep;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import ngd.deep.device.Device;
import ngd.deep.device.DeviceExchange;
import ngd.deep.device.Torch;
import ngd.deep.model.Net;
import ngd.deep.model.Weight;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Tensor;

/**
 * What layers keep beside θ, such as running means: one tensor of M × size numbers for each, client
 * after client. They belong to the clients and are not sent, unless a run mixes them.
 */
final class Statistics {
  private final Device device;
  private final List<Weight> names;
  private final int clients;
  private final boolean frozen;
  private final List<Tensor> tensors = new ArrayList<>();

  Statistics(Device device, Net net, int clients) {
    this(device, net, clients, false);
  }

  /**
   * @param frozen whether they stay as they begin
   */
  Statistics(Device device, Net net, int clients, boolean frozen) {
    this.device = device;
    this.clients = clients;
    this.frozen = frozen;
    names = net.statistics();
    try (PointerScope _ = new PointerScope()) {
      for (Weight statistic : names) {
        double start = statistic.start() instanceof Weight.Constant constant ? constant.value() : 0;
        double[] values = new double[Math.multiplyExact(clients, statistic.size())];
        Arrays.fill(values, start);
        tensors.add(device.keep(device.real(Torch.of(values, values.length))));
      }
    }
  }

  boolean frozen() {
    return frozen;
  }

  /** Views of those of clients [from, to), to be changed in place. */
  List<Tensor> of(int from, int to) {
    List<Tensor> views = new ArrayList<>();
    for (int s = 0; s < tensors.size(); s++) {
      long size = names.get(s).size();
      views.add(tensors.get(s).narrow(0, from * size, (to - from) * size));
    }
    return views;
  }

  /** Copies for some clients, which no one keeps. */
  List<Tensor> copies(int... which) {
    List<Tensor> copies = new ArrayList<>();
    long[] index = Arrays.stream(which).asLongStream().toArray();
    for (int s = 0; s < tensors.size(); s++) {
      Tensor rows = tensors.get(s).view(clients, names.get(s).size());
      Tensor at = device.here(Torch.of(index, index.length));
      copies.add(rows.index_select(0, at).flatten());
    }
    return copies;
  }

  /** W times each of them: what the clients hear, averaged. */
  void mix(DeviceExchange exchange) {
    try (PointerScope _ = new PointerScope()) {
      for (int s = 0; s < tensors.size(); s++) {
        Tensor rows = tensors.get(s).view(clients, names.get(s).size());
        rows.copy_(exchange.mixed(rows));
      }
    }
  }

  /** All numbers, M rows. */
  double[][] values() {
    int width = names.stream().mapToInt(Weight::size).sum();
    double[][] rows = new double[clients][width];
    int at = 0;
    for (int s = 0; s < tensors.size(); s++) {
      int size = names.get(s).size();
      double[] flat = Torch.toArray(tensors.get(s));
      for (int m = 0; m < clients; m++) {
        System.arraycopy(flat, m * size, rows[m], at, size);
      }
      at += size;
    }
    return rows;
  }

  /** Sets what {@link #values} gave. */
  void restore(double[][] rows) {
    int at = 0;
    for (int s = 0; s < tensors.size(); s++) {
      int size = names.get(s).size();
      double[] flat = new double[clients * size];
      for (int m = 0; m < clients; m++) {
        System.arraycopy(rows[m], at, flat, m * size, size);
      }
      try (PointerScope _ = new PointerScope()) {
        tensors.get(s).copy_(device.real(Torch.of(flat, flat.length)));
      }
      at += size;
    }
  }
}
