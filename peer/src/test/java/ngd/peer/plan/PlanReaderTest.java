package ngd.peer.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import ngd.core.InvalidInput;
import ngd.peer.wire.Agreement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The oracle is the text itself: what it says, in which line. */
class PlanReaderTest {
  private static final String PLAN_OF_TWO =
      """
      federation: x
      run: r
      sites:
        - {name: a, address: 'h:1'}
        - {name: b, address: 'h:2'}
      network: complete
      formula: y ~ x
      family: gaussian
      """;

  @Test
  void parse_aPlan_givesWhatItSaysAndDefaults() {
    Plan plan = Plans.three().plan();
    assertThat(plan.names()).containsExactly("a", "b", "c");
    assertThat(plan.sites().get(2)).isEqualTo(new Site("c", "[::1]", 7402));
    assertThat(plan.pooled()).isTrue();
    assertThat(plan.federation().policy()).isEqualTo(new Policy.Wait());
    assertThat(plan.federation().precision()).isEqualTo(WirePrecision.FLOAT64);
    assertThat(plan.network().weight(0, 1)).isEqualTo(1.0 / 3);
    assertThat(plan.neighbours("a")).containsExactly("b", "c");
  }

  /** The scanner's buffer has 1,025 characters; a plan is the same wherever its emoji stands. */
  @Test
  void parse_aCharacterOfTwoHalvesAnywhere_isTheSamePlan() {
    for (int blanks = 900; blanks < 1100; blanks++) {
      String text = "#" + " ".repeat(blanks) + "\ud83d\ude00\n" + Plans.three().text();
      assertThat(PlanReader.parse(text).plan()).as("%d", blanks).isEqualTo(Plans.three().plan());
      String broken = "#" + " ".repeat(blanks) + "\ud83d";
      assertThat(problems(broken)).isNotEmpty();
    }
  }

