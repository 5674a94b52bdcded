package ngd.deep.device;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.bytedeco.pytorch.Tensor;

/** The kernels of one PTX text among the resources, launched on tensors in float32. */
public final class Kernels implements AutoCloseable {
  private final Cuda cuda;
  private final long module;
  private final Map<String, Long> functions = new HashMap<>();

  /**
   * @param near the class beside whose resource the text lies
   */
  public Kernels(Cuda cuda, Class<?> near, String resource) {
    this.cuda = cuda;
    module = cuda.module(read(near, resource));
  }

  private static byte[] read(Class<?> near, String resource) {
    try (InputStream text = near.getResourceAsStream(resource)) {
      return Objects.requireNonNull(text, resource + " is among the resources").readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Launches a kernel by its name; arguments are what its parameters are copied from. */
  public void launch(String kernel, Cuda.LaunchGrid grid, long stream, MemorySegment... arguments) {
    long function = functions.computeIfAbsent(kernel, name -> cuda.function(module, name));
    cuda.launch(function, grid, stream, arguments);
  }

  /** A tensor as an argument. */
  public static MemorySegment at(Arena arena, Tensor tensor) {
    return at(arena, tensor, 0);
  }

  /** A tensor from one of its numbers on. */
  public static MemorySegment at(Arena arena, Tensor tensor, int from) {
    return arena.allocateFrom(JAVA_LONG, address(tensor, from));
  }

  /** Where a tensor's number lies. */
  public static long address(Tensor tensor, int from) {
    return tensor.data_ptr().address() + (long) Float.BYTES * from;
  }

  public static MemorySegment number(Arena arena, int value) {
    return arena.allocateFrom(JAVA_INT, value);
  }

  @Override
  public void close() {
    cuda.freeModule(module);
  }
}
