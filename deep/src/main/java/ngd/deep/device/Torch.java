package ngd.deep.device;

import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.nio.DoubleBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.bytedeco.javacpp.DoublePointer;
import org.bytedeco.javacpp.Loader;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.openblas.global.openblas_nolapack;
import org.bytedeco.pytorch.Context;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.bytedeco.pytorch.global.torch.ScalarType;

/** Arrays into tensors and back. All classes that touch libtorch come here first. */
public final class Torch {
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
  public static void load() {
    // The static initialiser has run.
  }

  public static boolean cudaIsAvailable() {
    return whyNoCuda().isEmpty();
  }

  /** Empty where libtorch sees a GPU, otherwise what is missing, in words. */
  static Optional<String> whyNoCuda() {
    if (torch.cuda_is_available()) {
      return Optional.empty();
    }
    try {
      // Nothing links to the half of libtorch that knows GPUs; loaded, it makes itself known.
      loadFirst("c10_cuda");
      loadFirst("torch_cuda");
    } catch (UnsatisfiedLinkError | IOException missing) {
      return Optional.of(String.valueOf(missing.getMessage()));
    }
    return torch.cuda_is_available() ? Optional.empty() : Optional.of("libtorch finds no GPU");
  }

  /** Loads a library of libtorch from the library path or, where that has none, from its jar. */
  @SuppressWarnings("restricted") // Native libraries are what it is for.
  private static void loadFirst(String name) throws IOException {
    String file = System.mapLibraryName(name);
    for (String folder :
        System.getProperty("java.library.path", "").split(File.pathSeparator, -1)) {
      Path there = Path.of(folder, file);
      if (Files.exists(there)) {
        System.load(there.toAbsolutePath().toString());
        return;
      }
    }
    URL resource =
        torch.class.getResource(
            "/org/bytedeco/pytorch/%s-gpu/%s".formatted(Loader.getPlatform(), file));
    if (resource == null) {
      throw new IOException("the installed libtorch lacks " + file);
    }
    System.load(Loader.cacheResource(resource).getPath());
  }

  /** A tensor of this process that holds a copy of the numbers; belongs to the current scope. */
  public static Tensor of(double[] values, long... shape) {
    return Tensor.create(values, shape);
  }

  public static Tensor of(float[] values, long... shape) {
    return Tensor.create(values, shape);
  }

  public static Tensor of(long[] values, long... shape) {
    return Tensor.create(values, shape);
  }

  public static Scalar scalar(double value) {
    return new Scalar(value);
  }

  /** A copy of the tensor's numbers. */
  public static double[] toArray(Tensor tensor) {
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
}
