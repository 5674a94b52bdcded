package ngd.core.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import ngd.core.InvalidInput;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The oracle is the files' own text. */
class StoredRunTest {
  @TempDir private Path folder;

  @BeforeEach
  void write() throws IOException {
    Files.writeString(folder.resolve("manifest.json"), "{\"command\": \"fit\"}");
    Files.writeString(folder.resolve("result.json"), "{\"rounds\": 2}");
    Files.writeString(folder.resolve("trace.csv"), "round,distance\n0,1.5\n2,0.25\n");
  }

  @Test
  void read_aWholeFolder_givesWhatItHolds() {
    StoredRun run = StoredRun.read(folder);
    assertThat(run.manifest().get("command").asString()).isEqualTo("fit");
    assertThat(run.result().get("rounds").asInt()).isEqualTo(2);
    StoredTrace trace = run.traces().getFirst();
    assertThat(trace.columns()).containsExactly("distance");
    assertThat(trace.size()).isEqualTo(2);
    assertThat(trace.round(1)).isEqualTo(2);
    assertThat(trace.value(1, "distance")).isEqualTo(0.25);
  }

  @Test
  void read_tracesOfSeveralAlgorithms_areToldApart() throws IOException {
    Files.writeString(
        folder.resolve("trace.csv"), "algorithm,round,bytes\nngd,0,0\nngd,5,10\nextra,0,7\n");
    List<StoredTrace> traces = StoredRun.read(folder).traces();
    assertThat(traces).extracting(StoredTrace::name).containsExactly("ngd", "extra");
    assertThat(traces.get(1).value(0, "bytes")).isEqualTo(7);
  }

  @Test
  void read_aRunWithoutTrace_isWhole() throws IOException {
    Files.delete(folder.resolve("trace.csv"));
    Files.writeString(folder.resolve("theta.csv"), "client,x\n0,1\n");
    assertThat(StoredRun.read(folder).traces()).isEmpty();
  }

  @Test
  void read_whateverIsDamaged_namesTheFileAndTheFault() throws IOException {
    refuses("trace.csv", "round,distance\n0,1.5\n2\n", "trace.csv, line 3: must have 2 columns");
    refuses("trace.csv", "round,distance\n0,x\n", "column `distance`: must be a number; got `x`");
    refuses("trace.csv", "a,b\n", "the header must have a column `round`");
    refuses("trace.csv", "round,distance\n", "must hold at least one measurement");
    refuses("manifest.json", "{\"command\": ", "manifest.json: is not JSON");
    refuses("manifest.json", "[]", "must hold a JSON object");
    Files.delete(folder.resolve("result.json"));
    assertThatThrownBy(() -> StoredRun.read(folder))
        .isInstanceOf(InvalidInput.class)
        .hasMessageEndingWith("result.json: is missing");
  }

  private void refuses(String file, String text, String message) throws IOException {
    String before = Files.readString(folder.resolve(file));
    Files.writeString(folder.resolve(file), text);
    assertThatThrownBy(() -> StoredRun.read(folder))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining(message);
    Files.writeString(folder.resolve(file), before);
  }
}
