package ngd.deep.device;

import java.util.ArrayList;
import java.util.List;
import ngd.core.InvalidInput;
import ngd.core.rows.Edges;
import ngd.core.rows.Place;
import ngd.core.rows.Rows;
import ngd.core.rows.Workers;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Context;
import org.bytedeco.pytorch.DeviceOptional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptions;
import org.bytedeco.pytorch.global.torch;
import org.bytedeco.pytorch.global.torch.ScalarType;

/**
 * A place for tensors: this machine's processor or a CUDA device, the precision of passes on it,
 * and the blocks that rounds make and leave behind. For one run and one thread at a time.
 */
public final class Device implements AutoCloseable, Place {
  /** Beyond this a number is lost; floats reach no further than 3e38. */
  private static final double BOUND = 1e30;

  private final boolean cuda;
  private final Precision precision;
  private final org.bytedeco.pytorch.Device torchDevice;
  private final Workers workers;
  private final List<DeviceRows> inUse = new ArrayList<>();
  private final List<Tensor> kept = new ArrayList<>();

  private Device(boolean cuda, Precision precision, int threads) {
    Torch.load();
    this.cuda = cuda;
    this.precision = precision;
    try (PointerScope _ = new PointerScope()) {
      torchDevice = new org.bytedeco.pytorch.Device(cuda ? "cuda" : "cpu").retainReference();
    }
    workers = new Workers(threads);
    setUp();
  }

  /** The device named {@code cpu} or {@code cuda}; on a processor, with this many threads. */
  public static Device of(String spec, Precision precision, int threads) {
    Torch.load();
    boolean cuda =
        switch (spec) {
          case "cpu" -> false;
          case "cuda" -> true;
          default ->
              throw new InvalidInput("device: must be cpu or cuda; got `%s`".formatted(spec));
        };
    if (cuda) {
      Torch.whyNoCuda()
          .ifPresent(
              why -> {
                throw new InvalidInput(
                    "device cuda: needs a GPU, CUDA 13 with cuDNN 9 and NCCL, and the libtorch that knows them (docs/deep.md says how): %s"
                        .formatted(why));
              });
    }
    if (precision == Precision.TF32 && !cuda) {
      throw new InvalidInput("precision tf32: needs a GPU; --device is cpu");
    }
    return new Device(cuda, precision, threads);
  }

  private void setUp() {
    if (!cuda) {
      return;
    }
    Context context = torch.globalContext();
    // The same bits in every process: no algorithm is chosen by a stopwatch.
    context.setBenchmarkCuDNN(false);
    context.setDeterministicCuDNN(true);
    allowTf32(precision == Precision.TF32);
  }

  private void allowTf32(boolean allowed) {
    if (cuda) {
      torch.globalContext().setAllowTF32CuBLAS(allowed);
      torch.globalContext().setAllowTF32CuDNN(allowed);
    }
  }

  public boolean cuda() {
    return cuda;
  }

  public Precision precision() {
    return precision;
  }

  public Workers workers() {
    return workers;
  }

  /** Options for tensors of real numbers here. */
  public TensorOptions reals() {
    return new TensorOptions(precision.rows()).device(new DeviceOptional(torchDevice));
  }

  /** The tensor in this place, as real numbers. */
  public Tensor real(Tensor tensor) {
    return tensor.to(torchDevice, precision.rows());
  }

  /** The tensor in this place, as it is. */
  public Tensor here(Tensor tensor) {
    return tensor.to(torchDevice, tensor.scalar_type());
  }

  /** A product whose operands are not rounded, whatever the precision of passes. */
  Tensor exactProduct(Tensor a, Tensor b) {
    if (precision != Precision.TF32) {
      return a.matmul(b);
    }
    allowTf32(false);
    try {
      return a.matmul(b);
    } finally {
      allowTf32(true);
    }
  }

  /** A block of rows with the given numbers. */
  public DeviceRows of(double[][] rows) {
    int width = rows.length == 0 ? 0 : rows[0].length;
    double[] flat = new double[Math.multiplyExact(rows.length, width)];
    for (int m = 0; m < rows.length; m++) {
      System.arraycopy(rows[m], 0, flat, m * width, width);
    }
    return rows(rows.length, width, flat);
  }

  @Override
  public DeviceRows rows(int rows, int width, double[] values) {
    try (PointerScope _ = new PointerScope()) {
      return own(real(Torch.of(values, rows, width)));
    }
  }

  @Override
  public Edges edges(int[] offsets, Rows values) {
    return new DeviceEdges(this, offsets, values);
  }

  /** A block around an M×p tensor of the current scope, which outlives it from now on. */
  public DeviceRows own(Tensor tensor) {
    DeviceRows block = new DeviceRows(this, tensor.retainReference());
    inUse.add(block);
    return block;
  }

  /** A tensor of the current scope that lives as long as this device. */
  public Tensor keep(Tensor tensor) {
    Tensor held = tensor.retainReference();
    kept.add(held);
    return held;
  }

  /** Ends a round: every block that is not shown is freed. */
  @Override
  public void recycle(List<Rows> shown) {
    for (int i = inUse.size() - 1; i >= 0; i--) {
      DeviceRows block = inUse.get(i);
      if (!holds(shown, block)) {
        inUse.remove(i);
        block.free();
      }
    }
  }

  /** Waits until the device has done all that it was asked for. */
  @Override
  public int firstLost(Rows rows) {
    try (PointerScope _ = new PointerScope()) {
      Tensor lost = DeviceRows.in(rows).tensor().abs().lt(Torch.scalar(BOUND)).logical_not();
      double[] counts = Torch.toArray(lost.to(ScalarType.Double).sum(1));
      for (int m = 0; m < counts.length; m++) {
        if (counts[m] > 0) {
          return m;
        }
      }
      return -1;
    }
  }

  @Override
  public void write(Rows block, int row, double[] values) {
    try (PointerScope _ = new PointerScope()) {
      DeviceRows.in(block)
          .tensor()
          .narrow(0, row, 1)
          .copy_(real(Torch.of(values, 1, values.length)));
    }
  }

  /** By identity: two blocks with equal numbers are still two blocks. */
  @SuppressWarnings("ReferenceEquality")
  private static boolean holds(List<Rows> shown, DeviceRows block) {
    for (int i = 0; i < shown.size(); i++) {
      if (shown.get(i) == block) {
        return true;
      }
    }
    return false;
  }

  /** The blocks alive: what a round may not leave behind. */
  public int blocks() {
    return inUse.size();
  }

  @Override
  public void close() {
    recycle(List.of());
    kept.forEach(Tensor::releaseReference);
    kept.clear();
    torchDevice.releaseReference();
    workers.close();
  }

  public ScalarType passType() {
    return precision == Precision.BF16 ? ScalarType.BFloat16 : precision.rows();
  }
}
