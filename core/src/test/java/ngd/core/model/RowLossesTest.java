package ngd.core.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import ngd.core.InvalidInput;
import ngd.core.data.Shard;
import ngd.core.data.Shards;
import ngd.core.random.Streams;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Losses that are no likelihoods. Oracle: the contract's finite differences; the conditions of a
 * minimum for proximal steps and estimates.
 */
class RowLossesTest {
  @Nested
  class OfHuber extends CurvedLossContract {
    @Override
    protected CurvedLoss loss() {
      return new Huber(0.8);
    }

    @Override
    protected double response(double eta, UniformRandomProvider draw) {
      return eta + 2 * ZigguratSampler.NormalizedGaussian.of(draw).sample();
    }
  }

  @Nested
  class OfSmoothedQuantile extends CurvedLossContract {
    @Override
    protected CurvedLoss loss() {
      return new SmoothedQuantile(0.2, 0.7);
    }

    @Override
    protected double response(double eta, UniformRandomProvider draw) {
      return eta + 2 * ZigguratSampler.NormalizedGaussian.of(draw).sample();
    }
  }

  @Nested
  class OfSmoothedHinge extends CurvedLossContract {
    @Override
    protected CurvedLoss loss() {
      return new SmoothedHinge(0.6);
    }

    @Override
    protected double response(double eta, UniformRandomProvider draw) {
      return draw.nextDouble() < 0.5 ? 1 : 0;
    }
  }

  @Nested
  class OfQuantile extends LossContract {
    @Override
    protected Loss loss() {
      return new Quantile(0.3);
    }

    @Override
    protected double response(double eta, UniformRandomProvider draw) {
      return eta + 2 * ZigguratSampler.NormalizedGaussian.of(draw).sample();
    }
  }

  @Nested
  class OfHinge extends LossContract {
    @Override
    protected Loss loss() {
      return new Hinge();
    }

    @Override
    protected double response(double eta, UniformRandomProvider draw) {
      return draw.nextDouble() < 0.5 ? 1 : 0;
    }
  }

  /** Rows with offsets and weights, some of them 0; every other row twice where asked. */
  private static Shards rows(int n, int p, boolean labels, boolean doubled, long seed) {
    UniformRandomProvider draw = Streams.of(seed).stream(Streams.Purpose.DATA);
    var normal = ZigguratSampler.NormalizedGaussian.of(draw);
    Shards.Filler filler = Shards.sized(p, new int[] {n});
    double[] x = new double[p];
    double y = 0;
    for (int i = 0; i < n; i++) {
      if (!doubled || i % 2 == 0) {
        Arrays.setAll(x, j -> j == 0 ? 1 : normal.sample());
        y = labels ? (draw.nextDouble() < 0.4 ? 1 : 0) : 2 * normal.sample() + x[p - 1];
      }
      filler.put(0, i, x, y, 0.1 * (i % 3), i % 5 == 0 ? 0 : 1 + i % 2);
    }
    return filler.done();
  }

  /**
   * Whether 0 is a subgradient of the loss plus rho / 2 of the squared distance: rows on their
   * kinks may have any slope between their two, and what the others leave must be a combination of
   * those.
   */
  private static double residual(
      KinkedLoss loss, Shards shards, double[] theta, double[] centre, double rho) {
    Shard shard = shards.shard(0);
    int p = theta.length;
    double[] x = new double[p];
    double[] left = new double[p];
    for (int j = 0; j < p; j++) {
      left[j] = rho * (theta[j] - centre[j]);
    }
    double[][] spanned = new double[0][];
    for (int i = 0; i < shard.rows(); i++) {
      shard.row(i, x);
      double eta = Glm.dot(x, theta) + shard.offset(i);
      double share = shard.weight(i) / shard.rows();
      double past = eta - loss.kink(shard.y(i));
      double low = share * loss.lower(shard.y(i));
      double high = share * loss.upper(shard.y(i));
      if (Math.abs(past) > 1e-9) {
        for (int j = 0; j < p; j++) {
          left[j] += (past < 0 ? low : high) * x[j];
        }
      } else if (share > 0) {
        spanned = Arrays.copyOf(spanned, spanned.length + 1);
        double[] row = Arrays.copyOf(x, p + 2);
        row[p] = low;
        row[p + 1] = high;
        spanned[spanned.length - 1] = row;
      }
    }
    return leastNorm(left, spanned, p);
  }