  @Test
  void parse_manyProblems_tellsAllWithTheirLines() {
    String text =
        """
        federation: x
        run: first
        sites:
          - name: A
            address: h:1
          - name: b
            adress: h:2
        netwrk: ring:1
        formula: y
        family: binomal
        rounds: x
        privacy: epsilon=1
        """;
    assertThat(problems(text))
        .anySatisfy(p -> assertThat(p).startsWith("line 4:").contains("`A`"))
        .anySatisfy(p -> assertThat(p).startsWith("line 7:").contains("did you mean `address`?"))
        .anySatisfy(p -> assertThat(p).startsWith("line 8:").contains("did you mean `network`?"))
        .anySatisfy(p -> assertThat(p).startsWith("line 9:").contains("formula"))
        .anySatisfy(p -> assertThat(p).startsWith("line 10:").contains("did you mean `binomial`?"))
        .anySatisfy(p -> assertThat(p).startsWith("line 11:").contains("whole number"))
        .anySatisfy(p -> assertThat(p).startsWith("line 12:").contains("delta"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "network: ring:1|network: file:edges.csv|cannot refer to a file",
        "network: ring:1|network: ring:7|ring: K must lie in",
        "weights: metropolis|weights: metropolis:rows|a plan does not hold",
        "family: binomial|family: binomial¶family: poisson|may be given once",
        "run: first|run: [1, 2]|takes one value",
        "family: binomial|family: binomial¶algorithm: ngd¶alpha: 0.1¶rounds: 5¶policy:"
            + " drop¶privacy: epsilon=1,delta=1e-6,noise=correlated|works only with `policy: wait`",
        "family: binomial|family: binomial¶algorithm: ngd¶alpha: 0.1¶rounds: 5¶privacy:"
            + " epsilon=1,delta=1e-6,noise=correlated,colluders=2|may cut a site off",
        "family: binomial|family: binomial¶algorithm: ngd¶alpha: 0.1¶rounds: 5¶extrapolate:"
            + " true¶privacy: epsilon=1,delta=1e-6|each spend the budget",
        "family: binomial|family: binomial¶algorithm: ngd|`ngd` needs a learning rate",
        "family: binomial|family: binomial¶algorithm: pooled¶alpha: 0.1|works only with an"
            + " algorithm",
        "family: binomial|family: binomial¶algorithm: ngd¶alpha: 0.1¶rounds: 5¶policy:"
            + " drop¶codec: sign|work only with `policy: wait`",
        "family: binomial|family: binomial¶algorithm: sgp¶alpha: 0.1¶rounds: 5¶codec: sign|does not"
            + " only average rows",
        "family: binomial|family: binomial¶algorithm: choco¶alpha: 0.1¶rounds: 5¶codec:"
            + " error-feedback:sign|without error-feedback",
        "family: binomial|family: binomial¶policy: last:0|at least 1 round",
        "family: binomial|family: binomial¶precision: float16|is unknown",
        "network: ring:1|hears: {a: [b], b: [a], c: [d]}|`d` is not a site",
        "network: ring:1|hears: {a: [b], b: [a], c: [c]}|hears itself",
        "run: first|run: &x first|",
      })
  void parse_oneChange_isRefusedInItsWords(String old, String changed, String message) {
    String text = Plans.THREE.replace(old, changed.replace("¶", "\n"));
    if (message == null) {
      assertThat(PlanReader.parse(text).hash()).isEqualTo(Plans.three().hash());
    } else {
      assertThatThrownBy(() -> PlanReader.parse(text))
          .isInstanceOf(InvalidInput.class)
          .hasMessageContaining(message);
    }
  }

  @Test
  void parse_linksThatLeaveASiteApart_names() {
    String text =
        Plans.THREE
            .replace("  - name: c", "  - {name: d, address: 'd:1'}\n  - name: c")
            .replace("network: ring:1", "hears: {a: [b], b: [a], c: [d], d: [c]}");
    assertThat(problems(text)).singleElement().asString().contains("from a to d, c");
  }

  @Test
  void parse_noYaml_saysWhere() {
    assertThat(problems("a: b\n  c: [")).singleElement().asString().contains("line 2");
    assertThat(problems("")).isNotEmpty();
    assertThat(problems("- 1")).isNotEmpty();
    assertThat(problems("a: {b: {c: {d: {e: f}}}}")).singleElement().asString().contains("nested");
  }

  @Test
  void read_noFile_isRefused() {
    assertThatThrownBy(() -> PlanReader.read(Path.of("no-such-plan.yaml")))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("does not exist");
  }

  @Test
  void hash_otherLayoutAndComments_isTheSame() {
    String other =
        Plans.THREE.replace("# A comment.", "").replace("run: first", "run:   first # x");
    assertThat(PlanReader.parse(other).hash()).isEqualTo(Plans.three().hash());
    String changed = Plans.THREE.replace("run: first", "run: second");
    assertThat(PlanReader.parse(changed).hash()).isNotEqualTo(Plans.three().hash());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "network: ring:1|network: complete|line 11: here `network: ring:1`, there `network:"
            + " complete`",
        "localhost:7401|localhost:7411|line 8: here `site: b localhost:7401`, there",
        "family: binomial|family: binomial¶seed: 2|what is not written out: here `seed: 1`, there"
            + " `seed: 2`",
      })
  void difference_ofPlansThatDiffer_isTheLineChanged(String old, String changed, String expected) {
    WrittenPlan theirs = PlanReader.parse(Plans.THREE.replace(old, changed.replace("¶", "\n")));
    WrittenPlan own = Plans.three();
    Agreement here = new Agreement("00", String.join("\n", own.plan().canonical()), own.places());
    assertThat(here.difference(String.join("\n", theirs.plan().canonical()))).contains(expected);
  }

  private static String sites(int count) {
    StringBuilder named = new StringBuilder();
    for (int m = 0; m < count; m++) {
      named.append("  - {name: s%d, address: 'h:%d'}\n".formatted(m, m + 1));
    }
    return named.toString();
  }

  private static Plan plan(String network, String algorithm, int sites) {
    return PlanReader.parse(
            "federation: x\nrun: r\nsites:\n%snetwork: %s\nformula: y ~ x\nfamily: gaussian\nalgorithm: %s\n"
                .formatted(sites(sites), network, algorithm))
        .plan();
  }

  private static List<String> exposure(String network, String algorithm, int sites) {
    return Exposure.statements(plan(network, algorithm, sites));
  }

