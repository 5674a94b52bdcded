package ngd.core.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import ngd.core.Fork;
import org.junit.jupiter.api.Test;

/** Oracle: this process, which has the Vector API. */
class WithoutVectorsTest {
  @Test
  void fit_withoutTheVectorApi_givesTheSameBitsAndSaysSoOnce() {
    String output = Fork.output(SmallFit.class, List.of());
    assertThat(Fork.line(output, "kernels")).isEqualTo("scalar");
    assertThat(Fork.line(output, "fit")).isEqualTo(SmallFit.digest());
    assertThat(output.split("--add-modules jdk.incubator.vector", -1)).hasSize(2);
  }

  @Test
  void fit_withTheVectorApi_saysNothingOfIt() {
    String output = Fork.output(SmallFit.class, List.of("--add-modules", "jdk.incubator.vector"));
    assertThat(Fork.line(output, "kernels")).startsWith("Vector API");
    assertThat(Fork.line(output, "fit")).isEqualTo(SmallFit.digest());
    assertThat(output).doesNotContain("--add-modules");
  }
}
