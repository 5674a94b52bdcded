package ngd.app.federation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import ngd.app.Command;
import ngd.app.QuickStart;
import ngd.core.InvalidInput;
import ngd.core.data.TableAddress;
import ngd.core.formula.Dictionary;
import ngd.peer.identity.PeerIdentity;
import ngd.peer.plan.PlanTemplate;
import ngd.peer.plan.Site;
import ngd.peer.standing.MemberFolder;
import ngd.peer.standing.QuestionWatch;
import ngd.peer.standing.SignedStatement;
import ngd.peer.standing.Statement;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Questions to three sites and an analyst without data, real processes over mutual TLS. The oracle
 * is the rehearsal of the same question, {@code ngd fit --site …}.
 */
@ExtendWith(QuickStart.class)
class StandingFederationTest {
  private static final List<String> SITES = List.of("a", "b", "c");

  private static final String DICTIONARY = "smoker: boolean\nsex: {levels: [m, f]}\n";

  /** How many questions are asked while peers are killed; 20 in the longer run. */
  private static final int QUESTIONS = Integer.getInteger("ngd.questions", 2);

  @TempDir static Path dir;
  private static LocalFederation federation;
  private static int asked;

  private static Path write(Path file, int site) throws IOException {
    StringBuilder rows = new StringBuilder("y,x,z,g,count,positive,t,w,secret,smoker,sex\n");
    for (int i = 0; i < 60; i++) {
      int k = i + 60 * site;
      rows.append(
          "%d,%s,%s,%s,%d,%s,%d,%d,%d,%s,%s%n"
              .formatted(
                  k * 7 % 11 % 2,
                  k * 13 % 17 / 4.0,
                  i % 19 == 0 ? "NA" : Double.toString(k * 5 % 23 / 5.0),
                  List.of("u", "v", "w").get(k * 3 % 7 % 3),
                  k * 11 % 13 % 5,
                  1 + k * 17 % 29 / 3.0,
                  1 + k % 4,
                  1 + k % 2,
                  k % 3,
                  // As people write them: the dictionary says that they are the same.
                  site == 0 ? Boolean.toString(k % 5 < 2) : k % 5 < 2 ? "1" : "0",
                  site == 2 && i < 6 ? "x" : k * 3 % 7 < 3 ? "f" : "m"));
    }
    return Files.writeString(file, rows);
  }

  private static LocalFederation make(Path folder, PlanTemplate plan) throws IOException {
    List<TableAddress> data = new ArrayList<>();
    for (String site : SITES) {
      Path table = write(dir.resolve(site + ".csv"), SITES.indexOf(site));
      data.add(TableAddress.of(site, table.toString()));
    }
    Files.createDirectories(folder);
    List<Site> sites = new ArrayList<>();
    SITES.forEach(site -> sites.add(new Site(site, "127.0.0.1", 7000 + sites.size())));
    LocalFederation made =
        LocalFederation.make(folder, plan.with("network", "complete").text(sites), data);
    for (String site : SITES) {
      Files.writeString(
          made.site(site).resolve("site.yaml"),
          // Questions over rows with and without missing values differ in single rows.
          """
          kinds: [pooled, pooled-rounds, methods, describe, describe-by-site, curves-by-site,
            cross-validation, check]
          hidden: [secret]
          differencing: off
          """);
    }
    made.start();
    return made;
  }

  @BeforeAll
  static void start() throws IOException {
    federation =
        make(
            dir.resolve("standing"),
            new PlanTemplate()
                .with(Dictionary.read(Files.writeString(dir.resolve("dictionary"), DICTIONARY)))
                .with("analysts", "ann"));
  }

  @AfterAll
  static void stop() {
    federation.close();
  }

