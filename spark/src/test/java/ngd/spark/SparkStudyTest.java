package ngd.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import ngd.core.InvalidInput;
import ngd.studies.StudyProgress;
import ngd.studies.StudyRequest;
import ngd.studies.StudyRunner;
import ngd.studies.engine.Engine;
import ngd.studies.engine.EngineProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * A study on a standalone master with two workers, all processes of their own on loopback, started
 * from the Maven jars. Oracle: the same study on this machine's cores.
 */
class SparkStudyTest {
  private static final int REPLICATES = 60;
  private static final int KILL_AFTER = 6;

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path folder;

  private final List<Process> started = new ArrayList<>();

  @AfterEach
  void stopAll() throws InterruptedException {
    for (Process process : started) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly().waitFor();
    }
  }

  @Test
  void run_withOneWorkerKilledInMidStudy_writesTheBytesOfALocalRun() throws Exception {
    Path home = sparkHome();
    String master = "spark://127.0.0.1:" + freePort();
    start(
        home,
        "org.apache.spark.deploy.master.Master",
        "--host",
        "127.0.0.1",
        "--port",
        port(master),
        "--webui-port",
        "0");
    waitFor(master);
    Process doomed = worker(home, master);
    worker(home, master);
    System.setProperty("spark.executor.memory", "480m");
    System.setProperty("spark.driver.host", "127.0.0.1");
    System.setProperty("spark.driver.bindAddress", "127.0.0.1");

    String plan = plan();
    AtomicInteger killedAt = new AtomicInteger(-1);
    StudyRunner.Outcome outcome;
    try (Engine engine = EngineProvider.of(master)) {
      outcome =
          run(
              plan,
              engine,
              folder.resolve("spark"),
              (study, finished, replicates, share) -> {
                if (finished >= KILL_AFTER && killedAt.compareAndSet(-1, finished)) {
                  doomed.descendants().forEach(ProcessHandle::destroyForcibly);
                  doomed.destroyForcibly();
                }
              });
    }
    assertThat(killedAt.get()).isBetween(KILL_AFTER, REPLICATES - 1);
    assertThat(doomed.isAlive()).isFalse();
    assertThat(outcome.computed()).isEqualTo(REPLICATES);
    try (Engine engine = EngineProvider.of("local")) {
      run(plan, engine, folder.resolve("local"), StudyProgress.silent());
    }
    assertThat(files(folder.resolve("spark"))).isEqualTo(files(folder.resolve("local")));
  }

  /** Spark's own SparkSubmit, which gives the program its classes and settings. */
  @Test
  @EnabledIfSystemProperty(named = "ngd.submit", matches = "true")
  void submit_toWhateverMasterItNames_writesTheBytesOfALocalRun() throws Exception {
    Path home = sparkHome();
    String plan = smallPlan();
    Path classes =
        Path.of(SubmittedStudy.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    Process submitted =
        start(
            home,
            "org.apache.spark.deploy.SparkSubmit",
            "--master",
            "local-cluster[2,1,512]",
            "--conf",
            "spark.executor.memory=480m",
            "--conf",
            "spark.driver.host=127.0.0.1",
            "--class",
            SubmittedStudy.class.getName(),
            "--jars",
            String.join(",", ShippedJars.paths()),
            ShippedJars.packed(classes).toString(),
            plan,
            folder.resolve("submitted").toString());
    assertThat(submitted.waitFor(5, TimeUnit.MINUTES)).isTrue();
    assertThat(submitted.exitValue()).as(Files.readString(folder.resolve("log0.txt"))).isZero();
    assertThat(Files.readString(folder.resolve("submitted/manifest.json")))
        .contains("local-cluster[2,1,512]");
    try (Engine engine = EngineProvider.of("local")) {
      run(plan, engine, folder.resolve("local"), StudyProgress.silent());
    }
    assertThat(files(folder.resolve("submitted"))).isEqualTo(files(folder.resolve("local")));
  }

  @Test
  void connect_asSubmittedWithoutSparkSubmit_saysWhatToGive() {
    assertThatThrownBy(() -> EngineProvider.of(EngineProvider.SUBMITTED))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("`spark` is the master that spark-submit names")
        .hasMessageContaining("spark://HOST:PORT");
  }

  @Test
  void connect_whereNoMasterListens_isRefusedAtOnce() throws IOException {
    int free = freePort();
    assertThatThrownBy(() -> EngineProvider.of("spark://127.0.0.1:" + free))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("no Spark master can be reached");
    assertThatThrownBy(() -> EngineProvider.of("spark://nowhere"))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("spark://HOST:PORT");
  }

  static StudyRunner.Outcome run(String plan, Engine engine, Path out, StudyProgress progress) {
    return new StudyRunner(engine, InstantSource.system())
        .run(
            StudyRequest.of(plan).with(OptionalInt.of(REPLICATES), OptionalLong.of(1)),
            out,
            progress);
  }

  private String plan() throws IOException {
    return Files.writeString(
            folder.resolve("own.yaml"),
            """
            models: [linear, logistic]
            networks: ["circle:1", "fixed:2", central]
            partitions: [random, sorted]
            placements: [random]
            alphas: [0.01]
            clients: 50
            rows: 2500
            rounds: 400
            """)
        .toString();
  }

  private String smallPlan() throws IOException {
    return Files.writeString(
            folder.resolve("small.yaml"),
            """
            models: [linear]
            networks: ["circle:1", "complete"]
            alphas: [0.01]
            clients: 10
            rows: 200
            rounds: 20
            """)
        .toString();
  }

  /** A SPARK_HOME: the jars of this class path, and a file that says it is a release. */
  private Path sparkHome() throws IOException {
    Path home = Files.createDirectory(folder.resolve("spark-home"));
    Path jars = Files.createDirectory(home.resolve("jars"));
    Files.createFile(home.resolve("RELEASE"));
    for (String entry : System.getProperty("java.class.path").split(":", -1)) {
      Path jar = Path.of(entry);
      // Only what Spark itself brings: the rest is what the engine has to ship.
      if (jar.getFileName().toString().matches("(?!ngd-|ejml-|commons-rng-).*[.]jar")) {
        Files.createSymbolicLink(jars.resolve(String.valueOf(jar.getFileName())), jar);
      }
    }
    return home;
  }

  private Process worker(Path home, String master) throws IOException {
    return start(
        home,
        "org.apache.spark.deploy.worker.Worker",
        "--host",
        "127.0.0.1",
        "--cores",
        "1",
        "--memory",
        "512M",
        "--webui-port",
        "0",
        "--work-dir",
        folder.resolve("work" + started.size()).toString(),
        master);
  }

  private Process start(Path home, String main, String... args) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    // A driver wants more than the others.
    command.add(main.endsWith("SparkSubmit") ? "-Xmx600m" : "-Xmx256m");
    // Spark's own list of what a modern JVM must open.
    command.addAll(
        List.of(org.apache.spark.launcher.JavaModuleOptions.defaultModuleOptions().split(" +")));
    command.addAll(List.of("-cp", home.resolve("jars") + "/*", main));
    command.addAll(List.of(args));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("SPARK_HOME", home.toString());
    builder.environment().put("SPARK_SCALA_VERSION", "2.13");
    builder.environment().put("SPARK_LOCAL_IP", "127.0.0.1");
    Process process =
        builder
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("log" + started.size() + ".txt").toFile())
            .start();
    started.add(process);
    return process;
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static String port(String master) {
    return master.substring(master.lastIndexOf(':') + 1);
  }

  private void waitFor(String master) throws Exception {
    for (int attempt = 0; attempt < 1200; attempt++) {
      try (Socket socket = new Socket()) {
        socket.connect(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(port(master))),
            1000);
        return;
      } catch (IOException notYet) {
        assertThat(started.getFirst().waitFor(50, TimeUnit.MILLISECONDS))
            .as("the master lives")
            .isFalse();
      }
    }
    throw new AssertionError("the master did not come up");
  }

  private static Map<String, String> files(Path out) throws IOException {
    Map<String, String> files = new TreeMap<>();
    try (Stream<Path> entries = Files.list(out)) {
      for (Path entry : entries.filter(Files::isRegularFile).toList()) {
        String name = String.valueOf(entry.getFileName());
        if (!name.equals("manifest.json")) {
          files.put(name, HexFormat.of().formatHex(Files.readAllBytes(entry)));
        }
      }
    }
    return files;
  }
}
