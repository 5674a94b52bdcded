package ngd.core.linalg;

import java.lang.System.Logger.Level;

/** Picks the kernels once a process. */
final class KernelChoice {
  static final Kernels BEST = choose();

  static final TileKernels TILES =
      BEST instanceof ScalarKernels ? new ScalarTiles() : new VectorTiles();

  private KernelChoice() {}

  private static Kernels choose() {
    // Without the optimising compiler, as short runs are started, vectors are objects and slow.
    if (System.getProperty("ngd.kernels", "").equals("scalar")) {
      return new ScalarKernels();
    }
    if (ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent()) {
      return new VectorKernels();
    }
    System.getLogger("ngd")
        .log(
            Level.WARNING,
            "the Vector API is not available: scalar kernels give the same results, several times"
                + " slower; start java with --add-modules jdk.incubator.vector");
    return new ScalarKernels();
  }
}
