package ngd.core.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import ngd.core.linalg.Kernels;
import ngd.core.question.Question;
import ngd.core.question.WordsFile;

/**
 * What it takes to do a run again and to know whether the same bits are to be expected: the
 * request, the data's hash, and the machine.
 *
 * @param command the command, such as {@code fit}
 * @param question every choice that bears on the result, in canonical words
 * @param data where the rows came from, and {@code hash} their fingerprint
 */
public record Manifest(
    String command, String version, Question question, String data, long rows, String hash) {

  /** What the file holds in a folder, from which the files that it names are found. */
  public JsonObject json(Path folder) {
    Path from = folder.toAbsolutePath().normalize();
    Question there =
        question.relocated(
            path ->
                Path.of(path).isAbsolute()
                    ? path
                    : from.relativize(Path.of(path).toAbsolutePath().normalize()).toString());
    return new JsonObject()
        .put("command", command)
        .put("version", version)
        .put(WordsFile.QUESTION, new JsonObject().putAll(there.json()))
        .put("data", new JsonObject().put("source", data).put("rows", rows).put("sha256", hash))
        .put(
            "machine",
            new JsonObject()
                .put(
                    "jdk",
                    "%s %s".formatted(System.getProperty("java.vm.vendor"), Runtime.version()))
                .put(
                    "os",
                    "%s %s".formatted(System.getProperty("os.name"), System.getProperty("os.arch")))
                .put("cpu", cpu())
                .put("cores", Runtime.getRuntime().availableProcessors())
                .put("kernels", Kernels.best().description()));
  }

  /** The processor's name, if the system provides it. */
  private static String cpu() {
    try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo"))) {
      return lines
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse(System.getProperty("os.arch"));
    } catch (IOException unknown) {
      return System.getProperty("os.arch");
    }
  }
}
