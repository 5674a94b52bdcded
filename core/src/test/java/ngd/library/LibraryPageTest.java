package ngd.library;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import ngd.core.data.PaperModel;
import ngd.core.inference.Coefficient;
import ngd.core.model.GlobalEstimate;
import ngd.core.model.Logistic;
import ngd.core.random.Streams;
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

  /** The oracle: maximum likelihood on all rows by QR, without a network. */
  @Test
  void pooledExample_run_isThePooledEstimate() {
    double[] pooled =
        GlobalEstimate.of(new Logistic(), PaperModel.LOGISTIC.shards(10, 200, Streams.of(7)))
            .theta();
    List<Coefficient> found = PooledExample.run().coefficients();
    for (int j = 0; j < pooled.length; j++) {
      assertThat(found.get(j).estimate())
          .isCloseTo(pooled[j], within(0.01 * found.get(j).standardError()));
    }
  }

  @Test
  void page_examples_areTheSourcesHere() throws IOException {
    String page = Files.readString(PAGE);
    for (String example : List.of("LinearExample", "OwnLossExample", "PooledExample")) {
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
