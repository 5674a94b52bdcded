package ngd.core.privacy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ngd.core.InvalidInput;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The oracle is the documented form. */
class PrivacyTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "epsilon=1.0,delta=1.0E-6,clip=1.0",
        "epsilon=2.0,delta=1.0E-5,clip=3.0,noise=correlated,colluders=2",
        "epsilon=2.0,delta=1.0E-5,clip=3.0,noise=correlated,colluders=1,own=0.25",
        "epsilon=2.0,delta=1.0E-5,clip=3.0,noise=central,colluders=1,bound=4.0,steps=5"
      })
  void spec_ofWhatWasRead_isWhatWasWritten(String text) {
    assertThat(Privacy.parse(text).spec()).isEqualTo(text);
    assertThat(Privacy.parse(Privacy.parse(text).spec())).isEqualTo(Privacy.parse(text));
  }

  @Test
  void parse_littleGiven_hasItsDefaults() {
    assertThat(Privacy.parse("epsilon=1,delta=1e-6").clip()).isEqualTo(1);
    assertThat(Privacy.parse("epsilon=1,delta=1e-6").noise()).isEqualTo(new Privacy.Noise.Local());
    assertThat(Privacy.parse("epsilon=1,delta=1e-6,noise=correlated").spec())
        .endsWith("noise=correlated,colluders=1");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "epsilon=1 | both epsilon and delta",
        "epsilon=1,delta=2 | delta must be in (0, 1)",
        "epsilon=x,delta=1e-6 | epsilon must be a number; got `x`",
        "epsilon=1,delta=1e-6,epsilon=2 | epsilon may be given once",
        "epsilon=1,delta=1e-6,own=0.5 | own does not go with noise=local",
        "epsilon=1,delta=1e-6,noise=pink | noise must be local",
        "epsilon=1,delta=1e-6,noise=correlated,colluders=0 | colluders must be at least 1",
        "epsilon=1,delta=1e-6,noise=correlated,colluders=1.5 | colluders must be a whole number",
        "epsilon=1,delta=1e-6,noise=correlated,own=2 | own must be a share"
      })
  void parse_whatCannotBe_saysWhatIsAllowedAndWhatWasFound(String text, String problem) {
    assertThatThrownBy(() -> Privacy.parse(text))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining(problem);
  }
}
