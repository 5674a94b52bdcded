package ngd.core.privacy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import ngd.core.Oracles;
import org.junit.jupiter.api.Test;

/**
 * Oracle: {@code oracles/privacy}, the sum of shares by convolution, δ by enumeration of outcomes,
 * and the conversion from ρ minimised by SciPy.
 */
class ConcentratedAccountTest {
  @Test
  void delta_ofRho_isTheIndependentPrograms() {
    List<Oracles.Case> cases = Oracles.privacy("conversions").toList();
    assertThat(cases).hasSizeGreaterThan(10);
    for (Oracles.Case one : cases) {
      double found = ConcentratedAccount.delta(one.number("rho"), one.number("epsilon"));
      double expected = one.number("delta");
      assertThat(found).isCloseTo(expected, within(1e-6 * expected + 1e-280));
    }
  }

  /** A bound: never below the exact δ of the sum of whole-number shares, small ones among them. */
  @Test
  void rho_ofShares_boundsWhatEnumerationFinds() {
    List<Oracles.Case> cases = Oracles.privacy("distributed").toList();
    assertThat(cases).hasSizeGreaterThan(10);
    double tightest = Double.POSITIVE_INFINITY;
    for (Oracles.Case one : cases) {
      double rho =
          ConcentratedAccount.rho(
              one.number("shift"), Math.sqrt(one.number("sigma2")), (int) one.number("shares"), 1);
      double bound = ConcentratedAccount.delta(rho, one.number("epsilon"));
      assertThat(bound).isGreaterThanOrEqualTo(one.number("delta"));
      tightest = Math.min(tightest, bound / one.number("delta"));
      // Half of the noise would not be enough: the bound is near what it bounds.
      assertThat(ConcentratedAccount.delta(rho / 4, one.number("epsilon")))
          .isLessThan(one.number("delta"));
    }
    assertThat(tightest).isLessThan(2.5);
  }

  @Test
  void budget_ofEpsilonAndDelta_isSpentExactly() {
    for (double epsilon : new double[] {0.1, 1, 8}) {
      double rho = ConcentratedAccount.budget(epsilon, 1e-6);
      assertThat(ConcentratedAccount.delta(rho, epsilon)).isCloseTo(1e-6, within(1e-12));
      // It costs more than the exact account of a normal distribution, but not much.
      double mu = GaussianAccount.budget(epsilon, 1e-6);
      assertThat(Math.sqrt(2 * rho) / mu).isBetween(0.8, 1.0);
    }
  }
}
