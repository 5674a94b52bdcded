package ngd.peer.plan;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import ngd.core.InvalidInput;
import ngd.core.NearestName;
import ngd.core.Vocabulary;
import ngd.core.algorithm.Algorithms;
import ngd.core.algorithm.Method;
import ngd.core.algorithm.StepSize;
import ngd.core.network.Network;
import ngd.core.simulation.Mixing;
import org.jspecify.annotations.Nullable;

/** Reads {@code plan.yaml} and tells every problem of it at once, each with its line. */
public final class PlanReader {
  private static final List<String> KEYS =
      List.of(
          "federation",
          "run",
          "sites",
          "network",
          "hears",
          "weights",
          "seed",
          "formula",
          "family",
          "algorithm",
          "alpha",
          "rounds",
          "batch",
          "local-steps",
          "mix",
          "policy",
          "precision",
          "privacy");

  private static final List<String> SITE_KEYS = List.of("name", "address");

  /** More sites than one file and one authority can sensibly serve. */
  private static final int MOST_SITES = 10_000;

  private final List<String> problems = new ArrayList<>();
  private final Map<String, Integer> lines = new HashMap<>();
  private final Map<String, YamlTree.Entry> root = new HashMap<>();

  private PlanReader() {}

  /** The plan in a file; every problem is a line that begins with the file's name. */
  public static WrittenPlan read(Path file) {
    String text;
    try {
      text = Files.readString(file);
    } catch (IOException e) {
      String why =
          Files.isDirectory(file)
              ? "is a folder"
              : e instanceof CharacterCodingException
                  ? "is not UTF-8 text"
                  : Files.exists(file) ? "cannot be read: " + e.getMessage() : "does not exist";
      throw new InvalidInput("%s: must be a plan, a YAML file; it %s".formatted(file, why), e);
    }
    try {
      return parse(text);
    } catch (InvalidInput e) {
      throw new InvalidInput(
          String.join(
              "\n",
              String.valueOf(e.getMessage()).lines().map(line -> file + ", " + line).toList()),
          e);
    }
  }

  /** The plan that a text states. */
  public static WrittenPlan parse(String text) {
    return new PlanReader().written(text);
  }

  private WrittenPlan written(String text) {
    YamlTree tree = YamlTree.read(text, problems);
    if (tree instanceof YamlTree.Keys(_, Map<String, YamlTree.Entry> entries)) {
      root.putAll(entries);
      entries.forEach(this::checkKey);
    } else {
      problems.add("line 1: a plan holds keys and values, such as `network: ring:1`");
    }
    Plan plan = problems.isEmpty() || !root.isEmpty() ? plan() : null;
    if (plan == null || !problems.isEmpty()) {
      throw new InvalidInput(String.join("\n", new LinkedHashSet<>(problems)));
    }
    return new WrittenPlan(plan, text, lines);
  }

  private void checkKey(String key, YamlTree.Entry entry) {
    if (KEYS.contains(key)) {
      lines.put(key, entry.line());
    } else {
      problems.add(
          "line %d: unknown key `%s`%s; there are: %s"
              .formatted(entry.line(), key, NearestName.hint(key, KEYS), String.join(", ", KEYS)));
    }
  }

