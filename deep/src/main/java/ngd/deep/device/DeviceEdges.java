package ngd.deep.device;

import ngd.core.rows.Edges;
import ngd.core.rows.Rows;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Tensor;

/** Links on a device: client m hears on the links {@code offsets[m] .. offsets[m + 1]}. */
final class DeviceEdges implements Edges {
  private final Device device;
  private final int[] offsets;
  private final DeviceRows values;

  DeviceEdges(Device device, int[] offsets, Rows values) {
    this.device = device;
    this.offsets = offsets;
    this.values = DeviceRows.in(values);
    if (offsets[offsets.length - 1] != values.rows()) {
      throw new IllegalArgumentException(
          "values: must have %d rows, one per link; got %d"
              .formatted(offsets[offsets.length - 1], values.rows()));
    }
  }

  @Override
  public DeviceRows values() {
    return values;
  }

  @Override
  public int first(int client) {
    return offsets[client];
  }

  @Override
  public DeviceEdges with(Rows others) {
    return new DeviceEdges(device, offsets, others);
  }

  /** A product with zeros and ones: scattered additions have no order on a GPU. */
  @Override
  public DeviceRows sum() {
    int links = values.rows();
    double[] hears = new double[Math.multiplyExact(offsets.length - 1, links)];
    forEachLink((m, e) -> hears[m * links + e] = 1);
    try (PointerScope _ = new PointerScope()) {
      Tensor matrix = device.real(Torch.of(hears, offsets.length - 1, links));
      return device.own(device.exactProduct(matrix, values.tensor()));
    }
  }

  private interface LinkAction {
    void at(int client, int link);
  }

  private void forEachLink(LinkAction action) {
    for (int m = 0; m < offsets.length - 1; m++) {
      for (int e = offsets[m]; e < offsets[m + 1]; e++) {
        action.at(m, e);
      }
    }
  }
}
