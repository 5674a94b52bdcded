package ngd.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The edits that take mendings out and plant bugs must fit the sources as they are. */
class EditsTest {
  private static final Path REPOSITORY = Path.of("").toAbsolutePath().getParent();

  private static final String LOOK =
      """
      . bench/edits.sh
      seen=0
      look() {
        seen=$((seen + 1))
        edited "$2" "$4" "$5" >/dev/null || printf '%s: must find its text once in %s\\n' "$1" "$2"
      }
      each_edit "$0" look
      ((seen > 20)) || printf 'only %s edits\\n' "$seen"
      """;

  @ParameterizedTest
  @ValueSource(strings = {"bench/unmended.txt", "bench/planted/catalogue.txt"})
  void edits_ofACatalogue_findTheirPlaces(String catalogue) throws Exception {
    Process process =
        new ProcessBuilder("bash", "-c", LOOK, catalogue)
            .directory(REPOSITORY.toFile())
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(said).isEmpty();
  }
}
