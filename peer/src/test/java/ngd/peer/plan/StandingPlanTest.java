package ngd.peer.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import ngd.core.InvalidInput;
import ngd.core.formula.Dictionary;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The plan of a standing federation: who is a member, who may ask, what a signature covers. */
class StandingPlanTest {
  private static final String FOUR =
      """
      federation: heart-study
      run: first
      sites:
        - {name: a, address: "a.example.org:7400"}
        - {name: b, address: "b.example.org:7400"}
        - {name: c, address: "c.example.org:7400"}
        - {name: d, address: "d.example.org:7400"}
      network: circle:1
      """;

  private static Plan plan(String... more) {
    return PlanReader.parse(FOUR + String.join("\n", more) + "\n").plan();
  }

  @Test
  void parse_askersAnalystsAndQuorum_areWhatThePlanSays() {
    Plan plan = plan("askers: [a, b]", "analysts: u v", "quorum: 4", "amendment: 3");
    Federation federation = plan.federation();
    assertThat(plan.standing()).isTrue();
    assertThat(federation.members()).containsExactly("a", "b", "c", "d", "u", "v");
    assertThat(List.of("a", "b", "u", "v")).allMatch(federation::mayAsk);
    assertThat(List.of("c", "d", "e")).noneMatch(federation::mayAsk);
    assertThat(federation.quorum()).isEqualTo(4);
    assertThat(federation.amendment()).isEqualTo(3);
    assertThat(federation.client("c")).isEqualTo(2);
    assertThatThrownBy(() -> federation.client("e")).hasMessageContaining("is not in the plan");
  }

  @Test
  void parse_nobodyNamed_letsEverySiteAskAndHasNoQuorum() {
    Federation federation = plan().federation();
    assertThat(federation.members()).allMatch(federation::mayAsk);
    assertThat(federation.mayAsk("u")).isFalse();
    assertThat(federation.quorum()).isZero();
    assertThat(plan("formula: y ~ x", "family: gaussian").standing()).isFalse();
    assertThat(plan("seed: 3").standing()).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          askers: [a, e]        | `e` is not a site of this plan
          askers: [a, a]        | each may be named once
          analysts: [u, u]      | each may be named once
          analysts: a           | `a` is a site of this plan; sites that may ask stand under `askers`
          analysts: No_Name     | a name must be 1 to 63 of a-z
          quorum: 1             | quorum: must be at least 2
          quorum: 5             | at most 4, the sites; got 5
          quorum: two           | quorum: must be a whole number
          amendment: 0          | amendment: must be a whole number from 1 on
          """)
  void parse_whatCannotBe_isRefusedInItsWords(String line, String said) {
    assertThatThrownBy(() -> plan(line))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining(said);
  }

  /** What two plans differ in is signed: no two of these have the same canonical form. */
  @Test
  void canonical_ofPlansThatDiffer_differs() {
    List<String> changes =
        List.of(
            "",
            "askers: a",
            "askers: [a, b]",
            "analysts: u",
            "analysts: [u, v]",
            "quorum: 2",
            "quorum: 3",
            "amendment: 1",
            "amendment: 2",
            "weights: lazy:0.5",
            "policy: last:5",
            "policy: last:6",
            "policy: drop",
            "precision: float32",
            "dictionary: {x: number}",
            "dictionary: {x: boolean}",
            "seed: 2");
    Set<String> forms = new HashSet<>();
    for (String change : changes) {
      forms.add(
          new String(
              PlanReader.parse(FOUR + change + "\n").canonicalBytes(), StandardCharsets.UTF_8));
    }
    for (String old :
        List.of("heart-study", "first", "name: a", "a.example.org", "7400", "circle:1")) {
      String other =
          FOUR.replaceFirst(
              Pattern.quote(old),
              switch (old) {
                case "name: a" -> "name: aa";
                case "7400" -> "7401";
                case "circle:1" -> "circle:2";
                default -> "other" + old;
              });
      forms.add(new String(PlanReader.parse(other).canonicalBytes(), StandardCharsets.UTF_8));
    }
    assertThat(forms).hasSize(changes.size() + 6);
  }

  /** Links that are stated are signed, each of them; those of one site are no others'. */
  @Test
  void canonical_ofOtherLinks_differs() {
    List<String> links =
        List.of(
            "{a: [b, c, d], b: [a], c: [a], d: [a]}",
            "{a: [b, c], b: [a, d], c: [a], d: [a]}",
            "{a: [b, c], b: [a], c: [a, d], d: [a]}",
            "{a: [b, c], b: [a], c: [d], d: [a]}");
    Set<String> forms = new HashSet<>();
    for (String one : links) {
      WrittenPlan plan = PlanReader.parse(FOUR.replace("network: circle:1", "hears: " + one));
      forms.add(new String(plan.canonicalBytes(), StandardCharsets.UTF_8));
      assertThat(plan.plan().federation().neighbours("a", plan.plan().network()))
          .containsAnyOf("b", "c");
    }
    assertThat(forms).hasSize(links.size());
    for (String wrong :
        List.of("{a: [e], b: [a]}", "{a: b}", "a", "{a: [[b]]}", "{a: [b], b: [a], c: [d]}")) {
      assertThatThrownBy(
              () -> PlanReader.parse(FOUR.replace("network: circle:1", "hears: " + wrong)))
          .isInstanceOf(InvalidInput.class);
    }
    assertThatThrownBy(() -> plan("hears: {a: [b]}"))
        .hasMessageContaining("either `network` or `hears`, not both");
    assertThatThrownBy(() -> PlanReader.parse(FOUR.replace("network: circle:1\n", "")))
        .hasMessageContaining("who hears whom must be given");
  }

  /** What a question asks must suit the federation's links, as in a plan that asks it. */
  @Test
  void asking_aMethodThatTheLinksDoNotSuit_isRefusedBeforeAnybodySigns() {
    List<String> lines =
        List.of(
            "formula: y ~ x", "family: gaussian", "algorithm: extra", "alpha: 0.1", "rounds: 5");
    assertThatThrownBy(() -> PlanReader.asking(plan(), "asked", lines))
        .isInstanceOf(InvalidInput.class);
    Plan mutual =
        PlanReader.parse(FOUR.replace("circle:1", "ring:1") + "weights: metropolis\n").plan();
    assertThat(PlanReader.asking(mutual, "asked", lines).run()).isEqualTo("asked");
    assertThatThrownBy(() -> PlanReader.asking(mutual, "asked", List.of("formula")))
        .hasMessageContaining("a line is `key: words`");
  }

  /** A value of several lines must not pass for lines of a plan that somebody else signed. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          heart-study | "x\\nweights: metropolis"
          first       | "x\\nsite: e e.example.org:7400"
          circle:1    | "circle:1\\nquorum: 2"
          """)
  void parse_aValueOfSeveralLines_isRefused(String old, String value) {
    assertThatThrownBy(() -> PlanReader.parse(FOUR.replace(old, value)))
        .isInstanceOf(InvalidInput.class);
  }

