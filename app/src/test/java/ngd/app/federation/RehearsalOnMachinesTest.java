package ngd.app.federation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Exchanger;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import ngd.app.Command;
import ngd.app.QuickStart;
import ngd.app.SiteTables;
import ngd.app.terminal.Console;
import ngd.app.terminal.OwnProcess;
import ngd.core.WorkFailed;
import ngd.core.data.TableAddress;
import ngd.studies.engine.Machines;
import ngd.studies.engine.Meeting;
import ngd.studies.engine.PartFailed;
import ngd.studies.engine.PartProcess;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A rehearsal in two parts, each a process with peers of its own that meets the other one, as on
 * two machines of a cluster. The oracle of numbers is the simulator.
 */
@ExtendWith(QuickStart.class)
class RehearsalOnMachinesTest {
  private static final int ROUNDS = 600;

  @TempDir Path dir;
  private SiteTables tables = new SiteTables(List.of());

  @BeforeEach
  void tables() throws Exception {
    tables = SiteTables.in(dir);
  }

  @Test
  void run_twoParts_endWithTheSimulatorsBitsAndWithoutKeys() throws Exception {
    Path folder = Files.createDirectory(dir.resolve("rehearsal"));
    StringWriter said = new StringWriter();
    RehearsalReport report =
        new RehearsalRun(console(said))
            .run(
                new TwoMachines(dir),
                folder,
                tables.plan("ring:1", "balanced-ngd", ROUNDS).text(tables.sites()),
                tables.data(),
                Optional.of("b"));

    assertThat(report.agree()).isFalse();
    assertThat(report.machines()).isEqualTo(2);
    double[][] expected = tables.simulated(report.plan().plan().network(), "balanced-ngd", ROUNDS);
    for (int m = 0; m < expected.length; m++) {
      JsonNode found = report.results().get(m).path("coefficients");
      for (int j = 0; j < expected[m].length; j++) {
        assertThat(found.get(j).path("estimate").asDouble()).isEqualTo(expected[m][j]);
      }
    }
    assertThat(report.story())
        .anyMatch(line -> line.startsWith("at 127.0.0.1: ") && line.contains(" a, c"))
        .anyMatch(line -> line.startsWith("at 127.0.0.2: ") && line.endsWith("for each of b"))
        .anyMatch(line -> line.startsWith("at 127.0.0.2: b was killed"));
    try (Stream<Path> files = Files.walk(folder)) {
      assertThat(files.map(file -> String.valueOf(file.getFileName())))
          .contains("result.json", "log.err", "a.csr")
          .noneMatch(name -> name.endsWith(".key"));
    }
    assertThat(report.write(folder)).content().contains("a federation on 2 machines");
    assertNothingLeft();
  }

  @Test
  void run_onePeerFails_endsAllAndSaysWhichAndWhere() throws Exception {
    Path folder = Files.createDirectory(dir.resolve("rehearsal"));
    List<TableAddress> data = new ArrayList<>(tables.data());
    data.set(1, TableAddress.of("b", dir.resolve("nowhere.csv").toString()));
    assertThatThrownBy(
            () ->
                new RehearsalRun(console(new StringWriter()))
                    .run(
                        new TwoMachines(dir),
                        folder,
                        tables.plan("ring:1", "balanced-ngd", ROUNDS).text(tables.sites()),
                        data,
                        Optional.empty()))
        .isInstanceOf(WorkFailed.class)
        .hasMessageContaining("at 127.0.0.2: the peer of b ended with 2")
        .hasMessageContaining("nowhere.csv");
    assertNothingLeft();
  }

  /** Keys and states are gone with the parts that made them, and so are their peers. */
  private void assertNothingLeft() throws IOException {
    try (Stream<Path> left = Files.list(dir)) {
      assertThat(left.map(file -> String.valueOf(file.getFileName())))
          .noneMatch(name -> name.startsWith("rehearsal-"));
    }
    assertThat(ProcessHandle.current().descendants()).isEmpty();
  }

