package ngd.deep.device;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongConsumer;

/**
 * The CUDA driver: kernels of our own on the memory and the stream of libtorch. Handles are the
 * driver's own addresses.
 */
@SuppressWarnings("restricted") // Native calls are what it is for.
public final class Cuda {
  /** The stream on which libtorch works by default. */
  public static final long TORCH_STREAM = 0;

  private static final int NON_BLOCKING = 1;
  private static final int THREAD_LOCAL = 1;
  private static final int NO_TIMES = 2;

  private final SymbolLookup library;
  private final Map<String, MethodHandle> calls = new HashMap<>();

  public Cuda() {
    library = SymbolLookup.libraryLookup("libcuda.so.1", Arena.global());
    call("cuInit", 0);
    makeCurrent();
  }

  /** Adopts the device's primary context, which is libtorch's, for this thread. */
  private void makeCurrent() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment context = arena.allocate(ADDRESS);
      call("cuCtxGetCurrent", context);
      if (context.get(JAVA_LONG, 0) == 0) {
        call("cuDevicePrimaryCtxRetain", context, 0);
        call("cuCtxSetCurrent", context.get(ADDRESS, 0));
      }
    }
  }

  private MethodHandle handle(String name, Object... arguments) {
    return calls.computeIfAbsent(
        name,
        key -> {
          MemoryLayout[] layouts = new MemoryLayout[arguments.length];
          for (int i = 0; i < layouts.length; i++) {
            layouts[i] =
                switch (arguments[i]) {
                  case Integer _ -> JAVA_INT;
                  case Long _ -> JAVA_LONG;
                  default -> ADDRESS;
                };
          }
          return Linker.nativeLinker()
              .downcallHandle(
                  library.find(key).orElseThrow(() -> new CudaFailed(key + " is not there")),
                  FunctionDescriptor.of(JAVA_INT, layouts));
        });
  }

  private void call(String name, Object... arguments) {
    int code;
    try {
      code = (int) handle(name, arguments).invokeWithArguments(arguments);
    } catch (CudaFailed failed) {
      throw failed;
    } catch (Throwable thrown) {
      throw new IllegalStateException(name, thrown);
    }
    if (code != 0) {
      throw new CudaFailed("%s: error %d%s".formatted(name, code, text(code)));
    }
  }

  private String text(int code) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment text = arena.allocate(ADDRESS);
      int known = (int) handle("cuGetErrorString", code, text).invokeWithArguments(code, text);
      return known == 0 ? ", " + text.get(ADDRESS, 0).reinterpret(Long.MAX_VALUE).getString(0) : "";
    } catch (Throwable unknown) {
      return "";
    }
  }

  /** What a call gives back through its first argument. */
  private long made(String name, Object... more) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment out = arena.allocate(JAVA_LONG);
      Object[] arguments = new Object[more.length + 1];
      arguments[0] = out;
      System.arraycopy(more, 0, arguments, 1, more.length);
      call(name, arguments);
      return out.get(JAVA_LONG, 0);
    }
  }

  /** A module of PTX. */
  public long module(byte[] ptx) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment text = arena.allocate(ptx.length + 1L);
      MemorySegment.copy(MemorySegment.ofArray(ptx), 0, text, 0, ptx.length);
      return made("cuModuleLoadData", text);
    }
  }

  public long function(long module, String name) {
    try (Arena arena = Arena.ofConfined()) {
      return made("cuModuleGetFunction", module, arena.allocateFrom(name));
    }
  }

  /** The numbers of threads of a launch. */
  public record LaunchGrid(int x, int y, int z, int threads) {}

  /** Launches a kernel; arguments are what its parameters are copied from. */
  public void launch(long function, LaunchGrid grid, long stream, MemorySegment... arguments) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment pointers = arena.allocate(ADDRESS, arguments.length);
      for (int i = 0; i < arguments.length; i++) {
        pointers.setAtIndex(ADDRESS, i, arguments[i]);
      }
      call(
          "cuLaunchKernel",
          function,
          grid.x,
          grid.y,
          grid.z,
          grid.threads,
          1,
          1,
          0,
          stream,
          pointers,
          MemorySegment.NULL);
    }
  }

  /**
   * Launches as a graph that can be launched again: {@code first}, then {@code main} and {@code
   * side} side by side. Each is told its stream.
   */
  public long graph(LongConsumer first, LongConsumer main, LongConsumer side) {
    long stream = made("cuStreamCreate", NON_BLOCKING);
    long beside = made("cuStreamCreate", NON_BLOCKING);
    long fork = made("cuEventCreate", NO_TIMES);
    long join = made("cuEventCreate", NO_TIMES);
    try {
      call("cuStreamBeginCapture_v2", stream, THREAD_LOCAL);
      first.accept(stream);
      call("cuEventRecord", fork, stream);
      call("cuStreamWaitEvent", beside, fork, 0);
      main.accept(stream);
      side.accept(beside);
      call("cuEventRecord", join, beside);
      call("cuStreamWaitEvent", stream, join, 0);
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment graph = arena.allocate(JAVA_LONG);
        call("cuStreamEndCapture", stream, graph);
        long captured = graph.get(JAVA_LONG, 0);
        long ready = made("cuGraphInstantiateWithFlags", captured, 0L);
        call("cuGraphDestroy", captured);
        return ready;
      }
    } finally {
      call("cuEventDestroy_v2", join);
      call("cuEventDestroy_v2", fork);
      call("cuStreamDestroy_v2", beside);
      call("cuStreamDestroy_v2", stream);
    }
  }

  public void launchGraph(long graph, long stream) {
    call("cuGraphLaunch", graph, stream);
  }

  public void freeGraph(long graph) {
    call("cuGraphExecDestroy", graph);
  }

  public void freeModule(long module) {
    call("cuModuleUnload", module);
  }

  /** The driver refused. */
  public static final class CudaFailed extends RuntimeException {
    private static final long serialVersionUID = 1;

    public CudaFailed(String message) {
      super("CUDA: " + message);
    }
  }
}