  @Test
  void neighbours_onACircle_areThoseHeardAndThoseWhoHear() {
    Plan plan = plan();
    assertThat(plan.federation().neighbours("a", plan.network())).containsExactly("b", "d");
  }

  @Test
  void edit_addWithoutMovedDictionary_areTheNextAmendmentAndANewRun() {
    WrittenPlan plan = PlanReader.parse("# Who asks whom.\n" + FOUR);
    WrittenPlan more = PlanEdit.add(plan, Site.of("e", "e.example.org:7400"));
    assertThat(more.plan().names()).containsExactly("a", "b", "c", "d", "e");
    assertThat(more.plan().federation().amendment()).isEqualTo(1);
    assertThat(more.plan().run()).isNotEqualTo("first");
    assertThat(more.text()).startsWith("# Who asks whom.");
    WrittenPlan fewer = PlanEdit.without(more, "b", "", "third");
    assertThat(fewer.plan().names()).containsExactly("a", "c", "d", "e");
    assertThat(fewer.plan().federation().amendment()).isEqualTo(2);
    assertThat(fewer.plan().run()).isEqualTo("third");
    WrittenPlan linked = PlanEdit.without(more, "b", "complete");
    assertThat(linked.plan().federation().neighbours("a", linked.plan().network())).hasSize(3);
    assertThat(linked.plan().run()).isNotEqualTo(more.plan().run());
    List<Site> elsewhere =
        plan.plan().sites().stream()
            .map(site -> Site.of(site.name(), "[::1]:90" + site.name().charAt(0) % 10))
            .toList();
    assertThat(PlanEdit.moved(plan, elsewhere).plan().sites()).isEqualTo(elsewhere);
    Dictionary dictionary =
        PlanReader.parse(FOUR + "dictionary: {x: number}\n").plan().federation().dictionary();
    WrittenPlan agreed = PlanEdit.with(fewer, dictionary);
    assertThat(agreed.plan().federation().dictionary()).isEqualTo(dictionary);
    assertThat(agreed.plan().federation().amendment()).isEqualTo(3);
    assertThat(PlanEdit.with(agreed, plan.plan().federation().dictionary()).plan().federation())
        .matches(federation -> federation.dictionary().isEmpty());
  }

  @Test
  void edit_whatCannotBeDone_isRefusedInItsWords() {
    WrittenPlan plan = PlanReader.parse(FOUR + "askers: a\n");
    assertThatThrownBy(() -> PlanEdit.add(plan, Site.of("a", "x:1")))
        .hasMessageContaining("`a` is a site of the plan already");
    assertThatThrownBy(() -> PlanEdit.without(plan, "a", ""))
        .hasMessageContaining("names `a` in other lines too");
    assertThatThrownBy(() -> PlanEdit.without(plan, "e", ""))
        .hasMessageContaining("is not in the plan");
    WrittenPlan odd = PlanReader.parse(FOUR.replace("run: first", "\"run\": first"));
    assertThatThrownBy(() -> PlanEdit.without(odd, "b", ""))
        .hasMessageContaining("run: must stand on a line of its own");
  }

  @ParameterizedTest
  @CsvSource({"x:1,1", "x:65535,65535", "[::1]:80,80"})
  void site_itsPort_isFrom1To65535(String address, int port) {
    assertThat(Site.of("a", address).port()).isEqualTo(port);
  }

  @ParameterizedTest
  @CsvSource({"x:0", "x:65536", "x:", "x", ":1", "x:y"})
  void site_anAddressThatIsNone_isRefused(String address) {
    assertThatThrownBy(() -> Site.of("a", address)).isInstanceOf(InvalidInput.class);
  }
}
