package ngd.peer.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import ngd.peer.wire.proto.Frame;
import ngd.peer.wire.proto.Frames;
import ngd.peer.wire.proto.Greeting;
import ngd.peer.wire.proto.Kind;
import ngd.peer.wire.proto.Part;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs {@link WireFuzzer} under Jazzer in a process of its own, for {@code ngd.fuzz.seconds} (10 by
 * default; {@code ./check -Dngd.fuzz.seconds=600} for longer).
 */
class WireFuzzTest {
  @TempDir Path dir;

  private static Frame part(long call, int offset, int size) {
    return Frame.newBuilder()
        .setPart(
            Part.newBuilder()
                .setCall(call)
                .setKind(Kind.MIX)
                .setLength(32)
                .setOffset(offset)
                .setBytes(ByteString.copyFrom(new byte[size])))
        .build();
  }

  @Test
  void fuzz_wireParser_findsNoBytesThatBreakIt() throws Exception {
    int seconds = Integer.getInteger("ngd.fuzz.seconds", 4);
    Path corpus = Files.createDirectory(dir.resolve("corpus"));
    Files.write(
        corpus.resolve("two"),
        Frames.newBuilder()
            .addFrames(
                Frame.newBuilder()
                    .setGreeting(Greeting.newBuilder().setProtocol(Links.PROTOCOL).setNeeds(3)))
            .addFrames(part(0, 0, 32))
            .addFrames(part(1, 0, 16))
            .addFrames(part(1, 16, 16))
            .build()
            .toByteArray());
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
                    "--target_class=ngd.peer.wire.WireFuzzer",
                    "--instrumentation_includes=ngd.peer.wire.**",
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