  private @Nullable Plan plan() {
    String federation =
        required("federation", "a name for it, such as `heart-study`", word -> word);
    String run = required("run", "a word that no earlier run had", PlanReader::word);
    List<Site> sites = sites();
    String weights = optional("weights", "uniform", word -> word);
    long seed = optional("seed", 1L, PlanReader::seed);
    Listening listening = listening(sites);
    String formula =
        required("formula", "what explains what, such as `y ~ x + z`", PlanReader::formula);
    String family = required("family", "gaussian, binomial or poisson", PlanReader::family);
    String algorithm =
        root.containsKey("algorithm")
            ? required("algorithm", "a method's name", PlanReader::algorithm)
            : Plan.POOLED;
    Optional<String> alpha = optional("alpha", Optional.empty(), PlanReader::alpha);
    OptionalInt rounds =
        optional("rounds", OptionalInt.empty(), word -> OptionalInt.of(count(word)));
    int batch = optional("batch", 0, PlanReader::count);
    int localSteps = optional("local-steps", 1, PlanReader::count);
    String mix = optional("mix", "mean", word -> Mixing.parse(word).spec());
    Policy policy = optional("policy", new Policy.Wait(), Policy::parse);
    Precision precision = optional("precision", Precision.FLOAT64, Precision::parse);
    Optional<Privacy> privacy =
        optional("privacy", Optional.empty(), word -> Optional.of(Privacy.parse(word)));
    if (algorithm != null) {
      checkSchedule(algorithm, alpha, mix);
    }
    if (algorithm != null && root.containsKey("privacy")) {
      checkPrivacy(algorithm, alpha);
    }
    if (listening != null && sites.size() > 1 && problems.isEmpty()) {
      checkNetwork(sites, listening, weights, seed);
    }
    if (!problems.isEmpty()
        || federation == null
        || run == null
        || listening == null
        || formula == null
        || family == null
        || algorithm == null) {
      return null;
    }
    return new Plan(
        federation,
        run,
        sites,
        listening,
        weights,
        seed,
        formula,
        family,
        algorithm,
        alpha,
        rounds,
        batch,
        localSteps,
        mix,
        policy,
        precision,
        privacy);
  }

  private List<Site> sites() {
    YamlTree.Entry entry = root.get("sites");
    if (entry == null) {
      problems.add("line 1: `sites` must be given, a list of name and address");
      return List.of();
    }
    if (!(entry.value() instanceof YamlTree.Items(_, List<YamlTree> items)) || items.isEmpty()) {
      problems.add(
          "line %d: `sites` must be a list, each with its name and address"
              .formatted(entry.line()));
      return List.of();
    }
    if (items.size() > MOST_SITES) {
      problems.add("line %d: at most %d sites".formatted(entry.line(), MOST_SITES));
      return List.of();
    }
    List<Site> sites = new ArrayList<>();
    Set<String> names = new LinkedHashSet<>();
    Set<String> addresses = new LinkedHashSet<>();
    for (YamlTree item : items) {
      Site site = site(item);
      if (site == null) {
        continue;
      }
      if (!names.add(site.name())) {
        problems.add("line %d: site `%s` may be named once".formatted(item.line(), site.name()));
      }
      if (!addresses.add(site.address())) {
        problems.add(
            "line %d: address `%s` is another site's already"
                .formatted(item.line(), site.address()));
      }
      lines.putIfAbsent("site " + site.name(), item.line());
      sites.add(site);
    }
    return sites;
  }

  private @Nullable Site site(YamlTree item) {
    if (!(item instanceof YamlTree.Keys(int line, Map<String, YamlTree.Entry> keys))) {
      problems.add("line %d: a site has a `name` and an `address`".formatted(item.line()));
      return null;
    }
    keys.forEach(
        (key, entry) -> {
          if (!SITE_KEYS.contains(key)) {
            problems.add(
                "line %d: unknown key `%s`%s; a site has name and address"
                    .formatted(entry.line(), key, NearestName.hint(key, SITE_KEYS)));
          }
        });
    String name = text("name", keys.get("name"), line);
    String address = text("address", keys.get("address"), line);
    return name == null || address == null
        ? null
        : attempt(line, () -> Site.of(Site.requireName(name), address));
  }

  private @Nullable Listening listening(List<Site> sites) {
    YamlTree.Entry network = root.get("network");
    YamlTree.Entry hears = root.get("hears");
    if ((network == null) == (hears == null)) {
      problems.add(
          network == null || hears == null
              ? "line 1: who hears whom must be given: `network: ring:1`, or `hears` with each site's list"
              : "line %d: either `network` or `hears`, not both".formatted(hears.line()));
      return null;
    }
    if (network != null) {
      return required("network", "such as ring:1", Listening.Named::new);
    }
    return stated(sites, hears);
  }

