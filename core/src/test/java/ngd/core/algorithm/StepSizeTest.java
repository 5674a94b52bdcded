package ngd.core.algorithm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import ngd.core.InvalidInput;
import org.junit.jupiter.api.Test;

/** Oracle: the schedules' definitions (rounds count from 0). */
class StepSizeTest {
  @Test
  void at_schedule_changesExactlyAtItsCuts() {
    StepSize alpha = StepSize.parse("0.01,0.005@1000,0.001@4000");
    assertThat(alpha.at(0)).isEqualTo(0.01);
    assertThat(alpha.at(999)).isEqualTo(0.01);
    assertThat(alpha.at(1000)).isEqualTo(0.005);
    assertThat(alpha.at(3999)).isEqualTo(0.005);
    assertThat(alpha.at(4000)).isEqualTo(0.001);
    assertThat(alpha.at(Integer.MAX_VALUE)).isEqualTo(0.001);
  }

  @Test
  void largest_anySchedule_isTheLargestOfAllRounds() {
    assertThat(StepSize.parse("0.01,0.05@10,0.02@20").largest()).isEqualTo(0.05);
    assertThat(StepSize.parse("0.5/t").largest()).isEqualTo(0.5);
    assertThat(StepSize.parse("0.3").largest()).isEqualTo(0.3);
  }

  @Test
  void at_polynomial_isAlphaOverAPowerOfTheRound() {
    assertThat(StepSize.parse("0.5/t").at(0)).isEqualTo(0.5);
    assertThat(StepSize.parse("0.5/t").at(4)).isEqualTo(0.1);
    assertThat(StepSize.parse("0.5/sqrt(t)").at(3)).isEqualTo(0.25);
    assertThat(StepSize.parse("0.5/t^0.75").at(15)).isCloseTo(0.5 / 8, within(1e-16));
    assertThat(StepSize.parse("0.5/t").at(Integer.MAX_VALUE)).isPositive();
  }

  /** Oracle: each of the two schedules in its own rounds; and the words read back. */
  @Test
  void until_aRound_isTheOneBeforeItAndTheOtherFromThereOn() {
    for (String before : new String[] {"0.1", "0.1,0.2@3", "0.1,0.2@3,0.05@7"}) {
      for (String after : new String[] {"0.1", "0.4", "0.4,0.3@2,0.6@8"}) {
        StepSize first = StepSize.parse(before);
        StepSize next = StepSize.parse(after);
        for (int change = 0; change < 10; change++) {
          StepSize whole = first.until(change, next);
          assertThat(StepSize.parse(whole.toString())).isEqualTo(whole);
          for (int round = 0; round < 12; round++) {
            assertThat(whole.at(round))
                .as("%s until %d, then %s, in %d", before, change, after, round)
                .isEqualTo((round < change ? first : next).at(round));
          }
        }
      }
    }
    assertThat(StepSize.parse("0.5/t").until(0, StepSize.parse("0.1"))).hasToString("0.1");
    assertThatThrownBy(() -> StepSize.parse("0.5/t").until(3, StepSize.parse("0.1")))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("in mid-run it changes between numbers");
  }

  @Test
  void parse_spaces_areAllowedAndItsWordsReadBack() {
    for (String text :
        new String[] {"0.01", "1e-3", "0.01,0.005@1000,0.001@4000", "0.5/t^1", "0.5/t^0.5"}) {
      StepSize read = StepSize.parse(" " + text.replace(",", " , ") + " ");
      assertThat(read).isEqualTo(StepSize.parse(text));
      assertThat(StepSize.parse(read.toString())).isEqualTo(read);
    }
  }

  @Test
  void toString_smallNumbers_areWrittenOut() {
    assertThat(StepSize.parse("0.002,5e-4@1920")).hasToString("0.002,0.0005@1920");
    assertThat(StepSize.parse("1e-5")).hasToString("0.00001");
    assertThat(StepSize.parse("0.25")).hasToString("0.25");
  }

  @Test
  void parse_anythingElse_isRefusedWithWhatWasFound() {
    for (String text :
        new String[] {
          "",
          "x",
          "0",
          "-1",
          "NaN",
          "Infinity",
          "0.1,",
          "0.1,0.05",
          "0.1@5",
          "0.1,0.05@",
          "@3",
          "0.1,0.05@2.5",
          "0.1,0.05@-3",
          "0.1,0.05@0",
          "0.1,0.05@9,0.01@9",
          "0.1,0.05@9,0.01@8",
          "0.1,0@9",
          "0.1/x",
          "0.1/t^",
          "0.1/t^0",
          "0.1/t^2",
          "/t",
          "0.1,0.05@1@2",
          "0.1,0.05@NaN",
          "0.1,0.05@3000000000",
          "0.1/t^NaN",
          "1e999"
        }) {
      assertThatThrownBy(() -> StepSize.parse(text))
          .as("`%s`", text)
          .isInstanceOf(InvalidInput.class)
          .hasMessageStartingWith("alpha: ")
          .hasMessageContaining("got ");
    }
  }
}
