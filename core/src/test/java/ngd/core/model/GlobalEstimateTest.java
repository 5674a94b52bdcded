package ngd.core.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.OptionalInt;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import ngd.core.data.PaperModel;
import ngd.core.data.Partition;
import ngd.core.data.Placement;
import ngd.core.data.Shard;
import ngd.core.data.Shards;
import ngd.core.linalg.Rational;
import ngd.core.random.Streams;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class GlobalEstimateTest {

  // ---- estimates that have a closed form

  /** Oracle: log-odds of the cells of a 2 × 2 table, and of one cell against the other. */
  @Test
  void of_logisticOnATwoByTwoTable_isTheLogOdds() {
    // group 0: 3 of 10 succeed, group 1: 45 of 50
    Shards shards =
        oneShard(60, i -> i < 10 ? row(1, 0) : row(1, 1), i -> i < 3 || i >= 15 ? 1 : 0);
    double[] theta = GlobalEstimate.of(new Logistic(), shards).theta();
    assertThat(theta[0]).isCloseTo(Math.log(3.0 / 7), within(1e-14));
    assertThat(theta[1]).isCloseTo(Math.log(9) - Math.log(3.0 / 7), within(1e-13));
  }

  /** Oracle: the same closed forms; so many rows are gathered in parts. */
  @Test
  void of_manyRowsOfManyClients_areTheLogOddsAndTheMeans() {
    int clients = 7;
    int rows = 100_000;
    double[][][] x = new double[clients][rows][];
    double[][] y = new double[clients][rows];
    for (int m = 0; m < clients; m++) {
      for (int i = 0; i < rows; i++) {
        x[m][i] = i % 5 == 0 ? row(1, 0) : row(1, 1);
        y[m][i] = i % 5 < 2 ? 1 : 0;
      }
      // Of group 0 all but one of ten succeed.
      for (int i = 0; i < rows; i += 50) {
        y[m][i] = 0;
      }
    }
    Shards shards = Shards.of(x, y);
    double[] theta = GlobalEstimate.of(new Logistic(), shards).theta();
    assertThat(theta[0]).isCloseTo(Math.log(9), within(1e-11));
    assertThat(theta[1]).isCloseTo(Math.log(1.0 / 3) - Math.log(9), within(1e-11));
    double[] means = GlobalEstimate.of(new Linear(), shards).theta();
    assertThat(means[0]).isCloseTo(0.9, within(1e-13));
    assertThat(means[1]).isCloseTo(0.25 - 0.9, within(1e-13));
  }

  /** Oracle: the logarithms of the groups' mean counts. */
  @Test
  void of_poissonByGroup_isTheLogOfTheMeans() {
    Shards shards =
        oneShard(30, i -> i < 10 ? row(1, 0) : row(1, 1), i -> i < 10 ? i % 3 : 1e6 + i);
    double[] theta = GlobalEstimate.of(new Poisson(), shards).theta();
    double first = Math.log(0.9);
    double second = Math.log(1e6 + 19.5);
    assertThat(theta[0]).isCloseTo(first, within(1e-13));
    assertThat(theta[1]).isCloseTo(second - first, within(1e-12));
  }

  /** Oracle: exact rational arithmetic. */
  @Test
  void of_linearOnIllConditionedColumns_agreesWithExactArithmetic() {
    double[][] x = new double[30][];
    double[] y = new double[30];
    for (int i = 0; i < 30; i++) {
      double year = 1947 + i;
      x[i] = new double[] {1, year, year * year, 100 + 3 * year + (i * 7) % 5};
      y[i] = 60 + 0.5 * i + (i * 11) % 7;
    }
    double[] exact = Rational.leastSquares(x, y);
    double[] theta = GlobalEstimate.of(new Linear(), pooled(x, y, 4)).theta();
    for (int j = 0; j < 4; j++) {
      assertThat(theta[j]).isCloseTo(exact[j], within(1e-7 * Math.abs(exact[j])));
    }
  }

  // ---- estimates by their defining equation

  /**
   * Oracle: the pooled score is zero, in units of its own rounding, and more clients change
   * nothing.
   */
  @ParameterizedTest
  @EnumSource(value = PaperModel.class, names = "SURVIVAL", mode = EnumSource.Mode.EXCLUDE)
  void of_thePapersModels_makesTheScoreZeroAndLiesNearTheTruth(PaperModel model) {
    Glm glm = glm(model);
    Shards shards = cut(model, 4000, 37);
    GlobalEstimate estimate = GlobalEstimate.of(glm, shards);
    double[] theta = estimate.theta();
    double[] score = new PooledLoss(glm, shards).gradient(theta);
    for (int j = 0; j < theta.length; j++) {
      assertThat(score[j]).isCloseTo(0, within(1e-13 * (model == PaperModel.POISSON ? 100 : 1)));
      assertThat(theta[j]).isCloseTo(model.truth()[j], within(0.25));
    }
    double[] pooled = GlobalEstimate.of(glm, cut(model, 4000, 1)).theta();
    assertThat(theta).usingComparatorWithPrecision(1e-12).containsExactly(pooled);
    assertThat(estimate.iterations()).isLessThan(15);
  }

  /** Oracle: the equivariance of the estimate, X → XA gives θ → A⁻¹θ. */
  @ParameterizedTest
  @EnumSource(value = PaperModel.class, names = "SURVIVAL", mode = EnumSource.Mode.EXCLUDE)
  void of_rescaledAndShiftedColumns_givesTheSameFit(PaperModel model) {
    Shards plain = withIntercept(cut(model, 500, 3), 1, 0);
    Shards scaled = withIntercept(cut(model, 500, 3), 1e-7, 1e3);
    double[] theta = GlobalEstimate.of(glm(model), plain).theta();
    double[] other = GlobalEstimate.of(glm(model), scaled).theta();
    assertThat(other[1] * 1e-7).isCloseTo(theta[1], within(1e-7));
    double shift = 1e3 * (other[1] * 1e-7);
    assertThat(other[0] + shift).isCloseTo(theta[0], within(1e-5));
    for (int j = 2; j < theta.length; j++) {
      assertThat(other[j]).isCloseTo(theta[j], within(1e-7));
    }
  }

  /** Oracle: the score; counts from 0 to millions over covariates with wild outliers. */
  @Test
  void of_poissonWithWildCovariates_makesTheScoreZero() {
    for (int seed = 0; seed < 40; seed++) {
      var draws = Streams.of(seed).stream(Streams.Purpose.DATA, 2);
      var gauss = ZigguratSampler.NormalizedGaussian.of(draws);
      double[][] x = new double[50][5];
      double[] y = new double[50];
      for (int i = 0; i < 50; i++) {
        double eta = 0;
        x[i][0] = 1;
        for (int j = 1; j < 5; j++) {
          double z = gauss.sample() * (draws.nextInt(20) == 0 ? 20 : 1);
          x[i][j] = 0.1 * z;
          eta += 5 * z / (j + 1);
        }
        y[i] = Math.rint(Math.exp(Math.min(eta, 15)));
      }
      Shards shards = pooled(x, y, 1);
      double[] theta = GlobalEstimate.of(new Poisson(), shards).theta();
      double[] score = new PooledLoss(new Poisson(), shards).gradient(theta);
      double[] hessian = new PooledLoss(new Poisson(), shards).hessian(new Poisson(), theta);
      for (int j = 0; j < 5; j++) {
        assertThat(score[j]).isCloseTo(0, within(1e-9 * Math.sqrt(hessian[6 * j])));
      }
    }
  }

  /** Each client has fewer rows than there are coefficients; the pooled rank counts. */
  @Test
  void of_fewRowsEach_needsOnlyThePooledRank() {
    Shards shards = cut(PaperModel.LINEAR, 40, 20);
    assertThat(shards.rows(0)).isLessThan(shards.features());
    assertThat(GlobalEstimate.of(new Linear(), shards).theta()).hasSize(8);
  }

  // ---- redundant columns

  @Test
  void of_redundantColumn_namesTheFirstAndThoseItDependsOn() {
    double[][] x = normal(200, 4);
    for (double[] row : x) {
      row[2] = 2 * row[0] + row[1];
      row[3] = row[0];
    }
    NoEstimate none =
        catchThrowableOfType(
            NoEstimate.class,
            () ->
                GlobalEstimate.of(
                    new Linear(), pooled(x, new double[200], 5), List.of("a", "b", "c", "d")));
    assertThat(none)
        .hasMessage("column `c` is redundant: it equals 2·a + b; leave one of these out");
    assertThat(none.reason()).isEqualTo(NoEstimate.Reason.REDUNDANT_COLUMN);
  }

  @ParameterizedTest
  @ValueSource(strings = {"gaussian", "binomial", "poisson"})
  void of_constantColumn_isRedundantOnlyBesideAnIntercept(String family) {
    double[][] x = normal(100, 3);
    double[] y = new double[100];
    for (int i = 0; i < 100; i++) {
      x[i][2] = 7.3;
      y[i] = i % 2;
    }
    Shards without = pooled(x, y, 3);
    assertThat(GlobalEstimate.of(Families.parse(family), without).theta()).hasSize(3);
    for (double[] row : x) {
      row[0] = 1;
    }
    Shards beside = pooled(x, y, 3);
    assertThatThrownBy(
            () ->
                GlobalEstimate.of(Families.parse(family), beside, List.of("(Intercept)", "a", "k")))
        .hasMessage(
            "column `k` is constant and so redundant beside the intercept; leave one of them out");
  }

  @Test
  void requireIndependent_dummiesOfEveryCategory_areRedundantBesideTheIntercept() {
    double[][] x = new double[90][];
    for (int i = 0; i < 90; i++) {
      x[i] = row(1, i % 3 == 0 ? 1 : 0, i % 3 == 1 ? 1 : 0, i % 3 == 2 ? 1 : 0);
    }
    assertThatThrownBy(
            () ->
                new PooledRows(
                        new Linear(),
                        pooled(x, new double[90], 2),
                        List.of("(Intercept)", "r", "g", "b"))
                    .requireIndependent())
        .hasMessageContaining("column `b` is redundant: it equals 1 − r − g");
  }

  @Test
  void requireIndependent_zeroColumnAndFewRows_areNamed() {
    assertThatThrownBy(
            () ->
                new PooledRows(
                        new Linear(),
                        pooled(new double[][] {{1, 0}, {2, 0}, {1, 0}}, new double[3], 1),
                        List.of("a", "z"))
                    .requireIndependent())
        .hasMessageContaining("column `z` is zero in every row");
    NoEstimate few =
        catchThrowableOfType(
            NoEstimate.class,
            () -> GlobalEstimate.of(new Linear(), pooled(normal(3, 5), new double[3], 1)));
    assertThat(few.reason()).isEqualTo(NoEstimate.Reason.TOO_FEW_ROWS);
    assertThat(few).hasMessageContaining("5 coefficients").hasMessageContaining("got 3");
  }

  // ---- separation

  @Test
  void of_logisticWithACategoryWithoutSuccesses_namesIt() {
    double[][] x = normal(3000, 4);
    double[] y = new double[3000];
    UniformRandomProvider draws = Streams.of(9).stream(Streams.Purpose.DATA, 1);
    for (int i = 0; i < 3000; i++) {
      x[i][0] = 1;
      x[i][2] = i % 200 == 7 ? 1 : 0;
      y[i] = x[i][2] == 1 ? 0 : draws.nextDouble() < 0.3 ? 1 : 0;
    }
    NoEstimate none =
        catchThrowableOfType(
            NoEstimate.class,
            () ->
                GlobalEstimate.of(
                    new Logistic(),
                    pooled(x, y, 3),
                    List.of("(Intercept)", "age", "without pay", "hours")));
    assertThat(none.reason()).isEqualTo(NoEstimate.Reason.SEPARATION);
    assertThat(none)
        .hasMessageContaining("coefficient of `without pay` goes to −∞")
        .hasMessageContaining("fits 15 of 3000 rows perfectly");
  }

  /** One success in the category is enough for an estimate: log-odds of 1 in 15. */
  @Test
  void of_logisticWithARareSuccess_exists() {
    Shards shards =
        oneShard(
            3015,
            i -> i < 3000 ? row(1, 0) : row(1, 1),
            i -> (i % 2 == 0 && i < 3000) || i == 3001 ? 1 : 0);
    double[] theta = GlobalEstimate.of(new Logistic(), shards).theta();
    assertThat(theta[0] + theta[1]).isCloseTo(Math.log(1.0 / 14), within(1e-12));
  }

  @ParameterizedTest
  @ValueSource(doubles = {1e-3, 1, 1e4})
  void of_logisticOnALineThatACutSeparates_hasNone(double scale) {
    Shards shards = oneShard(40, i -> row(1, scale * i), i -> i < 17 ? 0 : 1);
    assertThatThrownBy(
            () -> GlobalEstimate.of(new Logistic(), shards, List.of("(Intercept)", "dose")))
        .hasMessageContaining("separation")
        .hasMessageContaining("`dose`");
  }

  /** The same line with two responses swapped: an estimate, large but finite. */
  @Test
  void of_logisticOnALineThatHardlyOverlaps_exists() {
    Shards shards = oneShard(400, i -> row(1, i), i -> (i < 200 && i != 199) || i == 200 ? 0 : 1);
    double[] theta = GlobalEstimate.of(new Logistic(), shards).theta();
    double[] score = new PooledLoss(new Logistic(), shards).gradient(theta);
    assertThat(theta[1]).isGreaterThan(0.5);
    assertThat(score[1]).isCloseTo(0, within(1e-10));
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 1})
  void of_logisticWithOneLabelOnly_namesTheIntercept(double label) {
    Shards shards = oneShard(50, i -> row(1, (i * 7) % 11), i -> label);
    assertThatThrownBy(() -> GlobalEstimate.of(new Logistic(), shards, List.of("(Intercept)", "x")))
        .isInstanceOf(NoEstimate.class)
        .hasMessageContaining("separation");
  }

  @Test
  void of_poissonWithACategoryOfZeros_namesIt() {
    Shards shards =
        oneShard(100, i -> row(1, i % 10 == 3 ? 1 : 0, i), i -> i % 10 == 3 ? 0 : 1 + i % 4);
    assertThatThrownBy(
            () -> GlobalEstimate.of(new Poisson(), shards, List.of("(Intercept)", "closed", "t")))
        .hasMessageContaining("coefficient of `closed` goes to −∞")
        .hasMessageContaining("fits 10 of 100 rows perfectly");
  }

  // ---- own losses

  /** Oracle: the same model as a family, solved by QR. */
  @ParameterizedTest
  @EnumSource(value = PaperModel.class, names = "SURVIVAL", mode = EnumSource.Mode.EXCLUDE)
  void of_anOwnLoss_agreesWithTheFamily(PaperModel model) {
    Glm glm = glm(model);
    Shards shards = cut(model, 600, 7);
    double[] expected = GlobalEstimate.of(glm, shards).theta();
    GlobalEstimate newton = GlobalEstimate.of(new OwnCurved(glm), shards);
    assertThat(newton.method()).isEqualTo("Newton's method");
    assertThat(newton.theta()).usingComparatorWithPrecision(1e-10).containsExactly(expected);
    GlobalEstimate quasi = GlobalEstimate.of(new Own(glm), shards);
    assertThat(quasi.method()).isEqualTo("L-BFGS");
    assertThat(quasi.theta()).usingComparatorWithPrecision(1e-7).containsExactly(expected);
  }

  @Test
  void of_anOwnLossThatIsNotConvex_findsAStationaryPoint() {
    Shards shards = oneShard(1, i -> row(0), i -> 0);
    assertThat(GlobalEstimate.of(new Rosenbrock(), shards).theta())
        .usingComparatorWithPrecision(1e-6)
        .containsExactly(1, 1);
  }

  @Test
  void of_anOwnLossWithoutMinimum_saysSo() {
    Shards shards = oneShard(1, i -> row(1), i -> 0);
    assertThatThrownBy(() -> GlobalEstimate.of(new Falling(), shards))
        .isInstanceOf(NoEstimate.class)
        .hasMessageContaining("loss `falling`")
        .hasMessageContaining("bounded below");
  }

  private record Own(Glm glm) implements Loss {
    @Override
    public String name() {
      return "own " + glm.name();
    }

    @Override
    public double value(Shard shard, double[] theta) {
      return glm.value(shard, theta);
    }

    @Override
    public void gradient(Shard shard, double[] theta, double[] gradient) {
      glm.gradient(shard, theta, gradient);
    }
  }

  /** The banana valley, with its minimum at (1, 1). */
  private record Rosenbrock() implements Loss {
    @Override
    public String name() {
      return "rosenbrock";
    }

    @Override
    public int parameters(int features) {
      return 2;
    }

    @Override
    public double value(Shard shard, double[] t) {
      return 100 * Math.pow(t[1] - t[0] * t[0], 2) + Math.pow(1 - t[0], 2);
    }

    @Override
    public void gradient(Shard shard, double[] t, double[] gradient) {
      gradient[0] = -400 * t[0] * (t[1] - t[0] * t[0]) - 2 * (1 - t[0]);
      gradient[1] = 200 * (t[1] - t[0] * t[0]);
    }
  }

  private record Falling() implements Loss {
    @Override
    public String name() {
      return "falling";
    }

    @Override
    public double value(Shard shard, double[] theta) {
      return -theta[0];
    }

    @Override
    public void gradient(Shard shard, double[] theta, double[] gradient) {
      gradient[0] = -1;
    }
  }

  // ---- data

  private static Glm glm(PaperModel model) {
    return switch (model) {
      case LINEAR -> new Linear();
      case LOGISTIC -> new Logistic();
      case POISSON -> new Poisson();
      case SURVIVAL -> throw new IllegalArgumentException("no generalised linear model");
    };
  }

  private static Shards cut(PaperModel model, int rows, int clients) {
    Streams streams = Streams.of(3);
    var table = model.table(rows, streams);
    return new Partition.Sorted()
        .assign(table, OptionalInt.of(clients), Placement.IN_ORDER, streams)
        .shards(table);
  }

  /** The shards with an intercept before, and the first feature times scale plus shift. */
  private static Shards withIntercept(Shards shards, double scale, double shift) {
    double[][][] x = new double[shards.clients()][][];
    double[][] y = new double[shards.clients()][];
    for (int m = 0; m < x.length; m++) {
      Shard shard = shards.shard(m);
      x[m] = new double[shard.rows()][shards.features() + 1];
      y[m] = new double[shard.rows()];
      for (int i = 0; i < shard.rows(); i++) {
        y[m][i] = shard.y(i);
        x[m][i][0] = 1;
        for (int j = 0; j < shards.features(); j++) {
          x[m][i][j + 1] = shard.x(i, j);
        }
        x[m][i][1] = scale * (x[m][i][1] + shift);
      }
    }
    return Shards.of(x, y);
  }

  private static double[] row(double... entries) {
    return entries;
  }

  private interface RowOf {
    double[] at(int i);
  }

  private static Shards oneShard(int n, RowOf rows, ToDoubleFunction<Integer> response) {
    double[][] x = new double[n][];
    for (int i = 0; i < n; i++) {
      x[i] = rows.at(i);
    }
    return pooled(x, IntStream.range(0, n).boxed().mapToDouble(response).toArray(), 1);
  }

  /** Rows dealt out to clients in turn. */
  private static Shards pooled(double[][] x, double[] y, int clients) {
    double[][][] own = new double[clients][][];
    double[][] responses = new double[clients][];
    for (int m = 0; m < clients; m++) {
      int[] rows = IntStream.iterate(m, i -> i < x.length, i -> i + clients).toArray();
      own[m] = new double[rows.length][];
      responses[m] = new double[rows.length];
      for (int i = 0; i < rows.length; i++) {
        own[m][i] = x[rows[i]];
        responses[m][i] = y[rows[i]];
      }
    }
    return Shards.of(own, responses);
  }

  private static double[][] normal(int n, int p) {
    var gauss = ZigguratSampler.NormalizedGaussian.of(Streams.of(4).stream(Streams.Purpose.DATA));
    double[][] x = new double[n][p];
    for (double[] row : x) {
      for (int j = 0; j < p; j++) {
        row[j] = gauss.sample();
      }
    }
    return x;
  }
}