  private @Nullable Listening stated(List<Site> sites, YamlTree.Entry hears) {
    if (!(hears.value() instanceof YamlTree.Keys(_, Map<String, YamlTree.Entry> entries))) {
      problems.add("line %d: `hears` must have a list for each site".formatted(hears.line()));
      return null;
    }
    List<String> names = sites.stream().map(Site::name).toList();
    List<List<Integer>> links = new ArrayList<>();
    names.forEach(_ -> links.add(new ArrayList<>()));
    entries.forEach(
        (name, entry) -> {
          lines.put("hears " + name, entry.line());
          int m = place(names, name, entry.line());
          if (!(entry.value() instanceof YamlTree.Items(_, List<YamlTree> heard))) {
            problems.add("line %d: `%s` must hear a list of sites".formatted(entry.line(), name));
            return;
          }
          for (YamlTree item : heard) {
            int k =
                item instanceof YamlTree.Scalar(int line, String other)
                    ? place(names, other, line)
                    : -1;
            if (m >= 0 && k >= 0) {
              links.get(m).add(k);
            } else if (!(item instanceof YamlTree.Scalar)) {
              problems.add("line %d: a site is heard by its name".formatted(item.line()));
            }
          }
        });
    return new Listening.Stated(links);
  }

  private int place(List<String> names, String name, int line) {
    int place = names.indexOf(name);
    if (place < 0) {
      problems.add(
          "line %d: `%s` is no site of this plan%s"
              .formatted(line, name, NearestName.hint(name, names)));
    }
    return place;
  }

  private void checkSchedule(String algorithm, Optional<String> alpha, String mix) {
    boolean pooled = algorithm.equals(Plan.POOLED);
    Method method = pooled ? null : Algorithms.parse(algorithm).method();
    boolean steps = method != null && method.takesStepSize();
    Set<Method.Option> options = method == null ? Set.of() : method.options();
    boolean asynchronous = method != null && method.asynchronous();
    require(
        steps || !root.containsKey("alpha"),
        "alpha",
        "`%s` takes no step size".formatted(algorithm));
    require(
        !steps || root.containsKey("alpha"),
        "algorithm",
        "`%s` needs `alpha`, its step size".formatted(algorithm));
    require(
        pooled || root.containsKey("rounds"),
        "algorithm",
        "`%s` needs `rounds`, how many to run".formatted(algorithm));
    require(
        !root.containsKey("batch") || options.contains(Method.Option.BATCH),
        "batch",
        "`%s` has no mini-batches".formatted(algorithm));
    require(
        !root.containsKey("local-steps") || options.contains(Method.Option.LOCAL_STEPS),
        "local-steps",
        "`%s` has none".formatted(algorithm));
    require(
        !asynchronous || !alpha.equals(Optional.of("auto")),
        "alpha",
        "`%s` has no common rounds by which to find a step size; give a number"
            .formatted(algorithm));
    require(
        !asynchronous || mix.equals("mean"),
        "mix",
        "`%s` does not mix in rounds; use `mean`".formatted(algorithm));
  }

  /** Whatever would leave a site un-noised is refused before anybody signs. */
  private void checkPrivacy(String algorithm, Optional<String> alpha) {
    require(
        Privacy.METHODS.contains(algorithm.split(":", 2)[0]),
        "privacy",
        "privacy goes with %s, which say gradients alone; `%s` would say moments, Hessians or other sums un-noised"
            .formatted(String.join(", ", Privacy.METHODS), algorithm));
    require(
        !root.containsKey("batch"),
        "batch",
        "privacy goes without `batch`: its accounts are those of gradients of all rows");
    require(
        !alpha.equals(Optional.of("auto")),
        "alpha",
        "privacy goes without `alpha: auto`, which looks at Hessians");
  }

