package ngd.deep;

import java.nio.DoubleBuffer;
import org.bytedeco.javacpp.DoublePointer;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.openblas.global.openblas_nolapack;
import org.bytedeco.pytorch.Context;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptions;
import org.bytedeco.pytorch.global.torch;
import org.bytedeco.pytorch.global.torch.ScalarType;

/** Arrays into tensors and back. All classes that touch libtorch come here first. */
final class Torch {
  static {
    // Memory is owned by scopes: no thread collects pointers, and the limit that JavaCPP derives
    // from the Java heap says nothing about tensors.
    setIfAbsent("org.bytedeco.javacpp.nopointergc", "true");
    setIfAbsent("org.bytedeco.javacpp.maxPhysicalBytes", "0");
    setIfAbsent("org.bytedeco.javacpp.maxBytes", "0");
    if (!Context.hasMKL()) {
      // Clients are spread over threads: a product must not start threads of its own.
      openblas_nolapack.blas_set_num_threads(1);
    }
  }

  private Torch() {}

  private static void setIfAbsent(String key, String value) {
    if (System.getProperty(key) == null) {
      System.setProperty(key, value);
    }
  }

  /** Makes sure that the above has happened before anything native is loaded. */
  static void load() {
    // The static initialiser has run.
  }

  static boolean cudaIsAvailable() {
    return torch.cuda_is_available();
  }

  /** A tensor of this process that holds a copy of the numbers; belongs to the current scope. */
  static Tensor of(double[] values, long... shape) {
    return Tensor.create(values, shape);
  }

  static Tensor of(float[] values, long... shape) {
    return Tensor.create(values, shape);
  }

  static Tensor of(long[] values, long... shape) {
    return Tensor.create(values, shape);
  }

  static Scalar scalar(double value) {
    return new Scalar(value);
  }

  /** A copy of the tensor's numbers. */
  static double[] toArray(Tensor tensor) {
    try (PointerScope _ = new PointerScope()) {
      Tensor host = tensor.to(ScalarType.Double).cpu().contiguous();
      double[] values = new double[Math.toIntExact(host.numel())];
      if (values.length > 0) {
        DoublePointer pointer = host.data_ptr_double();
        DoubleBuffer buffer = pointer.capacity(values.length).asBuffer();
        buffer.get(values);
      }
      return values;
    }
  }

  static TensorOptions options(ScalarType type, org.bytedeco.pytorch.Device device) {
    return new TensorOptions(type).device(new org.bytedeco.pytorch.DeviceOptional(device));
  }
}
