package ngd.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import ngd.core.InvalidInput;
import ngd.core.WorkFailed;
import ngd.studies.engine.Machines;
import ngd.studies.engine.Meeting;
import ngd.studies.engine.OwnPart;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Parts in Spark's barrier stages, each with a real process, on the cores of this machine. */
@Timeout(120)
class SparkMachinesTest {
  private static final List<String> DRIVER =
      List.of("spark.driver.host", "spark.driver.bindAddress");

  @BeforeEach
  void onLoopback() {
    DRIVER.forEach(setting -> System.setProperty(setting, "127.0.0.1"));
  }

  @AfterEach
  void asBefore() {
    DRIVER.forEach(System::clearProperty);
    System.clearProperty("spark.dynamicAllocation.enabled");
  }

  @Test
  void run_asManyPartsAsCores_meetAndFind() throws URISyntaxException {
    try (Machines machines = new SparkMachines("local[2]")) {
      assertThat(machines.run(List.of(own()), program(), 5, "work"))
          .containsExactly("0 work [hello 0, hello 1]", "1 work [hello 0, hello 1]");
    }
  }

  @Test
  void run_fewerPartsThanCores_usesSoMany() throws URISyntaxException {
    try (Machines machines = new SparkMachines("local[4]")) {
      assertThat(machines.run(List.of(own()), program(), 1, "alone"))
          .containsExactly("0 alone [hello 0]");
    }
  }

  /** The other part would wait for ever. */
  @Test
  void run_oneOfTwoPartsFails_endsTheOtherAndSaysWhy() {
    assertThatThrownBy(
            () -> {
              try (Machines machines = new SparkMachines("local[2]")) {
                machines.run(List.of(own()), program(), 2, "fail");
              }
            })
        .isInstanceOf(WorkFailed.class)
        .hasMessageStartingWith("at ")
        .hasMessageEndingWith("part 1 has no data");
  }

  @Test
  void machines_underDynamicAllocation_saysWhatToSet() {
    System.setProperty("spark.dynamicAllocation.enabled", "true");
    assertThatThrownBy(() -> new SparkMachines("local[2]"))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("spark.dynamicAllocation.enabled: must be false");
  }

  private static Path own() throws URISyntaxException {
    return Path.of(Program.class.getProtectionDomain().getCodeSource().getLocation().toURI());
  }

  private static List<String> program() {
    return List.of(Program.class.getName());
  }

  /** What the processes run. */
  public static final class Program {
    private Program() {}

    public static void main(String[] words) {
      PrintWriter out = new PrintWriter(new OutputStreamWriter(System.out, StandardCharsets.UTF_8));
      OwnPart.run(System.in, out, () -> Runtime.getRuntime().halt(1), Program::work);
    }

    private static String work(Meeting meeting, String work) {
      if (work.equals("fail")) {
        if (meeting.part() == 1) {
          throw new WorkFailed("part 1 has no data");
        }
        try {
          Thread.sleep(Duration.ofMinutes(10));
        } catch (InterruptedException e) {
          throw new WorkFailed("interrupted", e);
        }
      }
      return "%d %s %s".formatted(meeting.part(), work, meeting.gather("hello " + meeting.part()));
    }
  }
}
