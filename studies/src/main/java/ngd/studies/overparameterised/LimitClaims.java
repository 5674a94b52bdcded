package ngd.studies.overparameterised;

import java.util.List;
import java.util.stream.Collectors;
import ngd.studies.report.Claim;
import ngd.studies.report.Verdict;

/** What section 2.6 and docs/theory.md, 2 say of limits, held against how often there was one. */
final class LimitClaims {
  private LimitClaims() {}

  /**
   * All of them.
   *
   * @param networks those of the paper, and the regular one
   * @param counterExample the network that is made to have several limits
   */
  static List<Claim> of(List<LimitTally> networks, LimitTally counterExample) {
    return List.of(converges(networks), agree(networks, counterExample), several(counterExample));
  }

  /** A network counts as one on which NGD converges where it does in most decided replicates. */
  private static Claim converges(List<LimitTally> networks) {
    List<LimitTally> judged = networks.stream().filter(one -> one.decided() > 0).toList();
    int converging = (int) judged.stream().filter(one -> 2 * one.met() > one.decided()).count();
    return new Claim(
        "in the locally over-parameterized regime, the proposed NGD algorithm could still converge numerically under most of the network structures",
        Verdict.most(converging, judged.size()),
        "Runs from random starts met in most replicates on %d of %d networks: %s."
            .formatted(
                converging,
                judged.size(),
                judged.stream()
                    .map(one -> "%s %d of %d".formatted(one.network(), one.met(), one.decided()))
                    .collect(Collectors.joining(", "))));
  }

  private static Claim agree(List<LimitTally> networks, LimitTally counterExample) {
    int agreeing =
        networks.stream().mapToInt(LimitTally::agreeing).sum() + counterExample.agreeing();
    int decided = networks.stream().mapToInt(LimitTally::decided).sum() + counterExample.decided();
    return new Claim(
        "There is one limit from every start if and only if every closed class holds enough rows: certificate, spectral radius and iteration agree",
        Verdict.of(agreeing, decided),
        "They agree in %d of %d cases that iteration decided.".formatted(agreeing, decided));
  }

  private static Claim several(LimitTally counterExample) {
    return new Claim(
        "Where two clients hear only each other and hold too few rows, the limit depends on the start",
        Verdict.of(counterExample.apart(), counterExample.decided()),
        "In the counter-example runs from random starts stayed apart in %d of %d replicates that iteration decided."
            .formatted(counterExample.apart(), counterExample.decided()));
  }
}