  @Test
  void exposure_ofSums_saysWhatCoalitionsLearn() {
    assertThat(exposure("ring:1", "pooled", 4))
        .containsExactly(
            "masked sums: each site learns sums over the other 3; any 2 together those over the"
                + " other 2; all 3 others together know a site's own terms");
    assertThat(exposure("ring:1", "pooled", 2))
        .containsExactly(
            "masked sums: with two sites each knows the other's terms, the sum minus its own; masks"
                + " hide nothing");
    // The probability: oracles/masks_oracle.py.
    assertThat(exposure("ring:1", "pooled", 300))
        .containsExactly(
            "masked sums: each site learns sums over the other 299; any 100 of the 300 together no"
                + " more than sums over the rest, but for a probability of at most 3e-13; the 32"
                + " that share masks with a site, drawn at random, and a neighbour of it together"
                + " know its own terms");
  }

  /** With the totals that a pooled answer publishes, no network is safe. */
  @ParameterizedTest
  @ValueSource(strings = {"circle:1", "circle:2", "ring:1", "central", "complete"})
  void exposure_ofPooledRounds_isEverySiteToEverySite(String network) {
    assertThat(exposure(network, "pooled-rounds", 4))
        .anyMatch(line -> line.contains("alone can solve for the second moments of every other"))
        .noneMatch(line -> line.contains("does not determine") || line.contains("nothing that"));
  }

  /** Rounds of ngd on a one-way circle mix the others' moments; two sites together see through. */
  @Test
  void exposure_ofNgdOnACircle_isComputedForCoalitions() {
    String ngd = "ngd\nalpha: 0.1\nrounds: 30";
    assertThat(exposure("ring:1", ngd, 4))
        .first()
        .asString()
        .matches(
            "models in rounds: every site alone can solve for the second moments of every other"
                + " from round 3 on, after 13 rounds to about 1e-1\\d, .*");
    assertThat(exposure("circle:1", ngd, 4))
        .first()
        .asString()
        .startsWith(
            "models in rounds: what every site alone hears does not determine the second moments of"
                + " any other");
    Exposure pairs =
        Exposure.of(
            plan("circle:1", ngd, 4),
            new Exposure.Options(2, Optional.empty(), Optional.empty(), false));
    assertThat(pairs.statements())
        .anyMatch(
            line ->
                line.startsWith(
                    "models in rounds: any 2 sites together can solve for the second moments of"
                        + " every other"));
    Exposure after =
        Exposure.of(
            plan("circle:1", ngd, 4),
            new Exposure.Options(1, Optional.empty(), Optional.empty(), true));
    assertThat(after.statements().getFirst())
        .startsWith("models in rounds: every site alone can solve");
    Exposure early =
        Exposure.of(
            plan("ring:1", ngd, 4),
            new Exposure.Options(1, Optional.of(2), Optional.empty(), false));
    assertThat(early.statements().getFirst()).contains("does not determine");
  }