  /** Whoever runs a machine of the cluster must not reach this one's files by what it answers. */
  @Test
  void found_fileOutsideOfTheRehearsal_isRefusedAndNotWritten() throws Exception {
    Path folder = Files.createDirectory(dir.resolve("rehearsal"));
    Path aim = dir.resolve("aim.txt");
    for (String name : List.of("../../aim.txt", aim.toString(), "a/../../../aim.txt")) {
      String said =
          JsonMapper.shared()
              .createObjectNode()
              .put("host", "there")
              .set("files", JsonMapper.shared().createObjectNode().put(name, "YQ=="))
              .toString();
      assertThatThrownBy(() -> RehearsalPart.found(said, folder))
          .isInstanceOf(WorkFailed.class)
          .hasMessageContaining(name);
    }
    assertThat(aim).doesNotExist();
  }

  @Test
  void rehearse_onAClusterThatIsNotThere_saysWhatCanBeGiven() throws Exception {
    Path plan = dir.resolve("plan.yaml");
    Files.writeString(plan, tables.plan("ring:1", "balanced-ngd", ROUNDS).text(tables.sites()));
    List<String> words = new ArrayList<>(List.of("federation", "rehearse", plan.toString()));
    for (TableAddress table : tables.data()) {
      words.addAll(List.of("--data", table.site() + "=" + table.location()));
    }
    words.addAll(List.of("--query", tables.data().getFirst().query().orElseThrow()));
    words.addAll(List.of("--out", dir.resolve("out").toString(), "--on"));
    Command wrong = on("mars", words);
    assertThat(wrong.code()).isEqualTo(2);
    assertThat(wrong.err()).contains("must be local, spark://HOST:PORT").contains("got `mars`");
    Command absent = on("spark://localhost:1", words);
    assertThat(absent.code()).isEqualTo(2);
    assertThat(absent.err()).contains("needs the Spark module");
  }

  private static Command on(String where, List<String> words) {
    return Command.run(Stream.concat(words.stream(), Stream.of(where)).toArray(String[]::new));
  }

  private static Console console(StringWriter said) {
    OutputStream out =
        new OutputStream() {
          @Override
          public void write(int letter) {
            said.write(letter);
          }
        };
    return new Console(out, out, false);
  }

  /** Two parts on this machine, at two addresses of its loopback. */
  private record TwoMachines(Path folder) implements Machines {
    @Override
    public String description() {
      return "two parts";
    }

    @Override
    public List<String> run(List<Path> jars, List<String> program, int most, String work) {
      List<String> command = new ArrayList<>(OwnProcess.command(List.of(), program));
      // The main class is the first word of the program too.
      command.remove(program.getFirst());
      Exchanger<String> exchanger = new Exchanger<>();
      AtomicBoolean failed = new AtomicBoolean();
      try (ExecutorService parts = Executors.newVirtualThreadPerTaskExecutor()) {
        List<Future<String>> running = new ArrayList<>();
        for (int part = 0; part < 2; part++) {
          Part meeting = new Part(part, exchanger);
          running.add(
              parts.submit(
                  () -> {
                    try {
                      return PartProcess.run(command, folder, meeting, work, failed::get);
                    } catch (PartFailed own) {
                      if (failed.getAndSet(true)) {
                        return "";
                      }
                      throw own;
                    }
                  }));
        }
        List<String> found = new ArrayList<>();
        for (Future<String> part : running) {
          found.add(part.get());
        }
        return found;
      } catch (ExecutionException e) {
        throw new WorkFailed(String.valueOf(e.getCause().getMessage()), e);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public void close() {}
  }

  private record Part(int part, Exchanger<String> exchanger) implements Meeting {
    @Override
    public int parts() {
      return 2;
    }

    @Override
    public String host() {
      return "127.0.0." + (part + 1);
    }

    @Override
    public List<String> gather(String said) {
      try {
        String other = exchanger.exchange(said, 1, TimeUnit.MINUTES);
        return part == 0 ? List.of(said, other) : List.of(other, said);
      } catch (InterruptedException | TimeoutException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
