package ngd.studies.grid;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import ngd.core.InvalidInput;
import ngd.core.NearestName;
import ngd.core.data.PaperModel;
import ngd.studies.Study;
import ngd.studies.StudyRequest;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** A user's own grid in YAML. Every problem in it is told at once. */
final class GridFile {
  private static final List<String> KEYS =
      List.of(
          "name",
          "models",
          "networks",
          "weights",
          "partitions",
          "placements",
          "alphas",
          "algorithms",
          "clients",
          "rows",
          "rounds",
          "points",
          "replicates",
          "seed");

  private static final int POINTS = 50;
  private static final int REPLICATES = 100;

  private final Path path;
  private final JsonNode root;
  private final List<String> problems = new ArrayList<>();

  private GridFile(Path path, JsonNode root) {
    this.path = path;
    this.root = root;
  }

  static StudyRequest read(Path path) {
    try {
      JsonNode root = new YAMLMapper().readTree(Files.readString(path));
      if (!root.isObject()) {
        throw new InvalidInput("%s: must be a mapping of keys to values".formatted(path));
      }
      return new GridFile(path, root).plan();
    } catch (JacksonException malformed) {
      throw new InvalidInput(
          "%s: is not YAML: %s".formatted(path, malformed.getOriginalMessage()), malformed);
    } catch (IOException unreadable) {
      throw new InvalidInput(
          "%s: cannot be read: %s".formatted(path, reason(unreadable)), unreadable);
    }
  }

  private static String reason(IOException failed) {
    return failed instanceof java.nio.file.NoSuchFileException ? "no such file" : failed.toString();
  }

  private StudyRequest plan() {
    for (String key : root.propertyNames()) {
      if (!KEYS.contains(key)) {
        problems.add(
            "unknown key `%s`%s; known are %s"
                .formatted(key, NearestName.hint(key, KEYS), String.join(", ", KEYS)));
      }
    }
    String name = text("name").orElseGet(this::stem);
    List<PaperModel> models = words("models", List.of("linear"), PaperModel::parse);
    List<String> networks = words("networks", List.of(), this::besideThisFile);
    List<String> weights = words("weights", List.of("uniform"), word -> word);
    List<String> partitions = words("partitions", List.of("random"), word -> word);
    List<String> placements = words("placements", List.of("in-order"), word -> word);
    List<String> alphas = words("alphas", List.of(), word -> word);
    List<String> algorithms = words("algorithms", List.of("ngd"), word -> word);
    List<Integer> clients = words("clients", List.of("200"), word -> whole("clients", word));
    List<Integer> rows = words("rows", List.of("10000"), word -> whole("rows", word));
    int rounds = one("rounds", 2000);
    int points = one("points", POINTS);
    int replicates = one("replicates", REPLICATES);
    List<Long> seeds = words("seed", List.of("1"), GridFile::seed);
    List<Arrangement> arrangements = new ArrayList<>();
    for (String partition : partitions) {
      for (String placement : placements) {
        attempt(() -> arrangements.add(new Arrangement(partition, placement)));
      }
    }
    List<Grid.Step> steps = new ArrayList<>();
    for (String alpha : alphas) {
      attempt(
          () -> steps.add(new Grid.Step(alpha, rounds, Math.max(1, rounds / Math.max(1, points)))));
    }
    List<Study> studies = new ArrayList<>();
    if (problems.isEmpty()) {
      attempt(
          () ->
              studies.add(
                  new GridStudy(
                      "study",
                      name,
                      new Grid(
                          models.stream().map(model -> new Grid.ModelAxis(model, steps)).toList(),
                          rows,
                          clients,
                          arrangements,
                          networks,
                          weights,
                          algorithms),
                      new OwnCurves(),
                      replicates)));
    }
    if (!problems.isEmpty()) {
      throw new InvalidInput("%s: %s".formatted(path, String.join("\n", problems)));
    }
    return new StudyRequest(name, studies, OptionalInt.of(replicates), seeds.getFirst());
  }

  private String stem() {
    return String.valueOf(path.getFileName()).replaceFirst("\\.ya?ml$", "");
  }

  private void attempt(Runnable step) {
    try {
      step.run();
    } catch (InvalidInput wrong) {
      problems.add(wrong.getMessage());
    }
  }

  private Optional<String> text(String key) {
    return root.has(key) ? Optional.of(root.path(key).asString()) : Optional.empty();
  }

  /** One value or a list of them; a default where the key is absent and there is one. */
  private <T> List<T> words(String key, List<String> standard, Function<String, T> parse) {
    List<String> given = new ArrayList<>();
    JsonNode node = root.path(key);
    if (node.isMissingNode()) {
      given.addAll(standard);
    } else if (node.isArray()) {
      node.forEach(item -> add(key, item, given));
    } else {
      add(key, node, given);
    }
    if (given.isEmpty()) {
      problems.add("%s: needs at least one".formatted(key));
    }
    List<T> parsed = new ArrayList<>();
    given.forEach(word -> attempt(() -> parsed.add(parse.apply(word))));
    return parsed;
  }

  private void add(String key, JsonNode item, List<String> given) {
    if (item.isValueNode() && !item.isNull()) {
      given.add(item.asString());
    } else {
      problems.add("%s: must be words or numbers; got %s".formatted(key, item));
    }
  }

  private int one(String key, int standard) {
    return words(key, List.of(String.valueOf(standard)), word -> positive(key, word)).stream()
        .findFirst()
        .orElse(standard);
  }

  private static int positive(String key, String word) {
    int value = whole(key, word);
    if (value < 1) {
      throw new InvalidInput("%s: must be at least 1; got %d".formatted(key, value));
    }
    return value;
  }

  /** A network's file is looked for in the folder of this one, so that both can move together. */
  private String besideThisFile(String network) {
    return network.startsWith("file:")
        ? "file:" + path.resolveSibling(network.substring("file:".length()))
        : network;
  }

  private static long seed(String word) {
    try {
      return Long.parseLong(word);
    } catch (NumberFormatException notANumber) {
      throw new InvalidInput("seed: must be a whole number; got `%s`".formatted(word), notANumber);
    }
  }

  private static int whole(String key, String word) {
    try {
      return Integer.parseInt(word);
    } catch (NumberFormatException notANumber) {
      throw new InvalidInput(
          "%s: must be a whole number; got `%s`".formatted(key, word), notANumber);
    }
  }
}
