package ngd.deep.device;

import java.util.Arrays;
import java.util.Objects;
import ngd.core.rows.Rows;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Tensor;
import org.jspecify.annotations.Nullable;

/** Rows on a device: one M×p tensor, contiguous. Looking at a number copies the block once. */
public final class DeviceRows implements Rows {
  private final Device device;
  private final Tensor tensor;
  private final int rows;
  private final int width;
  private double @Nullable [] seen;

  DeviceRows(Device device, Tensor tensor) {
    this.device = device;
    this.tensor = tensor;
    rows = Math.toIntExact(tensor.size(0));
    width = Math.toIntExact(tensor.size(1));
  }

  /** These rows as a block of a device; refuses blocks that live elsewhere. */
  public static DeviceRows in(Rows rows) {
    if (rows instanceof DeviceRows here) {
      return here;
    }
    throw new IllegalArgumentException("rows must live on a device; got " + rows.getClass());
  }

  public Tensor tensor() {
    if (tensor.isNull()) {
      throw new IllegalStateException("rows: were freed when a round ended that did not keep them");
    }
    return tensor;
  }

  void free() {
    tensor.releaseReference();
  }

  @Override
  public int rows() {
    return rows;
  }

  @Override
  public int width() {
    return width;
  }

  private double[] seen() {
    double[] values = seen;
    if (values == null) {
      values = Torch.toArray(tensor());
      seen = values;
    }
    return values;
  }

  @Override
  public double get(int row, int column) {
    return seen()[Objects.checkIndex(row, rows) * width + Objects.checkIndex(column, width)];
  }

  @Override
  public double[] row(int row) {
    int start = Objects.checkIndex(row, rows) * width;
    return Arrays.copyOfRange(seen(), start, start + width);
  }

  @Override
  public DeviceRows plus(double scale, Rows other) {
    DeviceRows b = sameShape(other);
    try (PointerScope _ = new PointerScope()) {
      return device.own(tensor().add(b.tensor(), Torch.scalar(scale)));
    }
  }

  @Override
  public DeviceRows times(double scale) {
    try (PointerScope _ = new PointerScope()) {
      return device.own(tensor().mul(Torch.scalar(scale)));
    }
  }

  @Override
  public DeviceRows timesEach(double[] scale) {
    if (scale.length != rows) {
      throw new IllegalArgumentException(
          "scale: must have %d entries, one per row; got %d".formatted(rows, scale.length));
    }
    try (PointerScope _ = new PointerScope()) {
      return device.own(tensor().mul(device.real(Torch.of(scale, rows, 1))));
    }
  }

  @Override
  public DeviceRows timesEach(Rows scale) {
    DeviceRows each = in(scale);
    if (each.rows != rows || each.width != 1) {
      throw new IllegalArgumentException(
          "scale: must be %d x 1, one number per row; got %d x %d"
              .formatted(rows, each.rows, each.width));
    }
    try (PointerScope _ = new PointerScope()) {
      return device.own(tensor().mul(each.tensor()));
    }
  }

  @Override
  public DeviceRows of(double[][] others) {
    return device.of(others);
  }

  @Override
  public DeviceRows everywhere(double[] row) {
    if (row.length != width) {
      throw new IllegalArgumentException(
          "row: must have %d numbers; got %d".formatted(width, row.length));
    }
    try (PointerScope _ = new PointerScope()) {
      return device.own(device.real(Torch.of(row, 1, width)).expand(rows, width).contiguous());
    }
  }

  private DeviceRows sameShape(Rows other) {
    DeviceRows here = in(other);
    if (here.rows != rows || here.width != width) {
      throw new IllegalArgumentException(
          "rows must have the same shape; got %d x %d and %d x %d"
              .formatted(rows, width, here.rows, here.width));
    }
    return here;
  }
}