  /**
   * The least norm of left + Σ a x, a between the bounds after x: by descent in one a at a time.
   */
  private static double leastNorm(double[] left, double[][] rows, int p) {
    double[] sum = left.clone();
    double[] a = new double[rows.length];
    for (int sweep = 0; sweep < 200_000; sweep++) {
      double moved = 0;
      for (int i = 0; i < rows.length; i++) {
        double slope = 0;
        double square = 0;
        for (int j = 0; j < p; j++) {
          slope += rows[i][j] * sum[j];
          square += rows[i][j] * rows[i][j];
        }
        double next = Math.clamp(a[i] - slope / square, rows[i][p], rows[i][p + 1]);
        for (int j = 0; j < p; j++) {
          sum[j] += (next - a[i]) * rows[i][j];
        }
        moved = Math.max(moved, Math.abs(next - a[i]));
        a[i] = next;
      }
      if (moved < 1e-17) {
        break;
      }
    }
    double norm = 0;
    for (double entry : sum) {
      norm = Math.hypot(norm, entry);
    }
    return norm;
  }

  @ParameterizedTest
  @CsvSource({
    "quantile, 1, 1, 0.5",
    "quantile, 30, 3, 2",
    "quantile, 30, 3, 0.05",
    "quantile, 200, 6, 0.001",
    "quantile, 4, 8, 0.3",
    "hinge, 30, 3, 1",
    "hinge, 120, 5, 0.01",
    "hinge, 4, 8, 0.3",
  })
  void prox_anyRows_leavesNoSubgradient(String name, int n, int p, double rho) {
    for (long seed = 0; seed < 20; seed++) {
      KinkedLoss loss = name.equals("hinge") ? new Hinge() : new Quantile(0.3);
      Shards shards = rows(n, p, name.equals("hinge"), false, seed);
      double[] centre = new double[p];
      Arrays.setAll(centre, j -> Math.sin(7 * j + n));
      double[] found = loss.prox(shards, 0, centre, rho);
      assertThat(residual(loss, shards, found, centre, rho)).isLessThan(1e-10);
    }
  }

  /** Of equal rows no system has one solution: the smallest epsilon decides. */
  @ParameterizedTest
  @ValueSource(strings = {"hinge", "quantile"})
  void prox_rowsTwice_isNearTheMinimum(String name) {
    for (long seed = 0; seed < 10; seed++) {
      KinkedLoss loss = name.equals("hinge") ? new Hinge() : new Quantile(0.3);
      Shards shards = rows(40, 3, name.equals("hinge"), true, seed);
      double[] centre = {0.1, -0.4, 0.2};
      double[] found = loss.prox(shards, 0, centre, 0.2);
      assertThat(residual(loss, shards, found, centre, 0.2)).isLessThan(1e-7);
    }
  }

  @ParameterizedTest
  @CsvSource({"quantile, 50, 3", "quantile, 301, 5", "hinge, 60, 3"})
  void globalEstimate_kinks_leaveNoSubgradient(String name, int n, int p) {
    KinkedLoss loss = name.equals("hinge") ? new Hinge() : new Quantile(0.7);
    Shards shards = rows(n, p, name.equals("hinge"), false, 3);
    double[] found = GlobalEstimate.of(loss, shards).theta();
    assertThat(residual(loss, shards, found, found, 1)).isLessThan(1e-10);
  }

