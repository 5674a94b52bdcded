package ngd.app.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import ngd.app.Command;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The oracle is the text of the design, section 5: exit codes, and errors that help. */
class SyntaxTest {
  @Test
  void run_help_printsUsageOnStandardOutput() {
    Command help = Command.run("--help");
    assertThat(help.code()).isEqualTo(0);
    assertThat(help.out()).contains("Usage: ngd", "network", "check", "fit", "bench");
    assertThat(help.err()).isEmpty();
  }

  @Test
  void run_version_printsIt() {
    assertThat(Command.run("--version").out()).startsWith("ngd ");
  }

  @Test
  void run_noCommand_asksForOneAndFails() {
    Command none = Command.run();
    assertThat(none.code()).isEqualTo(2);
    assertThat(none.out()).isEmpty();
    assertThat(none.err()).startsWith("ngd: a command must be given").contains("fit");
  }

  @ParameterizedTest
  @CsvSource({
    "netwrk, network",
    "fitt, fit",
    "chekc, check",
  })
  void run_unknownCommand_offersTheNearest(String typed, String meant) {
    Command wrong = Command.run(typed);
    assertThat(wrong.code()).isEqualTo(2);
    assertThat(wrong.errors())
        .singleElement()
        .asString()
        .startsWith(
            "ngd: unknown command `%s`; did you mean `%s`? (there are: ".formatted(typed, meant));
  }

  @Test
  void run_unknownOptions_offersTheNearestOfEach() {
    Command wrong = Command.line("fit --alhpa 0.1 --cleints=3");
    assertThat(wrong.code()).isEqualTo(2);
    assertThat(wrong.errors())
        .containsExactlyInAnyOrder(
            "ngd fit: unknown option `--alhpa`; did you mean `--alpha`?",
            "ngd fit: unknown option `--cleints`; did you mean `--clients`?");
  }

  @Test
  void run_severalWrongValues_namesThemAll() {
    Command wrong = Command.line("fit --rounds many --clients 2.5 --format xml");
    assertThat(wrong.code()).isEqualTo(2);
    assertThat(wrong.errors())
        .containsExactlyInAnyOrder(
            "ngd fit: --rounds: must be a whole number up to 2147483647; got `many`",
            "ngd fit: --clients: must be a whole number up to 2147483647; got `2.5`",
            "ngd fit: --format: must be text or json; got `xml`");
  }

  @Test
  void run_optionTwice_isRefused() {
    assertThat(Command.line("fit --seed 1 --seed 2").errors())
        .containsExactly("ngd fit: --seed: may be given once");
  }

  @Test
  void run_optionWithoutValue_saysWhatIsMissing() {
    assertThat(Command.line("fit --alpha").errors())
        .containsExactly("ngd fit: --alpha: needs a value, A");
  }

  @Test
  void run_wrongRequestWithDebug_showsWhere() {
    assertThat(Command.line("fit --rounds -1").err()).doesNotContain("\tat ");
    assertThat(Command.line("fit --rounds -1 --debug").err()).contains("\tat ngd.app.");
  }
}
