package ngd.peer.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import ngd.core.InvalidInput;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a site's own file lets it answer: every way to use a column is one of using it. */
class QuestionPolicyTest {
  private static final Plan STANDING =
      PlanReader.parse(
              """
              federation: f
              run: first
              sites:
                - {name: a, address: "a:1"}
                - {name: b, address: "b:1"}
              network: complete
              askers: a
              analysts: u
              """)
          .plan();

  private static QuestionPolicy policy(String... lines) {
    return SitePolicy.parse(String.join("\n", lines) + "\n").questions();
  }

  private static Optional<String> says(QuestionPolicy policy, String asker, String... lines) {
    return policy.objection(asker, PlanReader.asking(STANDING, "asked", List.of(lines)));
  }

  @Test
  void objection_byDefault_isToWhateverShowsModelsOrSingleSites() {
    QuestionPolicy policy = policy("");
    assertThat(policy.byHand()).isFalse();
    assertThat(policy.takesMembers()).isFalse();
    assertThat(says(policy, "a", "formula: y ~ x", "family: gaussian")).isEmpty();
    assertThat(says(policy, "u", "kind: describe")).isEmpty();
    assertThat(says(policy, "b", "formula: y ~ x", "family: gaussian"))
        .contains("the federation does not let b ask");
    for (String[] more :
        new String[][] {
          {"formula: y ~ x", "family: gaussian", "algorithm: pooled-rounds"},
          {"formula: y ~ x", "family: gaussian", "algorithm: ngd", "alpha: 0.1", "rounds: 5"},
          {
            "formula: y ~ x",
            "family: gaussian",
            "algorithm: fedavg",
            "alpha: 0.1",
            "rounds: 5",
            "selection: uniform:1"
          },
          {"kind: describe", "by-site: true"},
          {"formula: Surv(t, y) ~ strata(site)", "family: survival"},
          {"formula: y ~ x", "family: gaussian", "penalty: lasso"},
          {"formula: y ~ x", "loss: quantile:0.5:0.001"},
          {"formula: y ~ x", "loss: huber:1", "algorithm: ngd", "alpha: 0.1", "rounds: 5"},
          {"kind: check", "formula: y ~ x", "family: gaussian", "alpha: 0.1"}
        }) {
      assertThat(says(policy, "a", more).orElseThrow())
          .startsWith("this site answers questions of kind pooled, describe, not ");
    }
  }

  @Test
  void objection_pathWithoutFolds_isAPooledQuestion() {
    assertThat(
            says(
                QuestionPolicy.STANDARD,
                "a",
                "formula: y ~ x",
                "family: gaussian",
                "penalty: lasso",
                "folds: 0"))
        .isEmpty();
  }

  /** Sums over some of the sites show more than those over all: they need a word of their own. */
  @Test
  void objection_selection_isNoMethodLikeOthers() {
    String[] all = {
      "formula: y ~ x", "family: gaussian", "algorithm: fedavg", "alpha: 0.1", "rounds: 5"
    };
    for (String rule :
        List.of("uniform:1", "by-size:1", "in-turn:1", "high-loss:1", "bernoulli:0.5")) {
      String[] some = Arrays.copyOf(all, all.length + 1);
      some[all.length] = "selection: " + rule;
      assertThat(says(policy("kinds: [pooled, methods]"), "a", some))
          .contains("this site answers questions of kind pooled, methods, not selection");
      assertThat(says(policy("kinds: selection"), "a", some)).isEmpty();
    }
    assertThat(says(policy("kinds: methods"), "a", all)).isEmpty();
    assertThat(says(policy("kinds: selection"), "a", all)).isPresent();
  }

  @Test
  void objection_kindsThatAreNamed_areThoseAlone() {
    QuestionPolicy policy = policy("kinds: [methods, check, describe-by-site]", "askers: u");
    assertThat(says(policy, "a", "formula: y ~ x", "family: gaussian"))
        .contains("this site does not answer a");
    assertThat(says(policy, "u", "formula: y ~ x", "family: gaussian").orElseThrow())
        .contains("not pooled");
    assertThat(says(policy, "u", "kind: describe").orElseThrow()).contains("not describe");
    assertThat(
            says(
                policy,
                "u",
                "formula: y ~ x",
                "family: gaussian",
                "algorithm: ngd",
                "alpha: 0.1",
                "rounds: 5"))
        .isEmpty();
    assertThat(says(policy, "u", "kind: describe", "by-site: true")).isEmpty();
  }

  @Test
  void objection_aHiddenColumnOfASecondModel_isSaid() {
    for (QuestionPolicy policy : List.of(policy("hidden: secret"), policy("columns: [y, x]"))) {
      for (String[] more :
          new String[][] {{"treatment: x ~ secret"}, {"impute: 2", "impute-with: secret"}}) {
        List<String> lines = new ArrayList<>(List.of("formula: y ~ x", "family: gaussian"));
        lines.addAll(List.of(more));
        assertThat(says(policy, "a", lines.toArray(String[]::new)))
            .contains("column `secret` is not shared");
      }
    }
  }

  /** A column is used wherever it stands: as a weight, an offset, a cluster, in an expression. */
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      textBlock =
          """
          y ~ secret
          secret ~ x
          y ~ x + offset(log(secret))
          y ~ I(secret > 3)
          y ~ x:factor(secret)
          y ~ ns(secret, knots = 3)
          y ~ x + (1 | secret)
          y ~ x + weights(secret)
          """)
  void objection_aHiddenColumn_isToEveryUseOfIt(String formula) {
    for (QuestionPolicy policy : List.of(policy("hidden: secret"), policy("columns: [y, x]"))) {
      assertThat(says(policy, "a", "formula: " + formula, "family: gaussian"))
          .contains("column `secret` is not shared");
    }
    assertThat(says(policy("hidden: other"), "a", "formula: " + formula, "family: gaussian"))
        .isEmpty();
  }

  @Test
  void objection_everyColumn_isToWhatTakesAll() {
    for (QuestionPolicy policy : List.of(policy("hidden: secret"), policy("columns: [y, x]"))) {
      assertThat(says(policy, "a", "formula: y ~ .", "family: gaussian").orElseThrow())
          .startsWith("`.` takes every column");
      assertThat(says(policy, "a", "kind: describe").orElseThrow())
          .startsWith("a description without `columns` takes every column");
      assertThat(says(policy, "a", "kind: describe", "columns: y,secret"))
          .contains("column `secret` is not shared");
      for (String way :
          List.of("by: secret", "cross: x,secret", "histogram: secret", "correlation: x,secret")) {
        assertThat(says(policy, "a", "kind: describe", "columns: y,x", way))
            .contains("column `secret` is not shared");
      }
      assertThat(says(policy, "a", "kind: describe", "columns: y,x")).isEmpty();
    }
  }

  @Test
  void read_wordsThatAreNone_areRefused() {
    assertThat(policy("approve: by-hand", "members: accept"))
        .matches(QuestionPolicy::byHand)
        .matches(QuestionPolicy::takesMembers);
    assertThat(policy("approve: policy", "members: confirm").byHand()).isFalse();
    for (String wrong : List.of("approve: never", "members: by-hand", "kinds: [pooled, sums]")) {
      assertThatThrownBy(() -> policy(wrong)).isInstanceOf(InvalidInput.class);
    }
  }
}
