package ngd.peer.plan;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import ngd.core.InvalidInput;
import ngd.core.NearestName;
import ngd.core.Problems;
import ngd.core.algorithm.AlgorithmChoice;
import ngd.core.algorithm.Local;
import ngd.core.file.YamlTree;
import ngd.core.inference.LiarIdentification;
import ngd.core.network.NetworkSchedule;
import ngd.core.privacy.Privacy;
import ngd.core.question.ClientKeys;
import ngd.core.question.Key;
import ngd.core.question.MethodKeys;
import ngd.core.question.ModelKeys;
import ngd.core.question.PooledKeys;
import ngd.core.question.Question;
import ngd.core.question.SuitedModel;
import ngd.core.question.Words;
import ngd.core.world.ShardsLocal;
import ngd.core.world.Suitability;
import org.jspecify.annotations.Nullable;

/** Reads {@code plan.yaml} and reports every problem at once, each with its line. */
public final class PlanReader {
  private static final List<String> FEDERATION =
      List.of(
          "federation",
          "run",
          "sites",
          "network",
          "hears",
          "weights",
          "policy",
          "precision",
          "askers",
          "analysts",
          "quorum",
          "dictionary",
          "amendment");

  private final PlanFields fields;

  private PlanReader(PlanFields fields) {
    this.fields = fields;
  }

  /** All keys of a plan. */
  private static List<String> keys() {
    List<String> keys = new ArrayList<>(FEDERATION);
    PlanKeys.ALL.forEach(key -> keys.add(key.name()));
    return keys;
  }

  /** The plan in a file; every problem is a line that begins with the file's name. */
  public static WrittenPlan read(Path file) {
    String text = YamlTree.text(file);
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
    PlanFields fields = PlanFields.of(text, keys());
    Plan plan = fields.unreadable() ? null : new PlanReader(fields).plan();
    if (plan == null || !fields.areWell()) {
      throw fields.refusal();
    }
    return new WrittenPlan(plan, text, fields.lines());
  }

  /**
   * The plan of one question to a standing federation; its problems are those of a plan.
   *
   * @param run the question's own word
   * @param lines the question's words, {@code key: words}
   */
  public static Plan asking(Plan standing, String run, List<String> lines) {
    StringBuilder text = new StringBuilder();
    for (String line : lines) {
      int colon = line.indexOf(": ");
      if (colon < 0) {
        throw new InvalidInput("question: a line is `key: words`; got `%s`".formatted(line));
      }
      text.append(line, 0, colon + 2)
          .append('\'')
          .append(line.substring(colon + 2).replace("'", "''"))
          .append("'\n");
    }
    PlanFields fields =
        PlanFields.of(text.toString(), PlanKeys.ALL.stream().map(Key::name).toList());
    PlanReader reader = new PlanReader(fields);
    Question question = fields.unreadable() ? null : reader.question();
    if (question != null && fields.areWell()) {
      reader.checkMethod(
          standing.federation(), standing.federation().schedule(standing.linksSeed()), question);
    }
    if (question == null || !fields.areWell()) {
      throw new InvalidInput(
          String.valueOf(fields.refusal().getMessage()).replaceAll("(?m)^line \\d+: ", ""));
    }
    return standing.asking(run, question);
  }

  private @Nullable Plan plan() {
    Federation federation = federation();
    String run = fields.required("run", "a word that no earlier run had", PlanReader::word);
    Question question = standing() ? nothingYet() : question();
    if (federation != null && federation.sites().size() > 1 && fields.areWell()) {
      checkNetwork(federation, question);
    }
    return federation == null || run == null || !fields.areWell()
        ? null
        : new Plan(federation, run, question);
  }

  private @Nullable Federation federation() {
    String name =
        fields.required("federation", "a name for it, such as `heart-study`", word -> word);
    SitesReader reader = new SitesReader(fields);
    List<Site> sites = reader.sites();
    Listening listening = reader.listening(sites);
    String weights =
        fields.optional(
            "weights", listening == null ? "uniform" : listening.usualWeights(), word -> word);
    Policy policy = fields.optional("policy", new Policy.Wait(), Policy::parse);
    WirePrecision precision =
        fields.optional("precision", WirePrecision.FLOAT64, WirePrecision::parse);
    return name == null || listening == null
        ? null
        : new Federation(
            name,
            sites,
            listening,
            weights,
            policy,
            precision,
            askers(sites),
            analysts(sites),
            quorum(sites),
            fields.dictionary("dictionary"),
            fields.optional("amendment", 0, PlanReader::amendment));
  }

