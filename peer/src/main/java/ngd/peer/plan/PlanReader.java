package ngd.peer.plan;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import ngd.core.InvalidInput;
import ngd.core.Vocabulary;
import ngd.core.algorithm.Algorithms;
import ngd.core.algorithm.Method;
import ngd.core.algorithm.StepSize;
import ngd.core.network.Network;
import ngd.core.world.Mixing;
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

  private final PlanFields fields;

  private PlanReader(PlanFields fields) {
    this.fields = fields;
  }

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
    PlanFields fields = PlanFields.of(text, KEYS);
    Plan plan = fields.unreadable() ? null : new PlanReader(fields).plan();
    if (plan == null || !fields.areWell()) {
      throw fields.refusal();
    }
    return new WrittenPlan(plan, text, fields.lines());
  }

  private @Nullable Plan plan() {
    String federation =
        fields.required("federation", "a name for it, such as `heart-study`", word -> word);
    String run = fields.required("run", "a word that no earlier run had", PlanReader::word);
    SitesReader reader = new SitesReader(fields);
    List<Site> sites = reader.sites();
    String weights = fields.optional("weights", "uniform", word -> word);
    long seed = fields.optional("seed", 1L, PlanReader::seed);
    Listening listening = reader.listening(sites);
    String formula =
        fields.required("formula", "what explains what, such as `y ~ x + z`", PlanReader::formula);
    String family = fields.required("family", "gaussian, binomial or poisson", PlanReader::family);
    String algorithm =
        fields.has("algorithm")
            ? fields.required("algorithm", "a method's name", PlanReader::algorithm)
            : Plan.POOLED;
    Optional<String> alpha = fields.optional("alpha", Optional.empty(), PlanReader::alpha);
    OptionalInt rounds =
        fields.optional("rounds", OptionalInt.empty(), word -> OptionalInt.of(count(word)));
    int batch = fields.optional("batch", 0, PlanReader::count);
    int localSteps = fields.optional("local-steps", 1, PlanReader::count);
    String mix = fields.optional("mix", "mean", word -> Mixing.parse(word).spec());
    Policy policy = fields.optional("policy", new Policy.Wait(), Policy::parse);
    WirePrecision precision =
        fields.optional("precision", WirePrecision.FLOAT64, WirePrecision::parse);
    Optional<Privacy> privacy =
        fields.optional("privacy", Optional.empty(), word -> Optional.of(Privacy.parse(word)));
    if (algorithm != null) {
      checkSchedule(algorithm, alpha, mix);
    }
    if (algorithm != null && fields.has("privacy")) {
      checkPrivacy(algorithm, alpha);
    }
    if (listening != null && sites.size() > 1 && fields.areWell()) {
      checkNetwork(sites, listening, weights, seed);
    }
    if (!fields.areWell()
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

  private void checkSchedule(String algorithm, Optional<String> alpha, String mix) {
    boolean pooled = algorithm.equals(Plan.POOLED);
    Method method = pooled ? null : Algorithms.parse(algorithm).method();
    boolean steps = method != null && method.takesStepSize();
    Set<Method.Option> options = method == null ? Set.of() : method.options();
    boolean asynchronous = method != null && method.asynchronous();
    fields.require(
        steps || !fields.has("alpha"), "alpha", "`%s` takes no step size".formatted(algorithm));
    fields.require(
        !steps || fields.has("alpha"),
        "algorithm",
        "`%s` needs `alpha`, its step size".formatted(algorithm));
    fields.require(
        pooled || fields.has("rounds"),
        "algorithm",
        "`%s` needs `rounds`, how many to run".formatted(algorithm));
    fields.require(
        !fields.has("batch") || options.contains(Method.Option.BATCH),
        "batch",
        "`%s` has no mini-batches".formatted(algorithm));
    fields.require(
        !fields.has("local-steps") || options.contains(Method.Option.LOCAL_STEPS),
        "local-steps",
        "`%s` has none".formatted(algorithm));
    fields.require(
        !asynchronous || !alpha.equals(Optional.of("auto")),
        "alpha",
        "`%s` has no common rounds by which to find a step size; give a number"
            .formatted(algorithm));
    fields.require(
        !asynchronous || mix.equals("mean"),
        "mix",
        "`%s` does not mix in rounds; use `mean`".formatted(algorithm));
  }

  /** Whatever would leave a site un-noised is refused before anybody signs. */
  private void checkPrivacy(String algorithm, Optional<String> alpha) {
    fields.require(
        Privacy.METHODS.contains(algorithm.split(":", 2)[0]),
        "privacy",
        "privacy goes with %s, which say gradients alone; `%s` would say moments, Hessians or other sums un-noised"
            .formatted(String.join(", ", Privacy.METHODS), algorithm));
    fields.require(
        !fields.has("batch"),
        "batch",
        "privacy goes without `batch`: its accounts are those of gradients of all rows");
    fields.require(
        !alpha.equals(Optional.of("auto")),
        "alpha",
        "privacy goes without `alpha: auto`, which looks at Hessians");
  }

  private void checkNetwork(List<Site> sites, Listening listening, String weights, long seed) {
    String key = fields.has("network") ? "network" : "hears";
    Network network =
        fields.attempt(fields.line(key), () -> listening.network(sites, weights, seed));
    if (network == null) {
      return;
    }
    List<String> apart = Exposure.apartFromFirst(sites, network);
    if (!apart.isEmpty()) {
      fields.add(
          fields.line(key),
          "everyone must be linked to everyone, if over others; no link leads from %s to %s"
              .formatted(sites.getFirst().name(), String.join(", ", apart)));
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
