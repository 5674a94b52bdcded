package ngd.core.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.stream.IntStream;
import ngd.core.WorkFailed;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Oracle: what was written. */
class SealedNumbersTest {
  @TempDir private Path folder;

  @Test
  void read_anyPlaceFromManyThreads_isWhatWasWritten() {
    try (SealedNumbers file = SealedNumbers.in(folder)) {
      double[] first = IntStream.range(0, 20_000).mapToDouble(i -> Math.sin(i)).toArray();
      double[] second = {Double.NaN, -0.0, Double.MIN_VALUE, 1e300};
      long one = file.append(first, 0, first.length);
      long two = file.append(second, 0, second.length);
      boolean all =
          IntStream.range(0, 200)
              .parallel()
              .allMatch(
                  k -> {
                    double[] found = new double[500];
                    file.read(one + 2L * 40 * k, found, 100, 300);
                    return IntStream.range(0, 300)
                            .allMatch(i -> found[100 + i] == first[80 * k + i])
                        && found[99] == 0
                        && found[400] == 0;
                  });
      assertThat(all).isTrue();
      double[] last = new double[4];
      file.read(two, last, 0, 4);
      assertThat(last).isEqualTo(second);
    }
  }

  @Test
  void in_noFolderThatCanBe_saysSo() throws Exception {
    Path file = java.nio.file.Files.writeString(folder.resolve("file"), "");
    assertThatThrownBy(() -> SealedNumbers.in(file))
        .isInstanceOf(WorkFailed.class)
        .hasMessageContaining(file.toString());
  }
}
