package ngd.studies;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Supplier;
import ngd.core.InvalidInput;
import ngd.core.NearestName;

/**
 * What is asked for: one study or several under one name, and what a file may say beside it.
 *
 * @param replicates R, where the file says so
 * @param seed the seed, where the file says so
 */
public record StudyPlan(
    String name, List<Study> studies, OptionalInt replicates, OptionalLong seed) {
  private static final Map<String, Supplier<Study>> NAMED = new LinkedHashMap<>();

  static {
    NAMED.put("figure2", NamedStudies::figure2);
    NAMED.put("figure3", NamedStudies::figure3);
    NAMED.put("figure4", NamedStudies::figure4);
    NAMED.put("figure5", NamedStudies::figure5);
    NAMED.put("networks", NamedStudies::networks);
    NAMED.put("overparameterised", NamedStudies::overparameterised);
    NAMED.put("placement", NamedStudies::placement);
    NAMED.put("coverage", NamedStudies::coverage);
  }

  private static final String ALL = "all";

  public StudyPlan {
    studies = List.copyOf(studies);
  }

  StudyPlan(String name, List<Study> studies) {
    this(name, studies, OptionalInt.empty(), OptionalLong.empty());
  }

  /** The names that {@link #of} knows. */
  public static List<String> names() {
    List<String> names = new java.util.ArrayList<>(NAMED.keySet());
    names.add(ALL);
    return names;
  }

  /** The plan that a name or a YAML file stands for. */
  public static StudyPlan of(String nameOrFile) {
    if (nameOrFile.equals(ALL)) {
      return new StudyPlan(ALL, NAMED.values().stream().map(Supplier::get).toList());
    }
    Supplier<Study> known = NAMED.get(nameOrFile);
    if (known != null) {
      return new StudyPlan(nameOrFile, List.of(known.get()));
    }
    if (nameOrFile.endsWith(".yaml") || nameOrFile.endsWith(".yml")) {
      return StudyFile.read(Path.of(nameOrFile));
    }
    throw new InvalidInput(
        "study: must be one of %s, or a YAML file; got `%s`%s"
            .formatted(
                String.join(", ", names()), nameOrFile, NearestName.hint(nameOrFile, names())));
  }
}