  private static int amendment(String text) {
    if (!text.matches("[1-9][0-9]{0,8}")) {
      throw new InvalidInput(
          "amendment: must be a whole number from 1 on; got `%s`".formatted(text));
    }
    return Integer.parseInt(text);
  }

  private int quorum(List<Site> sites) {
    int quorum =
        fields.optional(
            "quorum",
            0,
            text -> {
              if (!text.matches("[1-9][0-9]{0,4}")) {
                throw new InvalidInput(
                    "quorum: must be a whole number of sites, at least 2; got `%s`"
                        .formatted(text));
              }
              return Integer.parseInt(text);
            });
    // After one has left there may be as many as the quorum; then only the authority ends a part.
    fields.require(
        quorum == 0 || (quorum >= 2 && quorum <= sites.size()),
        "quorum",
        "quorum: must be at least 2, so that no site alone ends another's part, and at most %d, the sites; got %d"
            .formatted(sites.size(), quorum));
    return quorum;
  }

  private List<String> askers(List<Site> sites) {
    List<String> names = sites.stream().map(Site::name).toList();
    List<String> askers = members("askers");
    for (String asker : askers) {
      fields.require(
          names.contains(asker),
          "askers",
          "`%s` is not a site of this plan%s; members without data stand under `analysts`"
              .formatted(asker, NearestName.hint(asker, names)));
    }
    return askers;
  }

  private List<String> analysts(List<Site> sites) {
    List<String> analysts = members("analysts");
    for (String analyst : analysts) {
      fields.attempt(fields.line("analysts"), () -> Site.requireName(analyst));
      fields.require(
          sites.stream().noneMatch(site -> site.name().equals(analyst)),
          "analysts",
          "`%s` is a site of this plan; sites that may ask stand under `askers`"
              .formatted(analyst));
    }
    return analysts;
  }

  private List<String> members(String key) {
    List<String> names = new ArrayList<>();
    for (String words : fields.words(key, Key.Form.LIST)) {
      names.addAll(List.of(words.split("[,\\s]+")));
    }
    fields.require(
        names.stream().distinct().count() == names.size(), key, "each may be named once");
    return names;
  }

  /** Whether no line of the plan asks anything. */
  private boolean standing() {
    return PlanKeys.ALL.stream()
        .noneMatch(key -> !key.equals(ClientKeys.SEED) && fields.has(key.name()));
  }

  /** The seed alone, which draws the links of a random network. */
  private Question nothingYet() {
    Words words = new Words(Words.Style.KEYS);
    List<String> said = fields.words(ClientKeys.SEED.name(), Key.Form.VALUE);
    if (!said.isEmpty()) {
      words.put(
          ClientKeys.SEED.name(),
          new Words.Said(said, "line " + fields.line(ClientKeys.SEED.name())));
    }
    Problems problems = new Problems();
    Question question = Question.read(Plan.NOTHING, words, problems);
    problems.each(fields::add);
    return question;
  }

  /** What is asked; its problems are those of a fit's options, each with its line. */
  private Question question() {
    Words words = new Words(Words.Style.KEYS);
    for (Key<?> key : PlanKeys.ALL) {
      List<String> said = fields.words(key.name(), key.form());
      if (!said.isEmpty()) {
        List<String> split = said.size() == 1 ? key.split(said.getFirst()) : said;
        words.put(key.name(), new Words.Said(split, "line " + fields.line(key.name())));
      }
    }
    Problems problems = new Problems();
    Question question = PlanKeys.read(words, problems);
    if (QuestionKind.of(question) != QuestionKind.DESCRIBE) {
      checkModel(question, words, problems);
    }
    problems.each(fields::add);
    return question;
  }

