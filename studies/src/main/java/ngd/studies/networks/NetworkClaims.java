package ngd.studies.networks;

import static ngd.studies.report.NumberWords.number;
import static ngd.studies.report.NumberWords.percent;
import static ngd.studies.report.NumberWords.three;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import ngd.core.simulation.Quartiles;
import ngd.studies.networks.NetworkStudy.Measure;
import ngd.studies.report.Claim;
import ngd.studies.report.Verdict;

/** What section 2.4 and docs/theory.md, 1 say of networks, held against those that were drawn. */
record NetworkClaims(List<NetworkSummary> networks) {
  /** Rounding errors of W's columns stay below this. */
  private static final double ROUNDING = 1e-9;

  /** A mean this near to what is expected agrees, as a share of it. */
  private static final double NEAR = 0.1;

  /** Shares of the clients this near to each other agree in any case. */
  private static final double FEW = 0.01;

  static List<Claim> of(List<NetworkSummary> networks) {
    NetworkClaims claims = new NetworkClaims(networks);
    return List.of(
        claims.central(),
        claims.circle(),
        claims.fixed(),
        claims.unheard(),
        claims.regular(),
        claims.mixing());
  }

  private List<NetworkSummary> kind(String kind) {
    return networks.stream().filter(one -> one.kind().equals(kind)).toList();
  }

  /** A claim about each network of a kind; those that disagree are named with a number. */
  private static Claim claim(
      String text,
      List<NetworkSummary> cases,
      Predicate<NetworkSummary> agrees,
      Function<NetworkSummary, String> shown,
      String numbers) {
    List<String> exceptions = new ArrayList<>();
    for (NetworkSummary one : cases) {
      if (!agrees.test(one)) {
        exceptions.add(
            "%s, M = %d: %s"
                .formatted(one.network().network(), one.network().clients(), shown.apply(one)));
      }
    }
    int agreeing = cases.size() - exceptions.size();
    return new Claim(
        text,
        Verdict.of(agreeing, cases.size()),
        "%s in %d of %d networks.%s"
            .formatted(
                numbers,
                agreeing,
                cases.size(),
                exceptions.isEmpty() ? "" : " Not so: " + String.join("; ", exceptions) + "."));
  }

  private static double expected(NetworkSummary one) {
    return one.expectedSe2().orElse(Double.NaN);
  }

  private Claim central() {
    return claim(
        "The central-client network is as unbalanced as a network can be: SE²(W) = (M − 2)²/(M − 1)",
        kind("central"),
        one -> Math.abs(one.mean(Measure.SE2) - expected(one)) <= ROUNDING * expected(one),
        one -> number(one.mean(Measure.SE2)),
        "SE²(W) is that");
  }

  private Claim circle() {
    return claim(
        "[In a circle-type network] SE²(W) = 0: an extremely well-balanced network structure",
        kind("circle"),
        one -> one.mean(Measure.SE2) <= ROUNDING,
        one -> three(one.mean(Measure.SE2)),
        "SE²(W) is 0");
  }

  private Claim fixed() {
    return claim(
        "In a fixed-degree network SE²(W) is 1/D − 1/(M − 1) in expectation",
        kind("fixed"),
        one -> Math.abs(one.mean(Measure.SE2) - expected(one)) <= allowed(one),
        one -> "%s, expected %s".formatted(three(one.mean(Measure.SE2)), three(expected(one))),
        "The mean of the draws is within 10 % or four standard errors of that");
  }

  /** Quartiles of a normal value lie 1.349 standard deviations apart. */
  private static double allowed(NetworkSummary one) {
    Quartiles q = one.of(Measure.SE2);
    double error = (q.high() - q.low()) / 1.349 / Math.sqrt(one.replicates());
    return Math.max(4 * error, NEAR * expected(one));
  }

  private Claim unheard() {
    return claim(
        "In a fixed-degree network about e^−D of the clients are heard by nobody, and nothing of their data reaches the estimate",
        kind("fixed"),
        one -> {
          double share = Math.exp(-one.network().degree());
          return Math.abs(one.mean(Measure.UNHEARD) - share) <= Math.max(FEW, NEAR * share);
        },
        one -> percent(one.mean(Measure.UNHEARD)),
        "The mean share of unheard clients is within 10 %, or one percentage point, of e^−D");
  }

  private Claim regular() {
    return claim(
        "A regular network, drawn as easily, is balanced like the circle and strongly connected",
        kind("regular"),
        one -> one.mean(Measure.SE2) <= ROUNDING && one.mean(Measure.IRREDUCIBLE) == 1,
        one ->
            "SE² %s, irreducible %s"
                .formatted(three(one.mean(Measure.SE2)), percent(one.mean(Measure.IRREDUCIBLE))),
        "SE²(W) is 0 and every draw is irreducible");
  }

  /** Of degree 1 both are one cycle. */
  private Claim mixing() {
    List<NetworkSummary> judged =
        kind("regular").stream()
            .filter(one -> one.network().degree() > 1)
            .filter(one -> !Double.isNaN(second(one)) && !Double.isNaN(second(circleLike(one))))
            .toList();
    return claim(
        "A regular network mixes faster than the circle of the same degree",
        judged,
        one -> second(one) < second(circleLike(one)),
        one -> "%s, the circle %s".formatted(three(second(one)), three(second(circleLike(one)))),
        "Its median second eigenvalue is below the circle's");
  }

  private static double second(NetworkSummary one) {
    return one.of(Measure.SECOND_EIGENVALUE).median();
  }

  private NetworkSummary circleLike(NetworkSummary regular) {
    return kind("circle").stream()
        .filter(one -> one.network().clients() == regular.network().clients())
        .filter(one -> one.network().degree() == regular.network().degree())
        .findFirst()
        .orElseThrow();
  }
}
