package ngd.core;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Another process of the running Java, on the class path of the tests. */
public final class Fork {
  private Fork() {}

  /** All that a main class wrote, to both streams; refuses a process that failed. */
  public static String output(Class<?> main, List<String> options, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.addAll(
        List.of("-XX:+UseSerialGC", "-Xmx256m", "-cp", System.getProperty("java.class.path")));
    command.add(main.getName());
    command.addAll(List.of(arguments));
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      int code = process.waitFor();
      if (code != 0) {
        throw new AssertionError("exit code %d of %s:%n%s".formatted(code, command, output));
      }
      return output;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** The rest of the one line that starts with a word. */
  public static String line(String output, String word) {
    List<String> found = output.lines().filter(line -> line.startsWith(word + " ")).toList();
    if (found.size() != 1) {
      throw new AssertionError("one line `%s …` expected in:%n%s".formatted(word, output));
    }
    return found.get(0).substring(word.length() + 1);
  }
}
