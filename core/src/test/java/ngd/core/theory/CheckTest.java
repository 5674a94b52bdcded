package ngd.core.theory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import ngd.core.InvalidInput;
import ngd.core.data.Shard;
import ngd.core.data.Shards;
import ngd.core.model.CurvedLoss;
import ngd.core.model.Linear;
import ngd.core.model.Logistic;
import ngd.core.model.Loss;
import ngd.core.network.Network;
import org.junit.jupiter.api.Test;

/** Oracle: the paper's numbers by hand on networks and data whose spectra are known. */
class CheckTest {

  /** Every client has the single row x = 1, so that Σ̂xx = 1 everywhere; responses 0, 1, 2, … */
  private static Shards ones(int clients) {
    double[][][] x = new double[clients][1][1];
    double[][] y = new double[clients][1];
    for (int m = 0; m < clients; m++) {
      x[m][0][0] = 1;
      y[m][0] = m;
    }
    return Shards.of(x, y);
  }

  private static Check linear(double[][] w, Shards shards, double alpha, double global) {
    return Check.of(
        Problem.of(Network.of(w), new Linear(), shards, alpha).near(new double[] {global}),
        Optional.empty());
  }

  private static Condition named(Check check, String start) {
    return check.conditions().stream()
        .filter(condition -> condition.name().startsWith(start))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void of_circleOfDegreeOne_givesThePapersNumbers() {
    Check check = linear(Cases.circle(4, 1), ones(4), 0.1, 1.5);
    assertThat(check.converges()).isTrue();
    assertThat(check.safeAlpha().getAsDouble()).isCloseTo(2, within(1e-14));
    assertThat(check.spectralRadius().value().getAsDouble()).isCloseTo(0.9, within(1e-14));
    assertThat(check.seW()).isZero();
    assertThat(check.seSigmaXX()).isZero();
    assertThat(check.seSigmaXY()).isCloseTo(Math.sqrt(1.25), within(1e-14));
    assertThat(check.seScore().value().getAsDouble()).isCloseTo(Math.sqrt(1.25), within(1e-14));
    // κ1 = κ2 = 1, σmax = 1 and σmin = |1 − i| = √2.
    Condition third = named(check, "theorem 2 (3)");
    assertThat(third.holds()).isTrue();
    assertThat(third.value().getAsDouble()).isCloseTo(0.1, within(1e-12));
    assertThat(third.limit().getAsDouble()).isCloseTo(Math.sqrt(2) / 4, within(1e-12));
    assertThat(third.largestAlpha().getAsDouble()).isCloseTo(Math.sqrt(2) / 4, within(1e-12));
    Condition mixing = named(check, "theorem 3 (C2): λ");
    assertThat(mixing.holds()).isFalse();
    assertThat(mixing.value().getAsDouble()).isCloseTo(1, within(1e-12));
    Condition steps = named(check, "theorem 3 (C2): α");
    assertThat(steps.holds()).isFalse();
    assertThat(steps.largestAlpha()).isEmpty();
    assertThat(check.bound().network()).isCloseTo(0.1, within(1e-15));
    assertThat(check.bound().product().getAsDouble())
        .isCloseTo(0.1 * Math.sqrt(1.25), within(1e-14));
  }

  @Test
  void of_oneRowAClient_failsTheoremOneYetConverges() {
    Check check = linear(Cases.circle(4, 1), ones(4), 0.1, 1.5);
    Condition rows = named(check, "theorem 1: n > p");
    assertThat(rows.holds()).isFalse();
    assertThat(rows.value().getAsDouble()).isEqualTo(1);
    assertThat(rows.limit().getAsDouble()).isEqualTo(1);
    assertThat(check.converges()).isTrue();
  }

  @Test
  void of_completeNetwork_satisfiesTheoremThree() {
    // W = (J − I) / 2 for M = 3: (I − J/3) W = −(I − J/3) / 2, so that ρ = ½.
    Check check = linear(Cases.circle(3, 2), ones(3), 0.1, 1);
    assertThat(named(check, "theorem 3 (C2): λ").value().getAsDouble())
        .isCloseTo(0.5, within(1e-12));
    Condition steps = named(check, "theorem 3 (C2): α");
    assertThat(steps.holds()).isTrue();
    assertThat(steps.value().getAsDouble()).isCloseTo(0.1, within(1e-12));
    assertThat(steps.limit().getAsDouble()).isCloseTo(0.25, within(1e-12));
    assertThat(named(check, "theorem 3 (C1):").holds()).isTrue();
    assertThat(named(check, "theorem 3 (C1')").holds()).isTrue();
  }

  @Test
  void of_centralClient_failsTheBoundsConditionForEveryStepSize() {
    int clients = 6;
    Check check = linear(Cases.central(clients), ones(clients), 0.01, 2.5);
    assertThat(check.seW()).isCloseTo((clients - 2) / Math.sqrt(clients - 1), within(1e-12));
    assertThat(named(check, "theorem 2 (1)").holds()).isTrue();
    Condition third = named(check, "theorem 2 (3)");
    assertThat(third.holds()).isFalse();
    assertThat(third.largestAlpha()).isEmpty();
    assertThat(third.words()).contains("far from necessary");
    assertThat(check.converges()).isTrue();
  }

  @Test
  void of_unseenDirection_hasRadiusExactlyOneAndNoStableSolution() {
    Shards shards = Shards.of(new double[][][] {{{1, 0}}, {{2, 0}}}, new double[][] {{1}, {2}});
    Check check =
        Check.of(
            Problem.of(Network.of(Cases.circle(2, 1)), new Linear(), shards, 0.1)
                .withoutEstimate("the data determine only 1 of 2 coefficients"),
            Optional.empty());
    assertThat(check.converges()).isFalse();
    assertThat(check.spectralRadius().value().getAsDouble()).isEqualTo(1);
    assertThat(check.stableDistanceToGlobal().value()).isEmpty();
    assertThat(check.seScore().value()).isEmpty();
    assertThat(named(check, "theorem 2 (2)").holds()).isFalse();
  }

  @Test
  void of_columnWhoseSquaresAreNoNumbers_isRefused() {
    Shards shards = Shards.of(new double[][][] {{{1, 1}}, {{1, 1e160}}}, new double[][] {{1}, {2}});
    assertThatThrownBy(
            () ->
                Check.of(
                    Problem.of(Network.of(Cases.circle(2, 1)), new Linear(), shards, 0.1)
                        .near(new double[2]),
                    Optional.empty()))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("client 1")
        .hasMessageContaining("for coefficient 1, counted from 0, one is Infinity")
        .hasMessageContaining("1e150");
  }

  /** Two rows of response 0 and eight of 4: their mean is 3.2, the mean of the clients' means 2. */
  @Test
  void of_unequalShards_saysThatThePaperHasOneNumberOfRows() {
    Shards.Filler filler = Shards.sized(1, new int[] {2, 8});
    for (int i = 0; i < 10; i++) {
      filler.put(i < 2 ? 0 : 1, i < 2 ? i : i - 2, new double[] {1}, i < 2 ? 0 : 4);
    }
    double[][] even = {{0.5, 0.5}, {0.5, 0.5}};
    Check check = linear(even, filler.done(), 1e-4, 3.2);
    assertThat(check.stableDistanceToGlobal().value().getAsDouble()).isCloseTo(1.2, within(1e-3));
    Condition rows = check.conditions().getFirst();
    assertThat(rows.name()).isEqualTo("theorems 1 to 3: the same n at every client");
    assertThat(rows.holds()).isFalse();
    assertThat(rows.value().getAsDouble()).isEqualTo(8);
    assertThat(rows.limit().getAsDouble()).isEqualTo(2);
    assertThat(rows.words()).contains("however small α is");
    assertThat(check.conditions().stream().skip(1)).allMatch(c -> Boolean.TRUE.equals(c.holds()));
    assertThat(named(check, "theorem 3 (C2): α").words()).contains("only for the same n");
    assertThat(check.bound().words()).contains("does not hold here");
    Check equal = linear(even, ones(2), 1e-4, 0.5);
    assertThat(equal.conditions().getFirst().holds()).isTrue();
    assertThat(equal.bound().words()).endsWith("(theorem 2)");
  }

  /** What is proved of data with rows of weight 0 is what is proved of the data without them. */
  @Test
  void of_rowsOfWeightZero_determineNothing() {
    Shards.Filler filler = Shards.sized(2, new int[] {3, 3});
    for (int m = 0; m < 2; m++) {
      filler.put(m, 0, new double[] {1, 0}, 1, 0, 1);
      filler.put(m, 1, new double[] {2, 0}, 0, 0, 2);
      filler.put(m, 2, new double[] {1, 5}, 1, 0, 0);
    }
    for (Loss loss : List.of(new Linear(), new Logistic())) {
      Check check =
          Check.of(
              Problem.of(Network.of(Cases.circle(2, 1)), loss, filler.done(), 0.1)
                  .near(new double[2]),
              Optional.empty());
      assertThat(check.converges()).isFalse();
      assertThat(check.reason()).contains("determine only 1 of 2 parameters");
      assertThat(check.spectralRadius().value().getAsDouble()).isEqualTo(1);
      assertThat(named(check, "theorem 3 (C1')").holds()).isFalse();
    }
    Check linear =
        Check.of(
            Problem.of(Network.of(Cases.circle(2, 1)), new Linear(), filler.done(), 0.1)
                .near(new double[2]),
            Optional.empty());
    assertThat(named(linear, "theorem 1: n > p").value().getAsDouble()).isEqualTo(2);
    assertThat(named(linear, "theorem 1: n > p").holds()).isFalse();
    assertThat(named(linear, "theorem 2 (2)").holds()).isFalse();
  }

  @Test
  void of_reducibleNetwork_saysSo() {
    double[][] w = {{0, 1, 0}, {1, 0, 0}, {1, 0, 0}};
    Condition irreducible = named(linear(w, ones(3), 0.1, 1), "theorem 2 (1)");
    assertThat(irreducible.holds()).isFalse();
    assertThat(irreducible.value().getAsDouble()).isEqualTo(2);
  }

  @Test
  void of_logistic_isLocalAndFailsConvexityEverywhere() {
    // One client's labels 0 and 1 at x = 1: the estimate is 0 and the Hessian 2 · ¼.
    Shards shards =
        Shards.of(new double[][][] {{{1}, {1}}, {{1}, {1}}}, new double[][] {{0, 1}, {1, 0}});
    Check check =
        Check.of(
            Problem.of(Network.of(Cases.circle(2, 1)), new Logistic(), shards, 0.5)
                .near(new double[1]),
            Optional.empty());
    assertThat(check.converges()).isTrue();
    assertThat(check.reason()).contains("local");
    assertThat(check.safeAlpha().getAsDouble()).isCloseTo(4, within(1e-14));
    assertThat(check.spectralRadius().value().getAsDouble()).isCloseTo(0.75, within(1e-14));
    assertThat(check.stableDistanceToGlobal().value().getAsDouble()).isCloseTo(0, within(1e-13));
    assertThat(named(check, "theorem 3 (C1):").holds()).isFalse();
    Condition local = named(check, "theorem 3 (C1')");
    assertThat(local.holds()).isTrue();
    assertThat(local.value().getAsDouble()).isCloseTo(0.5, within(1e-14));
    assertThat(check.conditions()).noneMatch(c -> c.name().startsWith("theorem 2"));
  }

  @Test
  void of_logisticWithoutEstimate_isUndecidedWithTheReason() {
    Check check =
        Check.of(
            Problem.of(Network.of(Cases.circle(2, 1)), new Logistic(), ones(2), 0.5)
                .withoutEstimate("the labels separate"),
            Optional.empty());
    assertThat(check.converges()).isNull();
    assertThat(check.reason()).contains("the labels separate");
    assertThat(check.spectralRadius().value()).isEmpty();
    assertThat(check.conditions()).isEmpty();
  }

  /** Half the mean squared error once more, as a user would write it. */
  private record OwnSquares() implements CurvedLoss {
    private static final Linear LINEAR = new Linear();

    @Override
    public String name() {
      return "own squares";
    }

    @Override
    public double value(Shard shard, double[] theta) {
      return LINEAR.value(shard, theta);
    }

    @Override
    public void gradient(Shard shard, double[] theta, double[] gradient) {
      LINEAR.gradient(shard, theta, gradient);
    }

    @Override
    public void hessian(Shard shard, double[] theta, double[] hessian) {
      LINEAR.hessian(shard, theta, hessian);
    }
  }

  @Test
  void of_ownLossWithHessian_agreesWithTheLinearModel() {
    double[][] w = Cases.weights(Cases.random(31), 5);
    Shards shards = Cases.shards(Cases.random(32), 5, 3, 2);
    double[] near = {1, 1};
    Check own =
        Check.of(
            Problem.of(Network.of(w), new OwnSquares(), shards, 0.1).near(near), Optional.empty());
    Check linear =
        Check.of(Problem.of(Network.of(w), new Linear(), shards, 0.1).near(near), Optional.empty());
    assertThat(own.converges()).isEqualTo(linear.converges());
    assertThat(own.safeAlpha()).isEqualTo(linear.safeAlpha());
    assertThat(own.spectralRadius().value()).isEqualTo(linear.spectralRadius().value());
    assertThat(own.stableDistanceToGlobal().value().getAsDouble())
        .isCloseTo(linear.stableDistanceToGlobal().value().getAsDouble(), within(1e-10));
    assertThat(named(own, "theorem 3 (C1):").holds()).isNull();
  }

  @Test
  void of_ownLossThatIsNotConvex_leavesItToTheRadius() {
    // −θ²/2: Δ = 1 + α, which grows whatever the network.
    CurvedLoss concave =
        new CurvedLoss() {
          @Override
          public String name() {
            return "concave";
          }

          @Override
          public double value(Shard shard, double[] theta) {
            return -0.5 * theta[0] * theta[0];
          }

          @Override
          public void gradient(Shard shard, double[] theta, double[] gradient) {
            gradient[0] = -theta[0];
          }

          @Override
          public void hessian(Shard shard, double[] theta, double[] hessian) {
            hessian[0] = -1;
          }
        };
    Certificate certificate =
        Certificate.of(
            Problem.of(Network.of(Cases.circle(3, 1)), concave, ones(3), 0.1).near(new double[1]));
    assertThat(certificate.converges()).isFalse();
    assertThat(certificate.reason()).contains("not positive semidefinite").contains("1.1");
  }

  @Test
  void of_ownLossWithoutHessian_isUndecided() {
    Loss own =
        new Loss() {
          @Override
          public String name() {
            return "own";
          }

          @Override
          public double value(Shard shard, double[] theta) {
            return Arrays.stream(theta).sum();
          }

          @Override
          public void gradient(Shard shard, double[] theta, double[] gradient) {
            Arrays.fill(gradient, 1);
          }
        };
    Check check =
        Check.of(
            Problem.of(Network.of(Cases.circle(3, 1)), own, ones(3), 0.1).near(new double[1]),
            Optional.empty());
    assertThat(check.converges()).isNull();
    assertThat(check.reason()).contains("own").contains("Hessian");
    assertThat(check.safeAlpha()).isEmpty();
    assertThat(check.seScore().value().getAsDouble()).isCloseTo(1, within(1e-15));
  }
}
