package ngd.core.linalg;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/**
 * A process that runs this machine's best kernels on the awkward cases, prints what they are and a
 * digest of all bits, and fails where they differ from the scalar twins or from one pass to the
 * next.
 */
final class KernelDigest {
  private KernelDigest() {}

  /** The argument is the number of passes. */
  public static void main(String[] arguments) {
    int[] rows = KernelCases.FEW_ROWS;
    int[] widths = KernelCases.FEW_WIDTHS;
    long expected = digest(new ScalarKernels(), rows, widths);
    for (int pass = 0; pass < Integer.parseInt(arguments[0]); pass++) {
      long found = digest(Kernels.best(), rows, widths);
      if (found != expected) {
        throw new AssertionError(
            "pass %d: %x, the scalar twins %x".formatted(pass, found, expected));
      }
    }
    PrintStream out =
        new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
    out.println("kernels " + Kernels.best().description());
    out.println("digest " + Long.toHexString(expected));
  }

  static long digest(Kernels kernels, int[] rows, int[] widths) {
    CRC32C sum = new CRC32C();
    long[] mixed = {0};
    KernelCases.all(
        kernels,
        rows,
        widths,
        (name, out) -> {
          for (double value : out) {
            long bits = Double.doubleToRawLongBits(value);
            mixed[0] = Long.rotateLeft(mixed[0] ^ bits, 23) * 0x9e3779b97f4a7c15L;
          }
          sum.update((int) mixed[0]);
        });
    return mixed[0] ^ sum.getValue();
  }
}
