package ngd.app;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/**
 * What a request to train must say. Oracle: the words of the documentation; trainings themselves
 * are tested where libtorch is.
 */
final class TrainCommandTest {
  private static final String REST =
      " --clients 4 --network circle:1 --alpha 0.1 --rounds 10 --model mlp";

  private static void refused(String line, String... parts) {
    Command run = Command.line("train " + line);
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).contains(parts).doesNotContain("at ngd.");
    assertThat(run.out()).isEmpty();
  }

  @Test
  void train_nothing_isToldAllThatIsMissing() {
    refused("--seed 1", "--model", "--data", "--clients", "--network", "--rounds", "--alpha");
  }

  @Test
  void train_data_wrongWords_areExplained() {
    refused("--data mnits:x" + REST, "`mnits` is unknown", "did you mean `mnist:DIR`");
    refused("--data src" + REST, "say what the folder holds, as in mnist:src");
    refused("--data mnist" + REST, "the form is `mnist:DIR`");
    refused("--data mnist:x --response y" + REST, "--response", "works only with a table");
    refused(
        "--data t.csv" + REST, "--response: must be given: the table's column with the classes");
    refused(
        "--data t.csv --response y --formula y~x" + REST,
        "--response: works only without --formula");
    refused("--data t.csv --response y --missing skip" + REST, "must be drop or fail");
  }

  @Test
  void train_aWholeRequest_needsTheModuleThatTrains() {
    refused("--data t.csv --response y" + REST, "needs the module `deep`");
    refused(
        "--data t.csv --response y --partition column:ward --network circle:1 --alpha 0.1"
            + " --rounds 10 --model mlp",
        "needs the module `deep`");
  }
}
