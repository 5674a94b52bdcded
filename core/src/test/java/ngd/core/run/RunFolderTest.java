package ngd.core.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import ngd.core.InvalidInput;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.descent.Ngd;
import ngd.core.data.Shards;
import ngd.core.linalg.Kernels;
import ngd.core.model.Linear;
import ngd.core.network.Network;
import ngd.core.question.FitKeys;
import ngd.core.question.Question;
import ngd.core.rows.Host;
import ngd.core.rows.Rows;
import ngd.core.rows.Workers;
import ngd.core.simulation.Measure;
import ngd.core.simulation.Run;
import ngd.core.simulation.Simulation;
import ngd.core.simulation.Trace;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The oracle is the disk itself: what is there before and after, and what reads back. */
class RunFolderTest {
  private static final int PART = RunFolder.CLIENTS_AT_ONCE;

  @TempDir private Path temporary;

  private static void write(RunFolder folder) {
    Shards shards = Shards.of(new double[][][] {{{1}, {3}}, {{2}}}, new double[][] {{1, 2}, {5}});
    Simulation simulation =
        Simulation.of(Network.of(new double[][] {{0, 1}, {1, 0}}), new Linear().over(shards));
    try (Run<Ngd.State> run = simulation.start(new Ngd(StepSize.constant(0.1)))) {
      Trace trace = Trace.of(run, 3, 2, Measure.consensus());
      SequencedMap<String, RunFolder.Content> files = new LinkedHashMap<>();
      files.put("theta.csv", RunFolder.theta(List.of("a,b"), run.theta(), 0));
      files.put("trace.csv", RunFolder.trace(trace));
      files.put("result.json", RunFolder.text(new JsonObject().put("rounds", 3)));
      Question question = Question.of(FitKeys.ALL, Map.of("data", "rows.csv", "response", "y"));
      folder.write(new Manifest("fit", "1", question, "here", 3, "abc"), files);
    }
  }

  /** Line by line, whatever is made at once: few clients, and about as many as a part has. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, PART - 1, PART, PART + 1, 5 * PART + 3})
  void theta_ofManyClients_hasALineForEachInTheirOrder(int clients) throws IOException {
    double[][] values = new double[clients][3];
    List<String> lines = new ArrayList<>(List.of("client,a,b,c"));
    for (int m = 0; m < clients; m++) {
      values[m] = new double[] {Math.sin(m), -m, m % 2 == 0 ? 1e-300 * m : 1e21 * m};
      lines.add("%d,%s,%s,%s".formatted(7 + m, values[m][0], values[m][1], values[m][2]));
    }
    Path file = temporary.resolve("theta.csv");
    Rows theta = new Host(Kernels.best(), new Workers(1)).of(values);
    RunFolder.theta(List.of("a", "b", "c"), theta, 7).writeTo(file);
    assertThat(Files.readString(file)).isEqualTo(String.join("\n", lines) + "\n");
  }

  @Test
  void write_newFolderBelowNew_holdsFourFilesAndNothingElse() throws IOException {
    Path folder = temporary.resolve("new/run");
    write(RunFolder.at(folder));
    try (var files = Files.list(folder)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder("theta.csv", "trace.csv", "result.json", "manifest.json");
    }
    List<String> theta = Files.readAllLines(folder.resolve("theta.csv"));
    assertThat(theta).hasSize(3);
    assertThat(theta.getFirst()).isEqualTo("client,\"a,b\"");
    assertThat(Files.readAllLines(folder.resolve("trace.csv")))
        .first()
        .isEqualTo("round,consensus");
    assertThat(Files.readAllLines(folder.resolve("trace.csv")))
        .extracting(line -> line.substring(0, line.indexOf(',')))
        .containsExactly("round", "0", "2", "3");
    JsonNode manifest = JsonMapper.shared().readTree(folder.resolve("manifest.json").toFile());
    assertThat(manifest.at("/data/sha256").asString()).isEqualTo("abc");
    assertThat(manifest.at("/machine/kernels").asString()).isNotEmpty();
  }

  @Test
  void at_newFolder_leavesTheDiskAsItWas() {
    assertThat(RunFolder.at(temporary.resolve("a/b/c")).path()).doesNotExist();
    assertThat(temporary).isEmptyDirectory();
  }

  @Test
  void at_anotherRun_isRefused() {
    Path folder = temporary.resolve("run");
    write(RunFolder.at(folder));
    assertThatThrownBy(() -> RunFolder.at(folder))
        .isInstanceOf(InvalidInput.class)
        .hasMessage("out: must be a new or empty folder; %s holds another run".formatted(folder));
  }

  @Test
  void at_folderInUseOrFile_isRefused() throws IOException {
    Path file = Files.writeString(temporary.resolve("x"), "");
    assertThatThrownBy(() -> RunFolder.at(temporary)).hasMessageContaining("holds `x`");
    assertThatThrownBy(() -> RunFolder.at(file)).hasMessageContaining("is a file");
    assertThatThrownBy(() -> RunFolder.at(file.resolve("run"))).isInstanceOf(InvalidInput.class);
  }

  @Test
  void at_placeThatCannotBeWritten_isRefused() {
    assertThatThrownBy(() -> RunFolder.at(Path.of("/proc/ngd/run")))
        .isInstanceOf(InvalidInput.class)
        .hasMessageStartingWith(
            "out: must be a folder that can be made and written; /proc/ngd/run");
  }

  @Test
  void put_notFiniteNumber_becomesNull() {
    String json =
        new JsonObject().put("a", Double.NaN).put("b", List.of(1.5, Double.POSITIVE_INFINITY)) + "";
    assertThat(JsonMapper.shared().readTree(json))
        .isEqualTo(JsonMapper.shared().readTree("{\"a\":null,\"b\":[1.5,null]}"));
  }
}