  private void checkNetwork(List<Site> sites, Listening listening, String weights, long seed) {
    String key = root.containsKey("network") ? "network" : "hears";
    Network network = attempt(line(key), () -> listening.network(sites, weights, seed));
    if (network == null) {
      return;
    }
    List<String> apart = Exposure.apartFromFirst(sites, network);
    if (!apart.isEmpty()) {
      problems.add(
          "line %d: everyone must be linked to everyone, if over others; no link leads from %s to %s"
              .formatted(line(key), sites.getFirst().name(), String.join(", ", apart)));
    }
  }

  private int line(String key) {
    YamlTree.Entry entry = root.get(key);
    return entry == null ? 1 : entry.line();
  }

  private void require(boolean holds, String key, String problem) {
    if (!holds) {
      problems.add("line %d: %s".formatted(line(key), problem));
    }
  }

  private <T> @Nullable T required(String key, String what, Function<String, T> read) {
    YamlTree.Entry entry = root.get(key);
    if (entry == null) {
      problems.add("line 1: `%s` must be given: %s".formatted(key, what));
      return null;
    }
    String text = text(key, entry, entry.line());
    return text == null ? null : attempt(entry.line(), () -> read.apply(text));
  }

  private <T> T optional(String key, T standard, Function<String, T> read) {
    YamlTree.Entry entry = root.get(key);
    String text = entry == null ? null : text(key, entry, entry.line());
    T value = entry == null || text == null ? null : attempt(entry.line(), () -> read.apply(text));
    return value == null ? standard : value;
  }

  private @Nullable String text(String key, YamlTree.@Nullable Entry entry, int line) {
    if (entry == null) {
      problems.add("line %d: `%s` must be given".formatted(line, key));
      return null;
    }
    if (entry.value() instanceof YamlTree.Scalar(_, String text)) {
      if (!text.isBlank() && text.lines().count() == 1) {
        return text.strip();
      }
      problems.add("line %d: `%s` must have a value on one line".formatted(entry.line(), key));
    } else {
      problems.add("line %d: `%s` takes one value".formatted(entry.line(), key));
    }
    return null;
  }

  private <T> @Nullable T attempt(int line, java.util.function.Supplier<T> step) {
    try {
      return step.get();
    } catch (InvalidInput e) {
      problems.add("line %d: %s".formatted(line, e.getMessage()));
      return null;
    }
  }

  private static String word(String text) {
    if (!text.matches("[A-Za-z0-9_-]{1,64}")) {
      throw new InvalidInput("run: must be a word of letters and digits; got `%s`".formatted(text));
    }
    return text;
  }

  private static String formula(String text) {
    int tilde = text.indexOf('~');
    if (tilde < 1 || tilde == text.length() - 1) {
      throw new InvalidInput("formula: the form is `response ~ terms`; got `%s`".formatted(text));
    }
    return text.strip();
  }

  private static String family(String word) {
    List<String> words = List.of("gaussian", "binomial", "poisson");
    if (!words.contains(word)) {
      throw new Vocabulary("family", words).unknown(word);
    }
    return word;
  }

  private static String algorithm(String word) {
    if (!word.equals(Plan.POOLED)) {
      var _ = Algorithms.parse(word);
    }
    return word;
  }

  private static Optional<String> alpha(String word) {
    if (!word.equals("auto")) {
      var _ = StepSize.parse(word);
    }
    return Optional.of(word);
  }

  private static int count(String word) {
    try {
      int value = Integer.parseInt(word);
      if (value >= 1) {
        return value;
      }
    } catch (NumberFormatException notANumber) {
      // Said below.
    }
    throw new InvalidInput(
        "must be a whole number from 1 to %d; got `%s`".formatted(Integer.MAX_VALUE, word));
  }

  private static Long seed(String word) {
    try {
      return Long.valueOf(word);
    } catch (NumberFormatException notANumber) {
      throw new InvalidInput("seed: must be a whole number; got `%s`".formatted(word), notANumber);
    }
  }
}
