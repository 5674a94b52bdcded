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

  /** A process that waits most of its time: little memory, and a compiler that is soon done. */
  public static final List<String> BRIEF = List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

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
