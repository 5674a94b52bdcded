package ngd.studies.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class VerdictTest {
  @Test
  void of_allSomeOrNoCasesAgreeing_saysSo() {
    assertThat(Verdict.of(3, 3)).isEqualTo(Verdict.SUPPORTED);
    assertThat(Verdict.of(1, 3)).isEqualTo(Verdict.IN_PART);
    assertThat(Verdict.of(0, 3)).isEqualTo(Verdict.NOT_SUPPORTED);
  }

  @Test
  void of_noCases_isNoSupport() {
    assertThat(Verdict.of(0, 0)).isEqualTo(Verdict.NO_CASES);
    assertThat(Verdict.of(0, 0).words()).isEqualTo("no cases");
  }

  @Test
  void most_byMoreThanHalf_isSupported() {
    assertThat(Verdict.most(3, 4)).isEqualTo(Verdict.SUPPORTED);
    assertThat(Verdict.most(2, 4)).isEqualTo(Verdict.IN_PART);
    assertThat(Verdict.most(0, 4)).isEqualTo(Verdict.NOT_SUPPORTED);
    assertThat(Verdict.most(0, 0)).isEqualTo(Verdict.NO_CASES);
  }

  @Test
  void of_moreThanThereAre_isABug() {
    assertThatThrownBy(() -> Verdict.of(2, 1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Verdict.of(-1, 1)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void claim_onThePageAndInTheFile_isTheSame() {
    Html html = new Html();
    html.claim(new Claim("a < b", Verdict.IN_PART, "1 & 2"));
    assertThat(html.toString())
        .contains("verdict in_part\">supported in part</span> <q>a &lt; b</q>", "1 &amp; 2");
    assertThat(Section.claims(List.of(new Section("title", html))).toString())
        .contains("\"title\"", "a < b", "supported in part", "1 & 2");
  }
}
