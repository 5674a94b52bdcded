package ngd.app.terminal;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Commands of {@code ngd} in processes of their own, on the same Java with the same classes. */
public final class OwnProcess {
  /** What makes starts quick, where the launcher found it. */
  private static final List<String> CACHE =
      List.of("-XX:AOTCache=", "-XX:+UnlockDiagnosticVMOptions", "-XX:ArchiveRelocationMode=");

  /**
   * A peer, which waits most of its time: a compiler that is soon done, with kernels that suit it,
   * and little memory; as the launcher starts those of sites.
   */
  public static final List<String> PEER =
      List.of(
          "-XX:+UseSerialGC",
          "-XX:TieredStopAtLevel=1",
          "-Dngd.kernels=scalar",
          "-Xms8m",
          "-Xmn3m",
          "-XX:MinHeapFreeRatio=5",
          "-XX:MaxHeapFreeRatio=15",
          "-Dio.grpc.netty.shaded.io.netty.allocator.type=unpooled");

  private OwnProcess() {}

  /**
   * The command line that runs a command.
   *
   * @param options for Java
   * @param words the command and its options
   */
  public static List<String> command(List<String> options, List<String> words) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "--add-modules=jdk.incubator.vector",
            "--enable-native-access=ALL-UNNAMED",
            // A cache is used in full only by what starts as it was made.
            "--add-opens=java.base/java.io=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow"));
    command.addAll(options);
    for (String given : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
      if (CACHE.stream().anyMatch(given::startsWith)) {
        command.add(given);
      }
    }
    Stream.of("-cp", System.getProperty("java.class.path"), RootCommand.MAIN).forEach(command::add);
    command.addAll(words);
    return command;
  }
}
