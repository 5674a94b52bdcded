package ngd.studies;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process that dies in the middle leaves what is finished, and the next one goes on there. */
class KillAndResumeTest {
  private static final int REPLICATES = 40;

  @TempDir Path folder;

  @Test
  void run_killedTwiceAndContinued_writesTheBytesOfAnUndisturbedRun() throws Exception {
    Path plan = folder.resolve("own.yaml");
    Files.writeString(
        plan,
        """
        models: [linear, logistic]
        networks: ["circle:1", "fixed:2", central]
        partitions: [sorted]
        placements: [in-order, random]
        alphas: [0.01]
        clients: 50
        rows: 2500
        rounds: 400
        """);
    Path disturbed = folder.resolve("disturbed");
    long first = killOnceLargerThan(0, plan, disturbed);
    long second = killOnceLargerThan(first, plan, disturbed);
    assertThat(second).isGreaterThan(first);
    assertThat(disturbed.resolve("report.html")).doesNotExist();
    assertThat(start(plan, disturbed).waitFor()).isZero();
    Path undisturbed = folder.resolve("undisturbed");
    assertThat(start(plan, undisturbed).waitFor()).isZero();
    assertThat(StudyRunnerTest.files(disturbed)).isEqualTo(StudyRunnerTest.files(undisturbed));
  }

  private long killOnceLargerThan(long size, Path plan, Path out) throws Exception {
    Process process = start(plan, out);
    Path store = out.resolve("replicates").resolve("study.bin");
    long whole = Math.max(size, 24) + 3000;
    while (sizeOf(store) < whole && !process.waitFor(1, TimeUnit.MILLISECONDS)) {
      assertThat(process.isAlive()).isTrue();
    }
    process.destroyForcibly().waitFor();
    assertThat(process.exitValue()).as("killed, not finished").isNotZero();
    return sizeOf(store);
  }

  private static long sizeOf(Path file) throws IOException {
    return Files.exists(file) ? Files.size(file) : 0;
  }

  private Process start(Path plan, Path out) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("--add-modules=jdk.incubator.vector");
    command.add("-Djava.awt.headless=true");
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(StudyProcess.class.getName());
    command.addAll(
        List.of(plan.toString(), String.valueOf(REPLICATES), "local:2", "1", out.toString()));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve("log.txt").toFile())
        .start();
  }
}
