package ngd.core.algorithm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import ngd.core.InvalidInput;
import ngd.core.algorithm.personal.Collaborative;
import org.junit.jupiter.api.Test;

/** Oracle: the table of methods that the project set out to have. */
class AlgorithmsTest {
  private static final List<String> NAMES =
      List.of(
          "ngd",
          "balanced-ngd",
          "dgd",
          "d-psgd",
          "d2",
          "diging",
          "push-diging",
          "extra",
          "exact-diffusion",
          "push-pull",
          "sgp",
          "cfa",
          "cfa-ge",
          "dual-averaging",
          "model-propagation",
          "collaborative",
          "bayesian",
          "early-stopped",
          "fedavg",
          "nids",
          "aug-dgm",
          "atc",
          "atc-tracking",
          "simple-gt",
          "gt-vr",
          "atg",
          "relaxed-admm",
          "heavy-ball",
          "nesterov",
          "abm",
          "abn",
          "qg-dsgdm",
          "wang-elia",
          "k-gt",
          "local-diging",
          "led",
          "proxskip",
          "d-admm",
          "dlm",
          "dinno",
          "lt-admm",
          "lt-admm-vr",
          "gt-saga",
          "gt-svrg",
          "gt-sarah",
          "fedprox",
          "fednova",
          "fedadam",
          "fedyogi",
          "fedadagrad",
          "feddyn",
          "fedpd",
          "fedlt",
          "scaffold",
          "scaffnew");

  @Test
  void all_namesOfTheField_areThereAndMakeWhatTheySay() {
    assertThat(Algorithms.all().stream().map(AlgorithmDescriptor::name).toList())
        .containsAll(NAMES);
    for (String name : NAMES) {
      for (boolean linear : new boolean[] {true, false}) {
        AlgorithmChoice choice = AlgorithmChoice.of(name, StepChoice.parse("0.1"));
        assertThat(choice.algorithm(GradientScales.NONE, linear, StepLimit.TWO))
            .as(name)
            .isNotNull();
        assertThat(choice.spec()).isEqualTo(name);
      }
    }
  }

  @Test
  void parse_numbersAfterTheColon_areTheParameters() {
    Algorithms.Named named = Algorithms.parse("collaborative:3:0.25");
    assertThat(named.parameters()).containsExactly(3.0, 0.25);
    AlgorithmChoice choice = AlgorithmChoice.of("collaborative:3:0.25", new StepChoice.None());
    assertThat(choice.spec()).isEqualTo("collaborative:3:0.25");
    assertThat(choice.algorithm(GradientScales.NONE, true, StepLimit.TWO))
        .isEqualTo(new Collaborative(3, 0.25, GradientScales.NONE));
  }

  @Test
  void parse_wrongWords_saysWhatIsAllowed() {
    assertThatThrownBy(() -> Algorithms.parse("exta"))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("did you mean `extra`");
    assertThatThrownBy(() -> Algorithms.parse("cfa:x"))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("E must be a number; got `x`");
    assertThatThrownBy(() -> Algorithms.parse("cfa:1:2")).isInstanceOf(InvalidInput.class);
    assertThatThrownBy(() -> Algorithms.parse("dgd:1")).isInstanceOf(InvalidInput.class);
  }

  @Test
  void make_noStepSize_isRefusedWhereOneIsNeeded() {
    AlgorithmChoice choice = AlgorithmChoice.of("dgd", new StepChoice.None());
    assertThat(choice.problems()).containsExactly("alpha: `dgd` needs a learning rate");
    assertThatThrownBy(() -> choice.algorithm(GradientScales.NONE, true, StepLimit.TWO))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("alpha: must be given");
  }

  @Test
  void gradientScales_notPositive_areRefused() {
    assertThatThrownBy(() -> GradientScales.of(1, 0))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("client 1");
    assertThat(GradientScales.of(1, 1)).isSameAs(GradientScales.NONE);
  }
}
