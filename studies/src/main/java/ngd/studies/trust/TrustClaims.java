package ngd.studies.trust;

import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Stream;
import ngd.studies.report.Claim;
import ngd.studies.report.NumberWords;
import ngd.studies.report.Verdict;

/** What is said of rules of mixing, held against the errors. */
final class TrustClaims {
  /** Rules that are told how many attackers to bear are told this many. */
  private static final int BORNE = 2;

  private TrustClaims() {}

  /**
   * A rule under an attack.
   *
   * @param breaking with how many attackers it breaks, if it does
   * @param price its error without attackers, over that of the mean
   */
  record Case(String rule, String attack, OptionalInt breaking, double price) {
    boolean isMean() {
      return rule.equals("mean");
    }

    /** Whether it stands as long as an honest client hears no more attackers than it bears. */
    boolean standsAsPromised() {
      return breaking.isEmpty() || TrustStudy.heard(breaking.getAsInt()) > BORNE;
    }
  }

  static List<Claim> of(List<Case> cases) {
    List<Case> loud =
        cases.stream().filter(Case::isMean).filter(c -> c.attack().startsWith("constant")).toList();
    List<Case> robust = cases.stream().filter(c -> !c.isMean()).toList();
    double price = robust.stream().mapToDouble(Case::price).max().orElse(Double.NaN);
    return List.of(
        claim(
            "One attacker breaks the mean (Blanchard and others 2017, lemma 1)",
            loud,
            loud.stream().filter(c -> c.breaking().orElse(0) == 1),
            "under `constant`"),
        claim(
            "A robust rule stands while no honest client hears more than %d attackers"
                .formatted(BORNE),
            robust,
            robust.stream().filter(Case::standsAsPromised),
            "of rules and attacks; without attackers the dearest rule has %s times the mean's error"
                .formatted(NumberWords.three(price))));
  }

  private static Claim claim(String text, List<Case> all, Stream<Case> agreeing, String numbers) {
    List<Case> agree = agreeing.toList();
    List<String> not =
        all.stream()
            .filter(c -> !agree.contains(c))
            .map(
                c ->
                    "%s under %s (%s)"
                        .formatted(
                            c.rule(),
                            c.attack(),
                            c.breaking().isPresent()
                                ? c.breaking().getAsInt() + " attackers"
                                : "stands"))
            .toList();
    return new Claim(
        text,
        Verdict.of(agree.size(), all.size()),
        "In %d of %d %s.%s"
            .formatted(
                agree.size(),
                all.size(),
                numbers,
                not.isEmpty() ? "" : " Not so: " + String.join("; ", not) + "."));
  }
}