  private static void await(String what, BooleanSupplier condition) {
    long begin = System.nanoTime();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - begin).as(what).isLessThan(TimeUnit.SECONDS.toNanos(120));
      LockSupport.parkNanos(2_000_000);
    }
  }

  private static Command ask(String member, String options, Path out) {
    return ask(federation, member, options, out);
  }

  private static Command ask(LocalFederation of, String member, String options, Path out) {
    List<String> words =
        new ArrayList<>(List.of("federation", "ask", "--member", of.site(member).toString()));
    words.addAll(List.of("--out", out.toString()));
    words.addAll(split(options));
    return Command.run(words.toArray(String[]::new));
  }

  /** Words between blanks; quotes keep words together. */
  private static List<String> split(String options) {
    List<String> words = new ArrayList<>();
    var found = java.util.regex.Pattern.compile("'([^']*)'|(\\S+)").matcher(options);
    while (found.find()) {
      words.add(found.group(1) == null ? found.group(2) : found.group(1));
    }
    return words;
  }

  private static Path rehearse(String options, List<String> sites) {
    Path out = dir.resolve("fit" + asked++);
    List<String> words = new ArrayList<>(List.of("fit", "--network", "complete"));
    sites.forEach(site -> words.addAll(List.of("--site", site + "=" + dir.resolve(site + ".csv"))));
    words.addAll(List.of("--out", out.toString()));
    words.addAll(split(options));
    Command fit = Command.run(words.toArray(String[]::new));
    assertThat(fit.code()).as(fit.err()).isZero();
    return out;
  }

  private static void requireSame(Path answer, Path rehearsal, String table) throws IOException {
    assertThat(answer.resolve(table)).hasSameTextualContentAs(rehearsal.resolve(table));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--formula 'y ~ x + g' --family binomial",
        "--formula 'y ~ x + z' --family binomial --link probit --na NA",
        "--formula 'positive ~ x + z + g' --na NA --robust --level 0.9 --heterogeneity",
        "--formula 'positive ~ x' --cluster site",
        "--formula 'y ~ x' --family binomial --meta",
        "--formula 'positive ~ y + x' --treatment 'y ~ x + g' --estimand att",
        "--formula 'Surv(positive, y) ~ x + g + strata(site)' --ties breslow --robust",
        "--formula 'g ~ x + t' --family multinomial --penalty lasso --lambda-count 8 --folds 5",
        "--formula 'positive ~ x + t' --family gamma --penalty elastic-net:0.5 --lambda 0.05",
        "--formula 'positive ~ x + g' --ridge 0.1",
        "--formula 'count ~ x + offset(log(t)) + weights(w)' --family poisson",
        "--formula 'positive ~ log(1 + x)' --family gamma",
        "--formula 'count ~ x' --family negative-binomial:2",
        "--formula 'count ~ x + g' --family negative-binomial",
        "--formula 'positive ~ ns(x, df = 3) + C(g, contr.sum)' --family inverse-gaussian --link"
            + " log --test 'C(g, contr.sum)1 = 0; C(g, contr.sum)2 = 0'",
        "--formula 'cbind(count, w) ~ bs(x, df = 4) + poly(t, 2)' --family quasi-binomial"
            + " --link cloglog",
        "--formula 'g ~ x' --family multinomial --anova --test 'v:x = w:x'",
        "--formula 'g ~ x + offset(log(t)) + weights(w)' --family ordered --order 'w<u<v' --link"
            + " probit",
        "--formula 'count ~ x' --family ordered --exponentiate",
        "--formula 'Surv(positive, y) ~ strata(g)' --conf-type log-log --tau 7",
        "--formula 'Surv(positive, y) ~ strata(g) + weights(t + 0.5)'",
        "--formula 'Surv(positive, y) ~ strata(site)' --times 4,8,11",
        "--formula 'Surv(positive, count) ~ 1'",
        "--formula 'y ~ x + g' --family binomial --algorithm pooled-rounds"
      })
  void ask_everyKind_sameBitsAsRehearsal(String options) throws IOException {
    // A site and an analyst in turn.
    String member = options.hashCode() % 2 == 0 ? "b" : "ann";
    Path out = dir.resolve("ask" + asked++);
    Command answer = ask(member, options, out);
    assertThat(answer.code()).as(answer.err()).isZero();
    Path rehearsal = rehearse(options, SITES);
    boolean curves = options.contains("Surv(") && !options.contains("x +");
    requireSame(out, rehearsal, curves ? "curves.csv" : "coefficients.csv");
    for (String more :
        List.of(
            "vcov.csv",
            "incidence.csv",
            "meta.csv",
            "balance.csv",
            "imputation.csv",
            "path.csv",
            "cv.csv")) {
      if (Files.exists(rehearsal.resolve(more))) {
        requireSame(out, rehearsal, more);
      }
    }
    assertThat(answer.out()).contains(curves ? "mean to" : "x");
    assertThat(options.contains("--meta")).isEqualTo(Files.exists(out.resolve("meta.csv")));
    assertThat(out.resolve("manifest.json")).exists();
  }

  /** Sites fill their gaps with numbers that nobody else has: alike up to what is drawn. */
  @Test
  void ask_imputation_asRehearsalUpToDraws() throws IOException {
    String options = "--formula 'positive ~ x + z' --impute 20 --na NA";
    Path out = dir.resolve("ask" + asked++);
    Command answer = ask("ann", options, out);
    assertThat(answer.code()).as(answer.err()).isZero();
    JsonNode found = json(out);
    JsonNode expected = json(rehearse(options, SITES));
    assertThat(found.at("/imputation/variables")).isEqualTo(expected.at("/imputation/variables"));
    for (int j = 0; j < expected.get("coefficients").size(); j++) {
      JsonNode one = expected.get("coefficients").get(j);
      assertThat(found.get("coefficients").get(j).get("estimate").asDouble())
          .as(one.get("term").asString())
          .isNotEqualTo(one.get("estimate").asDouble())
          .isCloseTo(one.get("estimate").asDouble(), within(one.get("stdError").asDouble()));
    }
    assertThat(out.resolve("imputation.csv")).exists();
  }

  private static JsonNode json(Path folder) throws IOException {
    return JsonMapper.shared().readTree(Files.readString(folder.resolve("result.json")));
  }

  /** The effects of a site's groups are in its folder, and in what nobody else gets. */
  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {
        "b, linear mixed model, --formula 'positive ~ x + (1 | g)' --reml no --anova --level 0.8",
        "ann, generalized linear mixed model, --formula 'count ~ x + (1 | g)' --family poisson"
            + " --quadrature 4 --exponentiate"
      })
  void ask_randomTerms_sameBitsAsRehearsalAndEffectsStay(String member, String name, String options)
      throws IOException {
    Path out = dir.resolve("ask" + asked++);
    Command answer = ask(member, options, out);
    assertThat(answer.code()).as(answer.err()).isZero();
    assertThat(answer.out()).contains(name, "Random effects:", "g: 9 groups");
    Path rehearsal = rehearse(options, SITES);
    for (String table : List.of("coefficients.csv", "vcov.csv", "variances.csv")) {
      requireSame(out, rehearsal, table);
    }
    assertThat(out.resolve("random_effects.csv")).doesNotExist();
    for (String site : SITES) {
      try (var answers = Files.walk(federation.site(site).resolve("answers"))) {
        List<Path> kept =
            answers.filter(file -> file.endsWith("random_effects.csv")).sorted().toList();
        assertThat(kept).isNotEmpty();
        assertThat(kept.getLast())
            .hasSameTextualContentAs(
                rehearsal.resolve("sites").resolve(site).resolve("random_effects.csv"));
      }
      try (var said = Files.walk(federation.site(site).resolve("questions"))) {
        for (Path file : said.filter(Files::isRegularFile).toList()) {
          assertThat(Files.readString(file)).doesNotContain("random_effects");
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--formula 'positive ~ x' --algorithm ngd --alpha 0.01 --rounds 30",
        "--formula 'y ~ x' --family binomial --algorithm diging --alpha 0.01 --rounds 20",
        "--formula 'positive ~ x' --algorithm fedavg --alpha 0.01 --local-steps 3 --rounds 10"
      })
  void ask_method_sameBitsAsRehearsal(String options) throws IOException {
    Path out = dir.resolve("ask" + asked++);
    Command answer = ask("b", options, out);
    assertThat(answer.code()).as(answer.err()).isZero();
    List<String> theta = Files.readAllLines(rehearse(options, SITES).resolve("theta.csv"));
    // The second client is site b.
    assertThat(Files.readAllLines(out.resolve("theta.csv")).get(1)).isEqualTo(theta.get(2));
  }

  /** Every other kind of question, asked by flags and by the manifest of its rehearsal. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "describe --columns x,z,g,y,positive --na NA --by-site",
        "describe --columns x,z,y,positive --na NA --by g --cross g,y --histogram x --correlation"
            + " x,z",
        "check --formula 'y ~ x + g' --family binomial --alpha 0.01"
      })
  void ask_otherKind_sameBitsAsRehearsal(String question) throws IOException {
    String kind = question.substring(0, question.indexOf(' '));
    String options = question.substring(kind.length() + 1);
    List<String> words = new ArrayList<>(List.of(kind));
    SITES.forEach(site -> words.addAll(List.of("--site", site + "=" + dir.resolve(site + ".csv"))));
    if (kind.equals("check")) {
      words.addAll(List.of("--network", "complete"));
    }
    Path rehearsal = dir.resolve("rehearsal" + asked++);
    words.addAll(List.of("--out", rehearsal.toString()));
    words.addAll(split(options));
    Command rehearsed = Command.run(words.toArray(String[]::new));
    assertThat(rehearsed.code()).as(rehearsed.err()).isZero();
    Path byFlags = dir.resolve("ask" + asked++);
    Command answer = ask("ann", "--kind %s %s".formatted(kind, options), byFlags);
    assertThat(answer.code()).as(answer.err()).isZero();
    // By the manifest of the rehearsal, or of the answer, in turn.
    Path manifest = (kind.equals("check") ? byFlags : rehearsal).resolve("manifest.json");
    Path byManifest = dir.resolve("ask" + asked++);
    Command again = ask("b", "'%s'".formatted(manifest), byManifest);
    assertThat(again.code()).as(again.err()).isZero();
    for (Path out : List.of(byFlags, byManifest)) {
      for (String table : tables(rehearsal)) {
        requireSame(out, rehearsal, table);
      }
      assertThat(tables(out)).isEqualTo(tables(rehearsal)).isNotEmpty();
      String document = kind.equals("check") ? "check.json" : "description.json";
      assertThat(document(out.resolve(document))).isEqualTo(document(rehearsal.resolve(document)));
      assertThat(out.resolve("result.json")).doesNotExist();
    }
  }

  private static List<String> tables(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".csv"))
          .sorted()
          .toList();
    }
  }

  /** A document without what is of one site. */
  private static JsonNode document(Path file) throws IOException {
    ObjectNode json = (ObjectNode) JsonMapper.shared().readTree(Files.readString(file));
    json.remove("site");
    json.remove("plan");
    json.remove("exposure");
    return json;
  }

  @Test
  void ask_kindThatTheSiteDoesNotAnswer_isRefused() throws IOException {
    Path policy = federation.site("c").resolve("site.yaml");
    String before = Files.readString(policy);
    Files.writeString(policy, "hidden: [secret]\ndifferencing: off\n");
    try {
      Command check = ask("a", "--kind check --formula 'positive ~ x'", dir.resolve("noc"));
      assertThat(check.code()).isEqualTo(1);
      assertThat(check.err())
          .contains("c refuses: this site answers questions of kind pooled, describe, not check");
      Command every = ask("a", "--kind describe", dir.resolve("noe"));
      assertThat(every.code()).isEqualTo(1);
      assertThat(every.err()).contains("a description without `columns` takes every column");
      Command mixed = ask("a", "--kind describe --columns x --formula 'y ~ x'", dir.resolve("nom"));
      assertThat(mixed.code()).isEqualTo(2);
      assertThat(mixed.err()).contains("--formula: works only with --kind fit or --kind check");
      Command unknown = ask("a", "--kind descibe", dir.resolve("nou"));
      assertThat(unknown.code()).isEqualTo(2);
      assertThat(unknown.err())
          .contains("--kind: must be fit, describe, check")
          .contains("descibe");
    } finally {
      Files.writeString(policy, before);
    }
  }

  /** What came back predicts as what a rehearsal came to. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "--formula 'y ~ x + g' --family binomial",
        "--formula 'g ~ x' --family multinomial",
        "--formula 'g ~ x' --family ordered --order 'w<u<v'"
      })
  void predict_fromAnAnswer_asFromTheRehearsal(String options) throws IOException {
    Path out = dir.resolve("ask" + asked++);
    Command answer = ask("ann", options, out);
    assertThat(answer.code()).as(answer.err()).isZero();
    List<String> predicted = new ArrayList<>();
    for (Path model : List.of(out, rehearse(options, SITES))) {
      Path to = dir.resolve("predicted" + asked++ + ".csv");
      Command predict =
          Command.line(
              "predict --model %s --data %s --out %s".formatted(model, dir.resolve("b.csv"), to));
      assertThat(predict.code()).as(predict.err()).isZero();
      predicted.add(Files.readString(to));
    }
    assertThat(predicted.getFirst()).hasLineCount(61).isEqualTo(predicted.getLast());
  }

  /**
   * What sites write in different ways is one column, and what does not fit is named where it is.
   */
  @Test
  void ask_columnsOfTheDictionary_sameBitsAsRehearsalAndMisfitsNamed() throws IOException {
    String options = "--formula 'positive ~ smoker + x'";
    Path out = dir.resolve("ask" + asked++);
    Command answer = ask("ann", options, out);
    assertThat(answer.code()).as(answer.err()).isZero();
    String dictionary = " --dictionary '%s'".formatted(dir.resolve("dictionary"));
    requireSame(out, rehearse(options + dictionary, SITES), "coefficients.csv");
    Command odd = ask("a", "--formula 'positive ~ sex'", dir.resolve("odd"));
    assertThat(odd.code()).isEqualTo(1);
    assertThat(odd.err())
        .contains("c: its column sex holds values that the dictionary does not know")
        .doesNotContain("`x`");
  }

  @Test
  void ask_hiddenColumn_isRefusedWithSiteAndReasonAndFederationStands() {
    Command refused = ask("a", "--formula 'y ~ secret' --family binomial", dir.resolve("no1"));
    assertThat(refused.code()).isEqualTo(1);
    assertThat(refused.err()).containsPattern("[abc] refuses: column `secret` is not shared");
    assertThat(dir.resolve("no1")).doesNotExist();
    assertThat(ask("a", "--formula 'y ~ x' --family binomial", dir.resolve("yes1")).code())
        .isZero();
  }

  /** A question of two months ago, as a clock that jumped would have it. */
  @Test
  void ask_questionThatItsOwnPeerDoesNotTake_isSaidToWhoeverWaits() {
    PeerIdentity identity = Members.open(federation.site("a"), null);
    SignedStatement old =
        SignedStatement.by(
            identity,
            new Statement.Asked(
                Instant.now().minus(Duration.ofDays(60)),
                Members.hash(identity),
                PlanTemplate.newRun(),
                List.of("formula: y ~ x", "family: binomial")));
    MemberFolder folder = Members.folder(identity);
    folder.ask(old);
    QuestionWatch watch = new QuestionWatch(identity, folder, old);
    List<String> said = new ArrayList<>();
    await(
        "the peer says why",
        () -> {
          try {
            return watch.look().over();
          } catch (InvalidInput refused) {
            said.add(refused.getMessage());
            return true;
          }
        });
    assertThat(said).hasSize(1);
    assertThat(said.getFirst())
        .contains("the peer of this folder did not take it", "must be asked within the last");
    assertThat(Command.line("peer questions " + federation.site("a")).out())
        .contains("not taken by the peer: question %s: ".formatted(old.name()), "within the last");
  }

  /**
   * A mistake in a site's rules refuses, and tells others neither where they lie nor what they say.
   */
  @Test
  void ask_rulesThatCannotBeRead_isRefusedWithoutTheirWords() throws IOException {
    Path policy = federation.site("c").resolve("site.yaml");
    String before = Files.readString(policy);
    Path log = federation.site("c").resolve("log.err");
    // With such rules it would not start.
    await("c is up", () -> read(log).contains("standing member=c"));
    Files.writeString(policy, "hidden: [secret]\nhiden: [x]\n");
    try {
      Command refused = ask("a", "--formula 'y ~ x' --family binomial", dir.resolve("nor"));
      assertThat(refused.code()).isEqualTo(1);
      assertThat(refused.err())
          .contains("c refuses: its rules, site.yaml, cannot be read; its own log says why")
          .doesNotContain("hiden")
          .doesNotContain(policy.toString());
      assertThat(read(log)).contains("rules-not-readable").contains("unknown key `hiden`");
    } finally {
      Files.writeString(policy, before);
    }
  }

  /** Whoever starts a peer learns at once whether it can read its data. */
  @Test
  void run_aPeer_looksAtItsDataFirst() {
    Path log = federation.site("a").resolve("log.err");
    await("a looks at its data", () -> read(log).contains("data-readable columns=11"));
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What is wrong with a site's own data is found there, alone. */
  @Test
  void check_aSiteAlone_saysWhatIsWrongWithItsData() throws IOException {
    String folder = federation.site("b").toString();
    String data = dir.resolve("b.csv").toString();
    Command well =
        Command.run("peer", "check", "--in", folder, "--data", data, "--formula", "y ~ x + g");
    assertThat(well.code()).as(well.err()).isZero();
    assertThat(well.out())
        .contains("60 rows, 60 of them complete")
        .contains("(Intercept), x, gv, gw")
        .contains("rules do not object");
    Command missing =
        Command.run("peer", "check", "--in", folder, "--data", data, "--formula", "y ~ q");
    assertThat(missing.code()).isEqualTo(2);
    assertThat(missing.err()).contains("q");
    StringBuilder rows = new StringBuilder("y,b\n");
    for (int i = 0; i < 30; i++) {
      rows.append("%d,%d%n".formatted(i * 7 % 11, i < 2 ? 1 : 0));
    }
    String two = Files.writeString(dir.resolve("two.csv"), rows).toString();
    Command few = Command.run("peer", "check", "--in", folder, "--data", two, "--formula", "y ~ b");
    assertThat(few.code()).isEqualTo(2);
    assertThat(few.err()).contains("nfilter.tab");
  }

  /** What a question is refused for while all are online, it is refused for alone. */
  @Test
  void check_whatTheSitesPolicyForbids_isSaid() throws IOException {
    Path alone = Files.createDirectories(dir.resolve("alone"));
    String data = dir.resolve("b.csv").toString();
    for (String policy :
        List.of("hidden: [x]", "columns: [y, g]", "kinds: [describe]", "kinds: [methods]")) {
      Files.writeString(alone.resolve("site.yaml"), policy + "\n");
      Command refused =
          Command.run(
              "peer", "check", "--member", alone.toString(), "--data", data, "--formula", "y ~ x");
      assertThat(refused.code()).as(policy).isEqualTo(2);
      assertThat(refused.err())
          .contains("site.yaml) do not allow the question: ")
          .contains(
              policy.startsWith("kinds")
                  ? "this site answers questions of kind"
                  : "column `x` is not shared");
    }
    Files.writeString(alone.resolve("site.yaml"), "hidden: [x]\n");
    Command described =
        Command.run(
            "peer",
            "check",
            "--kind",
            "describe",
            "--columns",
            "x",
            "--member",
            alone.toString(),
            "--data",
            data);
    assertThat(described.code()).isEqualTo(2);
    assertThat(described.err()).contains("column `x` is not shared");
  }

  @Test
  void ask_wrongOptions_isRefusedBeforeAnythingIsAsked() throws IOException {
    Path in = federation.site("a").resolve("questions").resolve("in");
    Command wrong = ask("a", "--formula 'y ~ x' --family binomail", dir.resolve("no2"));
    assertThat(wrong.code()).isEqualTo(2);
    assertThat(wrong.err()).contains("family").contains("binomail");
    try (var files = Files.list(in)) {
      assertThat(files).isEmpty();
    }
  }

  @Test
  void ask_byHand_waitsForApprovalAndRefusalNamesTheReason() throws Exception {
    Path policy = federation.site("c").resolve("site.yaml");
    String before = Files.readString(policy);
    Files.writeString(policy, before + "approve: by-hand\n");
    try {
      String folder = federation.site("c").toString();
      for (boolean approve : new boolean[] {true, false}) {
        Path out = dir.resolve("hand" + approve);
        CompletableFuture<Command> answer =
            CompletableFuture.supplyAsync(
                () -> ask("ann", "--formula 'y ~ x' --family binomial --level 0.8", out));
        await(
            "the question waits at c",
            () -> Command.line("peer questions --open " + folder).out().contains("waiting"));
        assertThat(Command.line("peer status " + folder).out())
            .containsPattern(
                "c: question [0-9a-f]{12} of ann is waiting for [abc, ]+: y ~ x, binomial");
        String listed = Command.line("peer questions --open " + folder).out();
        String number = listed.lines().skip(1).findFirst().orElseThrow().split(" ", -1)[0];
        Command decided =
            approve
                ? Command.run("peer", "approve", number, "--in", folder)
                : Command.run(
                    "peer",
                    "refuse",
                    number,
                    "--in",
                    folder,
                    "--why",
                    "the ethics board meets in May");
        assertThat(decided.code()).as(decided.err()).isZero();
        Command ended = answer.get(120, TimeUnit.SECONDS);
        assertThat(ended.code()).as(ended.err()).isEqualTo(approve ? 0 : 1);
        if (!approve) {
          assertThat(ended.err()).contains("c refuses: the ethics board meets in May");
        }
      }
    } finally {
      Files.writeString(policy, before);
    }
  }

  @Test
  void ask_peersKilledMeanwhile_sameAnswers() throws Exception {
    for (int i = 0; i < QUESTIONS; i++) {
      String options =
          "--formula 'positive ~ x + g' --algorithm %s --level 0.%d"
              .formatted(i % 2 == 0 ? "pooled-rounds" : "pooled", 80 + i % 10);
      Path out = dir.resolve("killed" + i);
      String member = i % 2 == 0 ? "a" : "ann";
      CompletableFuture<Command> answer =
          CompletableFuture.supplyAsync(() -> ask(member, options, out));
      if (i % 4 < 2) {
        federation.stop("b");
        federation.start("b");
      }
      Command ended = answer.get(180, TimeUnit.SECONDS);
      assertThat(ended.code()).as(ended.err()).isZero();
      requireSame(out, rehearse(options, SITES), "coefficients.csv");
    }
  }

  @Test
  void log_lineRemoved_isDetected() throws IOException {
    assertThat(
            ask("b", "--formula 'y ~ z' --family binomial --na NA", dir.resolve("logged")).code())
        .isZero();
    Path folder = federation.site("b");
    Path log = folder.resolve("questions").resolve("log.jsonl");
    assertThat(Command.line("peer log " + folder).code()).isZero();
    List<String> whole = Files.readAllLines(log);
    List<String> without = new ArrayList<>(whole);
    without.remove(whole.size() / 2);
    Path copy = dir.resolve("copy");
    copy(folder, copy);
    Files.write(copy.resolve("questions").resolve("log.jsonl"), without);
    Command cut = Command.line("peer log " + copy);
    assertThat(cut.code()).isEqualTo(2);
    assertThat(cut.err()).contains("a line was changed, removed or put in before it");
    Files.write(copy.resolve("questions").resolve("log.jsonl"), whole.subList(0, whole.size() - 1));
    Command shortened = Command.line("peer log " + copy);
    assertThat(shortened.code()).isEqualTo(2);
    assertThat(shortened.err()).contains("lines at its end are missing");
  }

  private static void copy(Path from, Path to) throws IOException {
    try (var files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Files.copy(
            file,
            to.resolve(from.relativize(file)),
            java.nio.file.StandardCopyOption.COPY_ATTRIBUTES);
      }
    }
  }

  @Test
  void leave_siteLostForGood_theRestGoOn() throws Exception {
    Path folder = dir.resolve("leaving");
    try (LocalFederation own = make(folder, new PlanTemplate().with("askers", "a, b"))) {
      String options = "--formula 'y ~ x + g' --family binomial";
      assertThat(ask(own, "a", options, dir.resolve("three")).code()).isZero();
      own.stop("c");
      CompletableFuture<Command> stuck =
          CompletableFuture.supplyAsync(() -> ask(own, "b", options, dir.resolve("stuck")));
      await(
          "the question waits for c",
          () ->
              Command.line("peer questions --open " + own.site("a")).out().contains("waiting  c")
                  || Command.line("peer questions --open " + own.site("a"))
                      .out()
                      .matches("(?s).*waiting +c .*"));
      Command leave =
          Command.line(
              "federation leave c %s --authority %s --out %s --member %s"
                  .formatted(
                      folder.resolve("plan.yaml"),
                      folder.resolve("authority"),
                      dir.resolve("kits"),
                      own.site("a")));
      assertThat(leave.code()).as(leave.err()).isZero();
      Command ended = stuck.get(120, TimeUnit.SECONDS);
      assertThat(ended.code()).isEqualTo(1);
      assertThat(ended.err()).contains("the federation has changed since it was asked");
      Command again = ask(own, "b", options, dir.resolve("two"));
      assertThat(again.code()).as(again.err()).isZero();
      requireSame(dir.resolve("two"), rehearse(options, List.of("a", "b")), "coefficients.csv");
      Command outsider = ask(own, "c", options, dir.resolve("gone"));
      assertThat(outsider.code()).isNotZero();
    }
  }
}