  /** What is wrong with a model beyond single keys. */
  private void checkModel(Question question, Words words, Problems problems) {
    problems.require(
        words.says(ModelKeys.FORMULA),
        "line 1: `formula` must be given: the model formula, such as `y ~ x + z`");
    problems.require(
        words.says(ModelKeys.FAMILY) || words.says(ModelKeys.LOSS),
        "line 1: `family` must be given: gaussian, binomial, poisson, … (or `loss`: huber:DELTA, …)");
    if (problems.any()) {
      return;
    }
    collect(
        words.says(ModelKeys.LOSS) ? ModelKeys.LOSS : ModelKeys.FAMILY,
        () -> SuitedModel.of(question),
        problems);
    Problems own = new Problems();
    MethodKeys.check(question, words, own);
    if (MethodKeys.pooled(question)) {
      PooledKeys.check(question, own);
    }
    own.each(
        problem ->
            problems.add(
                problem.startsWith("line ")
                    ? problem
                    : "line %d: %s".formatted(fields.line("algorithm"), problem)));
  }

  private void collect(Key<?> key, java.util.function.Supplier<?> step, Problems problems) {
    try {
      var _ = step.get();
    } catch (InvalidInput e) {
      problems.add("line %d: %s".formatted(fields.line(key.name()), e.getMessage()));
    }
  }

  private void checkNetwork(Federation federation, Question question) {
    String key = fields.has("network") ? "network" : "hears";
    NetworkSchedule schedule =
        fields.attempt(fields.line(key), () -> federation.schedule(question.get(ClientKeys.SEED)));
    if (schedule == null) {
      return;
    }
    List<String> apart = Exposure.apartFromFirst(federation.sites(), schedule.union());
    if (!apart.isEmpty()) {
      fields.add(
          fields.line(key),
          "every site must reach every other, directly or through others; no path leads from %s to %s"
              .formatted(federation.names().getFirst(), String.join(", ", apart)));
      return;
    }
    checkMethod(federation, schedule, question);
  }

  /** Whether the network and the data suit the method that is asked for. */
  private void checkMethod(Federation federation, NetworkSchedule schedule, Question question) {
    if (QuestionKind.of(question) != QuestionKind.FIT) {
      return;
    }
    if (question.says(MethodKeys.PRIVACY)) {
      var _ =
          fields.attempt(
              fields.line("privacy"), () -> MethodKeys.gradientPrivacy(question, schedule.union()));
    }
    if (!MethodKeys.pooled(question)) {
      AlgorithmChoice choice = MethodKeys.choice(question);
      Optional<Privacy> privacy = question.find(MethodKeys.PRIVACY);
      Class<? extends Local> data =
          privacy.isPresent() ? Local.class : ShardsLocal.kind(ModelKeys.loss(question));
      NetworkSchedule impaired =
          fields.attempt(fields.line("activation"), () -> MethodKeys.impaired(question, schedule));
      if (impaired == null) {
        return;
      }
      new Suitability(impaired, data, SuitedModel.of(question), question.get(MethodKeys.MIX))
          .unmet(choice)
          .forEach(problem -> fields.add(fields.line("algorithm"), problem));
      question
          .find(MethodKeys.IDENTIFY)
          .ifPresent(
              rate -> {
                var _ =
                    fields.attempt(
                        fields.line("identify"),
                        () -> {
                          LiarIdentification.require(rate, impaired, ModelKeys.loss(question));
                          return rate;
                        });
              });
      fields.require(
          !(question.says(MethodKeys.CODEC) || choice.descriptor().compresses())
              || federation.policy() instanceof Policy.Wait,
          "algorithm",
          "messages with a codec, and those of choco, beer and lead, work only with `policy: wait`:"
              + " none of them may be missing");
      if (privacy.isPresent()) {
        fields.require(
            !(privacy.get().noise() instanceof Privacy.Noise.Correlated)
                || federation.policy() instanceof Policy.Wait,
            "privacy",
            "correlated noise works only with `policy: wait`: the noise of two sites cancels where"
                + " both take part in every round");
      }
    }
  }

  private static String word(String text) {
    if (!text.matches("[A-Za-z0-9_-]{1,64}")) {
      throw new InvalidInput("run: must be a word of letters and digits; got `%s`".formatted(text));
    }
    return text;
  }
}
