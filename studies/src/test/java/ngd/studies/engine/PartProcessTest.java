package ngd.studies.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import ngd.core.InvalidInput;
import ngd.core.WorkFailed;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Parts as real processes, which meet in this one. */
class PartProcessTest {
  @TempDir Path folder;

  @Test
  void run_partsThatMeetTwice_hearAllInTheOrderOfTheParts() throws Exception {
    try (ExecutorService parts = Executors.newVirtualThreadPerTaskExecutor()) {
      Round round = new Round(3);
      List<Future<String>> found = new ArrayList<>();
      for (int part = 0; part < 3; part++) {
        Meeting meeting = round.of(part);
        found.add(
            parts.submit(() -> PartProcess.run(program(), folder, meeting, "ä\nß", () -> false)));
      }
      for (int part = 0; part < 3; part++) {
        assertThat(found.get(part).get())
            .isEqualTo(
                "%d ä\nß [0 host-0, 1 host-1, 2 host-2] [again 0, again 1, again 2]"
                    .formatted(part));
      }
    }
  }

  @Test
  void run_partThatFails_saysWhereAndWhy() {
    assertThatThrownBy(() -> alone("wrong"))
        .isInstanceOf(PartFailed.class)
        .hasMessage("at host-0: the work: must be right; got `wrong`");
    assertThatThrownBy(() -> alone("lost"))
        .isInstanceOf(PartFailed.class)
        .hasMessage("at host-0: the disk is full");
    assertThatThrownBy(() -> alone("halt"))
        .isInstanceOf(PartFailed.class)
        .hasMessage("at host-0: its process ended before it had found anything");
  }

  @Test
  void run_partThatIsNotWanted_isEndedAtOnce() throws Exception {
    AtomicBoolean unwanted = new AtomicBoolean();
    try (ExecutorService parts = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<String> endless =
          parts.submit(
              () ->
                  PartProcess.run(program(), folder, new Round(1).of(0), "endless", unwanted::get));
      Thread.sleep(Duration.ofMillis(500));
      assertThat(endless.isDone()).isFalse();
      unwanted.set(true);
      assertThatThrownBy(() -> endless.get(30, TimeUnit.SECONDS))
          .isInstanceOf(ExecutionException.class)
          .hasCauseInstanceOf(PartFailed.class);
    }
  }

  /** Whoever started it may be killed: nothing may stay behind. */
  @Test
  void ownPart_whoseStarterIsGone_isAbandoned() throws Exception {
    Process part = new ProcessBuilder(program()).directory(folder.toFile()).start();
    try (PrintWriter to =
        new PrintWriter(new OutputStreamWriter(part.getOutputStream(), StandardCharsets.UTF_8))) {
      to.println("0 1 host-0");
      to.println(PartProcess.coded("endless"));
    }
    assertThat(part.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(part.exitValue()).isEqualTo(7);
  }

  private String alone(String work) {
    return PartProcess.run(program(), folder, new Round(1).of(0), work, () -> false);
  }

  private static List<String> program() {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-XX:TieredStopAtLevel=1",
        "-cp",
        System.getProperty("java.class.path"),
        Program.class.getName());
  }

  /** What the processes run. */
  public static final class Program {
    private Program() {}

    public static void main(String[] words) {
      PrintWriter out = new PrintWriter(new OutputStreamWriter(System.out, StandardCharsets.UTF_8));
      OwnPart.run(System.in, out, () -> Runtime.getRuntime().halt(7), Program::work);
    }

    private static String work(Meeting meeting, String work) {
      switch (work) {
        case "wrong" -> throw new InvalidInput("the work: must be right; got `wrong`");
        case "lost" -> throw new WorkFailed("the disk is full");
        case "halt" -> Runtime.getRuntime().halt(3);
        case "endless" -> {
          try {
            Thread.sleep(Duration.ofMinutes(5));
          } catch (InterruptedException e) {
            throw new WorkFailed("interrupted", e);
          }
        }
        default -> {}
      }
      List<String> first = meeting.gather(meeting.part() + " " + meeting.host());
      List<String> second = meeting.gather("again " + meeting.part());
      return "%d %s %s %s".formatted(meeting.part(), work, first, second);
    }
  }
}