  /** Whatever is not followed is assumed, and the reason is said. */
  @ParameterizedTest
  @CsvSource({
    "'algorithm: extra; alpha: 0.1; rounds: 9; weights: metropolis', the rounds of extra",
    "'algorithm: ngd; alpha: 0.1; rounds: 9; batch: 5', mini-batches",
    "'algorithm: ngd; alpha: 0.1; rounds: 9; local-steps: 2', local steps",
    "'algorithm: ngd; alpha: 0.1; rounds: 9; mix: median', robust mixing",
    "'algorithm: ngd; alpha: 0.1; rounds: 9; family: binomial', are not linear",
    "'algorithm: ngd; alpha: 0.1; rounds: 2; policy: drop', more is said",
    "'algorithm: ngd; alpha: auto; rounds: 2', more is said",
  })
  void exposure_ofWhatIsNotFollowed_isAssumedWithAReason(String lines, String reason) {
    List<String> statements =
        Exposure.statements(
            PlanReader.parse(
                    "federation: x\nrun: r\nsites:\n%snetwork: ring:1\nformula: y ~ x + z\n%s%s\n"
                        .formatted(
                            sites(4),
                            lines.contains("family") ? "" : "family: gaussian\n",
                            lines.replace("; ", "\n")))
                .plan());
    assertThat(statements.getFirst())
        .startsWith("models in rounds: assume that every site can solve for the second moments");
    assertThat(statements)
        .anyMatch(line -> line.startsWith("assumed, because ") && line.contains(reason));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 4})
  void exposure_ofACoalitionOfNobodyOrAll_isRefused(int coalition) {
    assertThatThrownBy(
            () ->
                Exposure.of(
                    plan("ring:1", "pooled", 4),
                    new Exposure.Options(coalition, Optional.empty(), Optional.empty(), false)))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("coalition: must be at least 1 site and at most 3");
  }

  /** Sums over some of the sites, or over what sites remember, tell the sites apart. */
  @ParameterizedTest
  @CsvSource({
    "'fedavg; selection: uniform:2', over the sites selected in it alone",
    "'fedavg; selection: in-turn:1', over the sites selected in it alone",
    "'fedprox; selection: bernoulli:0.5', over the sites selected in it alone",
    "'feddyn; selection: by-size:2', over the sites selected in it alone",
    "scaffold, sites of scaffold keep a memory of their own",
    "scaffnew, sites of scaffnew keep a memory of their own",
    "feddyn, sites of feddyn keep a memory of their own",
    "fedpd, sites of fedpd keep a memory of their own",
    "fedlt, sites of fedlt keep a memory of their own",
  })
  void exposure_ofSumsThatTellSitesApart_isAssumed(String method, String reason) {
    assertThat(exposure("ring:1", method.replace("; ", "\n") + "\nalpha: 0.1\nrounds: 9", 4))
        .anyMatch(
            line ->
                line.startsWith(
                    "models in rounds: assume that every site can solve for the second moments of"
                        + " every other"))
        .anyMatch(line -> line.startsWith("assumed, because ") && line.contains(reason));
  }

  @Test
  void exposure_ofSelectionByData_saysWhatIsShown() {
    String fedavg = "fedavg\nalpha: 0.1\nrounds: 9\nselection: ";
    assertThat(exposure("ring:1", fedavg + "by-size:2", 4))
        .contains("selection by-size:2: each site's number of rows is shown to all");
    assertThat(exposure("ring:1", fedavg + "high-loss:2", 4))
        .contains("selection high-loss:2: each site's loss in every round is shown to all");
    assertThat(exposure("ring:1", fedavg + "uniform:2", 4))
        .noneMatch(line -> line.startsWith("selection "));
  }

  /** A central algorithm shares sums alone. */
  @Test
  void exposure_ofACentralAlgorithm_isThatOfSums() {
    assertThat(exposure("complete", "fedavg\nalpha: 0.1\nrounds: 9", 3))
        .containsExactly(
            "masked sums: each site learns sums over the other 2; both others together know a"
                + " site's own terms");
  }

  /**
   * What a method does not have is refused, not ignored; a word unknown is one problem, not two.
   */
  @ParameterizedTest
  @CsvSource({
    "'algorithm: ngdd; alpha: 0.1; rounds: 9', is unknown",
    "'algorithm: async-ngd; alpha: auto; rounds: 9', no common rounds",
    "'algorithm: async-ngd; alpha: 0.1; rounds: 9; mix: median', does not mix in rounds",
    "'algorithm: async-ngd; alpha: 0.1; rounds: 9; batch: 5', has no mini-batches",
    "'algorithm: async-ngd; alpha: 0.1; rounds: 9; local-steps: 5', takes no local steps",
    "'batch: 5', works only with algorithm or alpha",
  })
  void parse_whatAMethodDoesNotHave_isOneProblem(String lines, String said) {
    assertThat(problems(PLAN_OF_TWO + lines.replace("; ", "\n") + "\n"))
        .singleElement()
        .asString()
        .contains(said);
  }

  /** What runs unguarded under a robust rule, or not at all on a network, is never signed. */
  @ParameterizedTest
  @CsvSource({
    "'algorithm: cfa-ge; alpha: 0.1; rounds: 9; mix: median', the plain mean",
    "'algorithm: collaborative; rounds: 9; mix: trimmed:1', the plain mean",
    "'algorithm: fedavg; alpha: 0.1; rounds: 9; mix: clipped:2', the plain mean",
    "'algorithm: push-diging; alpha: 0.1; rounds: 9; mix: median', the plain mean",
    "'algorithm: dgd; alpha: 0.1; rounds: 9', an aperiodic W",
  })
  void parse_whatAnAlgorithmNeeds_isCheckedBeforeAnybodySigns(String lines, String said) {
    assertThat(problems(PLAN_OF_TWO + lines.replace("; ", "\n") + "\n"))
        .singleElement()
        .asString()
        .startsWith("line ")
        .contains("needs", said);
  }

  private static List<String> problems(String text) {
    try {
      PlanReader.parse(text);
      return List.of();
    } catch (InvalidInput e) {
      return String.valueOf(e.getMessage()).lines().toList();
    }
  }
}
