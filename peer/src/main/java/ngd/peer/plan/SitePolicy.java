package ngd.peer.plan;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import ngd.core.InvalidInput;
import ngd.core.Memory;
import ngd.core.file.WholeFile;
import ngd.core.file.YamlTree;
import ngd.core.preparation.DisclosureRules;

/**
 * What a site decides for itself, whatever a plan says: its own file, which nobody else sees.
 *
 * @param disclosure what it lets out of its rows
 * @param questions which questions it answers in a standing federation
 * @param memory how much of its rows may be in memory; all that the process may have where it is
 *     not said
 */
public record SitePolicy(
    DisclosureRules disclosure, QuestionPolicy questions, Optional<Memory> memory) {
  /** The file's name, in the site's folder. */
  public static final String FILE = "site.yaml";

  private static final List<String> KEYS =
      Stream.concat(
              DisclosureRules.STANDARD.canonical().stream()
                  .map(line -> line.substring(0, line.indexOf(':'))),
              Stream.concat(QuestionPolicy.KEYS.stream(), Stream.of("memory")))
          .toList();

  private static final String TEMPLATE =
      """
      # What this site decides for itself. Nobody else sees this file; a question that it does not allow
      # is refused before anything computed from the rows leaves. Every line may be left out; these are the defaults.

      # Fewest rows of a class that has any: a level, a value of a 0/1 column, a response, and two of them together.
      # nfilter.tab: 3

      # Fewest rows that a question may use, and in which two questions may differ.
      # nfilter.subset: 3

      # Most coefficients for each row of all sites together.
      # nfilter.glm: 0.33

      # Most levels of a factor, and most for each row.
      # nfilter.levels.max: 40
      # nfilter.levels.density: 0.33

      # Which classes are counted: single (of each term), pairs (of every two terms and the response), combined (the same,
      # their counts also added and subtracted, in one question and over questions), joint (of all together).
      # cells: combined

      # A question that, subtracted from earlier ones, would show fewer rows than nfilter.subset: refuse, warn or off.
      # differencing: refuse

      # Of a standing federation's questions: the columns that they may use (all by default), and those that none may.
      # columns: [age, sex]
      # hidden: [name]

      # Whose questions are answered; by default all whom the plan lets ask.
      # askers: [a, b]

      # Which kinds: pooled (models from sums alone), describe, describe-by-site (each site's own numbers too),
      # curves-by-site (survival curves with strata(site), each site's own), cross-validation (of penalties, --folds),
      # losses (pooled fits by huber:DELTA and quantile:TAU:WIDTH, sums over rows within a chosen distance),
      # pooled-rounds and methods, in which sites show models to those who hear them, selection (federated methods with
      # some of the sites in a round, whose sums show each site), and check, for which each site shows all others its
      # own second moments.
      # kinds: [pooled, describe]

      # Who decides about a question that these lines allow: policy, or by-hand (`ngd peer approve`).
      # approve: policy

      # Whether somebody who joins is taken without a person's word (`ngd peer confirm`): confirm or accept.
      # members: confirm

      # Most memory for the rows, such as 512m or 2g; by default all that the process may have. Larger tables are kept in
      # a sealed temporary file in the site's folder of state, and answers have the same bits.
      # memory: 2g
      """;

  /** The policy in a site's folder; the defaults where there is no file. */
  public static SitePolicy in(Path folder) {
    Path file = folder.resolve(FILE);
    if (Files.notExists(file)) {
      return new SitePolicy(DisclosureRules.STANDARD, QuestionPolicy.STANDARD, Optional.empty());
    }
    try {
      return parse(YamlTree.text(file));
    } catch (InvalidInput e) {
      throw new InvalidInput(
          String.join(
              "\n",
              String.valueOf(e.getMessage())
                  .lines()
                  .map(line -> line.startsWith(file.toString()) ? line : file + ", " + line)
                  .toList()),
          e);
    }
  }

  /** The policy that a text states. */
  public static SitePolicy parse(String text) {
    PlanFields fields = PlanFields.ofAny(text, KEYS);
    DisclosureRules standard = DisclosureRules.STANDARD;
    Function<String, Integer> whole =
        word -> number(word, "a whole number of at least 1", Integer::parseInt, n -> n >= 1);
    Function<String, Double> share =
        word ->
            number(
                word, "a number above 0 and at most 1", Double::parseDouble, x -> x > 0 && x <= 1);
    int tab = fields.optional("nfilter.tab", standard.tab(), whole);
    int subset = fields.optional("nfilter.subset", standard.subset(), whole);
    double glm = fields.optional("nfilter.glm", standard.glm(), share);
    int levels = fields.optional("nfilter.levels.max", standard.levelsMax(), whole);
    double density = fields.optional("nfilter.levels.density", standard.levelsDensity(), share);
    DisclosureRules.Cells cells =
        fields.optional("cells", standard.cells(), DisclosureRules.Cells::parse);
    DisclosureRules.Differencing differencing =
        fields.optional(
            "differencing", standard.differencing(), DisclosureRules.Differencing::parse);
    QuestionPolicy questions = QuestionPolicy.of(fields);
    Optional<Memory> memory =
        fields.optional("memory", Optional.empty(), word -> Optional.of(Memory.parse(word)));
    if (!fields.areWell()) {
      throw fields.refusal();
    }
    return new SitePolicy(
        new DisclosureRules(tab, subset, glm, levels, density, cells, differencing),
        questions,
        memory);
  }

  private static <T> T number(
      String word, String what, Function<String, T> read, java.util.function.Predicate<T> holds) {
    try {
      T value = read.apply(word);
      if (holds.test(value)) {
        return value;
      }
    } catch (NumberFormatException e) {
      throw new InvalidInput("must be %s; got `%s`".formatted(what, word), e);
    }
    throw new InvalidInput("must be %s; got `%s`".formatted(what, word));
  }

  /** Writes the defaults, as comments, where there is no file yet. */
  public static void writeTemplate(Path folder) {
    Path file = folder.resolve(FILE);
    if (Files.exists(file)) {
      return;
    }
    try {
      WholeFile.write(file, TEMPLATE);
    } catch (IOException e) {
      throw new InvalidInput("%s: cannot be written: %s".formatted(file, e.getMessage()), e);
    }
  }
}