  /** A width far below the spread of the responses, from which Newton alone does not come back. */
  @ParameterizedTest
  @ValueSource(doubles = {10, 0.1, 0.02})
  void globalEstimate_smoothed_hasNoGradient(double width) {
    Shards shards = rows(500, 4, false, false, 9);
    for (MEstimator loss : List.of(new Huber(width), new SmoothedQuantile(0.9, width))) {
      double[] found = GlobalEstimate.of(loss, shards).theta();
      double[] gradient = loss.gradient(shards, 0, found);
      assertThat(Arrays.stream(gradient).map(Math::abs).max().orElseThrow()).isLessThan(1e-12);
    }
  }

  @Test
  void huber_wideDelta_isLeastSquares() {
    Shards shards = rows(60, 3, false, false, 4);
    double[] least = GlobalEstimate.of(new Linear(), shards).theta();
    double[] found = GlobalEstimate.of(new Huber(1e6), shards).theta();
    for (int j = 0; j < least.length; j++) {
      assertThat(found[j]).isCloseTo(least[j], within(1e-12));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "huber | loss: the form is `huber:DELTA`; got `huber`",
        "huber:0 | loss huber: DELTA, from which on residuals count linearly, must be a positive number; got 0",
        "huber:x | loss huber: DELTA must be a number; got `x`",
        "quantile:0 | must lie between 0 and 1; got 0",
        "quantile:1 | must lie between 0 and 1; got 1",
        "quantile:0.5:-1 | WIDTH, within which the kink is smoothed, must be a positive number; got -1",
        "hinge:0 | WIDTH, over which the kink is smoothed, must be a positive number; got 0",
        "hubber:1 | `hubber:1` is unknown; did you mean `huber:DELTA`?",
      })
  void parse_whatIsNoLoss_isRefused(String words, String message) {
    assertThatThrownBy(() -> Losses.require(words))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining(message);
  }

  @Test
  void require_words_areCanonical() {
    assertThat(Losses.require("huber:1.50")).isEqualTo("huber:1.5");
    assertThat(Losses.require("quantile:5e-1:0.10")).isEqualTo("quantile:0.5:0.1");
    assertThat(Losses.require("multinomial")).isEqualTo("multinomial");
    assertThat(Losses.parse("quantile:0.5").loss()).isEqualTo(new Quantile(0.5));
  }

  /** The value of Huber's loss with the gradient of half the squared error. */
  private record WrongGradient() implements PredictorLoss {
    @Override
    public String name() {
      return "wrong";
    }

    @Override
    public double rowLoss(double eta, double y) {
      return new Huber(0.5).rowLoss(eta, y);
    }

    @Override
    public double score(double eta, double y) {
      return eta - y;
    }
  }

  @Test
  void gradientCheck_wrongGradient_isRefusedWithBothNumbers() {
    Shards shards = rows(50, 2, false, false, 5);
    assertThatThrownBy(
            () -> GradientCheck.require(new WrongGradient(), shards, List.of("one", "two")))
        .isInstanceOf(InvalidInput.class)
        .hasMessageMatching(
            "loss `wrong`: its gradient must be the derivative of its value; for coefficient 0,"
                + " `one`, at client 0 the gradient is -?\\d+\\.\\d+, and differences of the value"
                + " give -?\\d+\\.\\d+ \\(at theta = .*");
  }

  /** Kinks are no mistakes, and neither are columns on any scale. */
  @Test
  void gradientCheck_rightGradients_pass() {
    for (long seed = 0; seed < 20; seed++) {
      Shards shards = rows(400, 4, false, false, seed).in(scaled(), new double[0]);
      for (Loss loss :
          List.of(new Quantile(0.3), new Huber(0.1), new SmoothedQuantile(0.9, 1e-3))) {
        GradientCheck.require(loss, shards, List.of("a", "b", "c", "d"));
      }
    }
  }

  /** Columns of sizes 1, 1e-6, 1e4 and 1e8. */
  private static double[] scaled() {
    double[] upper = new double[16];
    double[] sizes = {1, 1e6, 1e-4, 1e-8};
    for (int j = 0; j < 4; j++) {
      upper[5 * j] = sizes[j];
    }
    return upper;
  }
}
