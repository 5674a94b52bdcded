package ngd.peer.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs {@link PlanFuzzer} under Jazzer in a process of its own, for {@code ngd.fuzz.seconds} (5 by
 * default; `./check -Dngd.fuzz.seconds=600` for longer).
 */
class PlanFuzzTest {
  @TempDir Path dir;

  @Test
  void fuzz_planReader_findsNoTextThatBreaksIt() throws Exception {
    int seconds = Integer.getInteger("ngd.fuzz.seconds", 3);
    Path corpus = Files.createDirectory(dir.resolve("corpus"));
    Files.writeString(corpus.resolve("three"), Plans.THREE);
    Files.writeString(
        corpus.resolve("hears"),
        Plans.THREE.replace("network: ring:1", "hears: {a: [b], b: [a, c], c: [b]}"));
    Path log = dir.resolve("log");
    Process fuzzer =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-XX:+EnableDynamicAgentLoading",
                    "--add-modules=jdk.incubator.vector",
                    "--enable-native-access=ALL-UNNAMED",
                    "-Xmx1g",
                    "-cp",
                    System.getProperty("java.class.path"),
                    "com.code_intelligence.jazzer.Jazzer",
                    "--target_class=ngd.peer.plan.PlanFuzzer",
                    "--instrumentation_includes=ngd.peer.plan.**:tools.jackson.dataformat.yaml.**:org.snakeyaml.**",
                    "--reproducer_path=" + dir,
                    "-artifact_prefix=" + dir + "/",
                    "-max_total_time=" + seconds,
                    "-timeout=20",
                    "-max_len=4096",
                    corpus.toString()))
            .directory(dir.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    try {
      assertThat(fuzzer.waitFor(seconds + 120L, TimeUnit.SECONDS)).isTrue();
    } finally {
      fuzzer.destroyForcibly();
    }
    String said = Files.readString(log);
    assertThat(fuzzer.exitValue()).as(said).isZero();
    assertThat(said).containsPattern("Done \\d+ runs");
  }
}
