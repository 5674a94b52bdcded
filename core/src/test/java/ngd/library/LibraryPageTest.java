package ngd.library;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import ngd.core.simulation.Trace;
import org.junit.jupiter.api.Test;

/** The programs of {@code docs/library.md} compile, run, and stand there as they stand here. */
final class LibraryPageTest {
  private static final Path SOURCES = Path.of("src/test/java/ngd/library");
  private static final Path PAGE = Path.of("../docs/library.md");

  @Test
  void linearExample_run_nearsThePooledEstimate() {
    Trace trace = LinearExample.run();
    assertThat(trace.last("distance")).isLessThan(0.1 * trace.value(0, "distance"));
  }

  /** The oracle: least absolute deviations fit the five clean rows exactly. */
  @Test
  void ownLossExample_oneWildRow_slopeStaysTwo() {
    for (double slope : OwnLossExample.run()) {
      assertThat(slope).isCloseTo(2, within(0.1));
    }
  }

  @Test
  void page_examples_areTheSourcesHere() throws IOException {
    String page = Files.readString(PAGE);
    for (String example : List.of("LinearExample", "OwnLossExample")) {
      assertThat(page).contains(shown(SOURCES.resolve(example + ".java")));
    }
  }

  /** What follows the marker, to the end of the class, two blanks less indented. */
  private static String shown(Path source) throws IOException {
    String text = Files.readString(source);
    String body = text.substring(text.indexOf('\n', text.indexOf("// docs/library.md")) + 1);
    return body.substring(0, body.lastIndexOf('}')).stripTrailing().indent(-2).strip();
  }
}
