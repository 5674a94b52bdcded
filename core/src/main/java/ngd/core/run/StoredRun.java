package ngd.core.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import ngd.core.InvalidInput;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A run folder read back. Whatever is wrong with it is an {@link InvalidInput} that names the file.
 *
 * @param manifest what was asked for, on what machine
 * @param result what was found
 * @param traces how it came about; none where a run leaves estimates alone
 */
public record StoredRun(Path folder, JsonNode manifest, JsonNode result, List<StoredTrace> traces) {
  public StoredRun {
    traces = List.copyOf(traces);
  }

  public static StoredRun read(Path folder) {
    return new StoredRun(
        folder,
        object(folder.resolve("manifest.json")),
        object(folder.resolve("result.json")),
        traces(folder));
  }

  /** Where it was measured on the way. */
  private static List<StoredTrace> traces(Path folder) {
    Path file = folder.resolve("trace.csv");
    return Files.exists(file) ? StoredTrace.read(file) : List.of();
  }

  /** The JSON object that a file holds. */
  public static JsonNode object(Path file) {
    if (!Files.isRegularFile(file)) {
      throw new InvalidInput("%s: is missing".formatted(file));
    }
    try {
      JsonNode node = JsonMapper.shared().readTree(Files.readString(file));
      if (node.isObject()) {
        return node;
      }
      throw new InvalidInput(
          "%s: must hold a JSON object; it holds %s".formatted(file, node.getNodeType()));
    } catch (JacksonException e) {
      throw new InvalidInput(
          "%s: is not JSON: %s"
              .formatted(
                  file, String.valueOf(e.getOriginalMessage()).lines().findFirst().orElse("")),
          e);
    } catch (IOException e) {
      throw new InvalidInput("%s: cannot be read: %s".formatted(file, e.getMessage()), e);
    }
  }
}
