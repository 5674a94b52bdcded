package ngd.app.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import ngd.app.Command;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The oracle is the same command with flags: a file must say exactly what they say. */
class ConfigFileTest {
  @TempDir private Path folder;

  private static final String FLAGS =
      "fit --simulate linear --rows 60 --clients 6 --network circle:1 --alpha 0.1,0.05@3 --rounds 5 --format json";

  @BeforeEach
  void writeData() throws IOException {
    Files.writeString(
        folder.resolve("d.csv"), "y,a,b\n1,2,3\n2,1,1\n4,4,2\n3,0,5\n0,1,7\n2,2,2\n1,3,8\n5,5,1\n");
    Files.writeString(folder.resolve("e.csv"), "client,hears\n0,1\n1,0\n");
  }

  private Command fit(String yaml, String... flags) throws IOException {
    Path file = Files.writeString(folder.resolve("fit.yaml"), yaml);
    String[] args = new String[flags.length + 2];
    args[0] = "fit";
    args[1] = file.toString();
    System.arraycopy(flags, 0, args, 2, flags.length);
    return Command.run(args);
  }

  @Test
  void fit_fileInsteadOfFlags_printsTheSame() throws IOException {
    Command byFile =
        fit(
            """
            simulate: linear
            rows: 60
            clients: 6
            network: circle:1
            alpha: [0.1, 0.05@3]
            rounds: 5
            format: json
            """);
    assertThat(byFile).isEqualTo(Command.line(FLAGS));
    assertThat(byFile.code()).isEqualTo(0);
  }

  @Test
  void fit_flagAndKey_flagWins() throws IOException {
    String yaml =
        "{simulate: linear, rows: 60, clients: 6, network: 'circle:1', alpha: '0.1,0.05@3', rounds: 4711, format: json}";
    assertThat(fit(yaml, "--rounds", "5")).isEqualTo(Command.line(FLAGS));
  }

  @Test
  void fit_pathsInFile_areRelativeToIt() throws IOException {
    Command byFile =
        fit(
            """
            data: d.csv
            response: y
            features: [b]
            no-intercept: true
            clients: 2
            network: file:e.csv
            alpha: 0.01
            rounds: 5
            out: run
            """);
    assertThat(byFile.err()).isEmpty();
    assertThat(folder.resolve("run/theta.csv")).content().startsWith("client,b\n");
  }

  @Test
  void fit_unknownKeys_namesTheLineAndTheNearest() throws IOException {
    Command wrong = fit("alpha: 0.1\ncleints: 3\nnoise: 1\n");
    String file = folder.resolve("fit.yaml").toString();
    assertThat(wrong.code()).isEqualTo(2);
    assertThat(wrong.errors())
        .containsExactly(
            "ngd fit: %s, line 2: unknown key `cleints`; did you mean `clients`?".formatted(file),
            "ngd fit: %s, line 3: unknown key `noise`".formatted(file));
  }

  @Test
  void fit_wrongTypes_namesKeyAndLine() throws IOException {
    String file = folder.resolve("fit.yaml").toString();
    assertThat(fit("rounds: [1, 2]\nclients: {a: 1}\nno-intercept: 3\nalpha:\n").errors())
        .containsExactlyInAnyOrder(
            "ngd fit: %s, line 1: rounds: takes one value, not a list".formatted(file),
            "ngd fit: %s, line 2: clients: takes a value, not keys of its own".formatted(file),
            "ngd fit: %s, line 3: no-intercept: must be true or false; got `3`".formatted(file),
            "ngd fit: %s, line 4: alpha: has no value".formatted(file));
    assertThat(fit("alpha: 0.1\nrounds: many\n").errors())
        .contains(
            "ngd fit: %s, line 2: rounds: must be a whole number up to 2147483647; got `many`"
                .formatted(file));
  }

  @Test
  void fit_noYaml_saysSo() throws IOException {
    assertThat(fit("a: [1\n").err()).contains("fit.yaml, line").contains("is not YAML");
    assertThat(fit("- 1\n").err()).contains("must hold keys and values");
    assertThat(Command.run("fit", "missing.yaml").errors())
        .containsExactly("ngd fit: missing.yaml: must be a YAML file; it does not exist");
  }
}
