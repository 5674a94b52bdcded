package ngd.library;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import ngd.core.algorithm.AlgorithmDescriptor;
import ngd.core.algorithm.Algorithms;
import org.junit.jupiter.api.Test;

/**
 * {@code docs/algorithms.md} names every algorithm, and its example is the one that is tested here.
 */
final class AlgorithmsPageTest {
  private static final Path PAGE = Path.of("../docs/algorithms.md");

  @Test
  void page_everyMethod_hasItsLine() throws IOException {
    String page = Files.readString(PAGE);
    for (AlgorithmDescriptor algorithm : Algorithms.all()) {
      assertThat(page).contains("`" + algorithm.name());
    }
  }

  @Test
  void page_example_isTheSourceHere() throws IOException {
    String text = Files.readString(Path.of("src/test/java/ngd/library/SmoothedNgd.java"));
    String body = text.substring(text.indexOf('\n', text.indexOf("// docs/algorithms.md")) + 1);
    assertThat(Files.readString(PAGE)).contains(body.strip());
  }

  @Test
  void all_methodNamedInServices_isFound() {
    Algorithms.Named named = Algorithms.parse("smoothed-ngd:0.3");
    assertThat(named.descriptor()).isInstanceOf(SmoothedNgd.class);
    assertThat(named.parameters()).containsExactly(0.3);
  }
}
