package ngd.core.inference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.function.DoubleUnaryOperator;
import ngd.core.InvalidInput;
import ngd.core.data.Shard;
import ngd.core.data.Shards;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.random.Streams;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Legal data on extreme scales. Oracle: equivariance. Estimates and standard errors of scaled
 * responses or columns are scaled alike, and no statistic changes.
 */
class ExtremeDataTest {
  private static final DoubleUnaryOperator SAME = DoubleUnaryOperator.identity();

  /** What is done to the numbers of a row. */
  private record Change(
      DoubleUnaryOperator y,
      DoubleUnaryOperator x,
      DoubleUnaryOperator offset,
      DoubleUnaryOperator weight) {
    static Change ofY(DoubleUnaryOperator y) {
      return new Change(y, SAME, SAME, SAME);
    }

    static Change ofX(DoubleUnaryOperator x) {
      return new Change(SAME, x, SAME, SAME);
    }

    Shards of(Shards rows) {
      int[] sizes = new int[rows.clients()];
      for (int m = 0; m < sizes.length; m++) {
        sizes[m] = rows.rows(m);
      }
      Shards.Filler filler = Shards.sized(3, sizes);
      double[] row = new double[3];
      for (int m = 0; m < sizes.length; m++) {
        Shard shard = rows.shard(m);
        for (int i = 0; i < sizes[m]; i++) {
          shard.row(i, row);
          row[1] = x.applyAsDouble(row[1]);
          filler.put(
              m,
              i,
              row,
              y.applyAsDouble(shard.y(i)),
              offset.applyAsDouble(shard.offset(i)),
              weight.applyAsDouble(shard.weight(i)));
        }
      }
      return filler.done();
    }
  }

  private static Inference fit(String name, Change change) {
    SyntheticSites sites = SyntheticSites.of(name, 0);
    return SyntheticSites.fit(
        sites.glm(),
        change.of(sites.shards()),
        sites.terms(),
        Network.of(Topology.parse("regular:3", 24, Streams.of(3))),
        PooledFit.Settings.STANDARD,
        Inference.Options.STANDARD);
  }

  private static final Change NONE = Change.ofY(SAME);

  /**
   * Oracle: a closed form, all zeros; R's lm and glm say the same, with statistics that are NaN.
   */
  @Test
  void run_responseZeroInEveryRow_isZeroWithStandardErrorsOfZero() {
    Inference found = fit("gaussian", Change.ofY(y -> 0));
    for (Coefficient line : found.coefficients()) {
      assertThat(line.estimate()).isZero();
      assertThat(line.standardError()).isZero();
      assertThat(line.statistic()).isNaN();
      assertThat(line.pValue()).isNaN();
    }
    assertThat(found.fit().dispersion()).isZero();
    assertThat(found.fit().deviance()).isZero();
    assertThat(found.fit().nullDeviance()).isZero();
    assertThat(found.estimate().distance()).isZero();
  }

  /** Oracle: the intercept is the constant, all else rounding. */
  @ParameterizedTest
  @ValueSource(doubles = {3.7, -1e-30, 1e80, 1e140})
  void run_constantResponse_isTheIntercept(double constant) {
    Inference found = fit("gaussian", Change.ofY(y -> constant));
    assertThat(found.coefficients().getFirst().estimate() / constant).isCloseTo(1, within(1e-12));
    assertThat(found.coefficients().get(1).estimate() / constant).isCloseTo(0, within(1e-12));
  }

  @ParameterizedTest
  @ValueSource(doubles = {1e-145, 1e-100, 1e100, 1e145})
  void run_scaledResponse_scalesTheAnswer(double scale) {
    Inference plain = fit("gaussian", NONE);
    Inference scaled = fit("gaussian", Change.ofY(y -> scale * y));
    for (int j = 0; j < 3; j++) {
      requireScaled(scaled.coefficients().get(j), plain.coefficients().get(j), scale);
    }
  }

  @ParameterizedTest
  @CsvSource({"gaussian,1e145", "gaussian,1e-145", "logit,1e145", "poisson-offset,1e-145"})
  void run_scaledColumn_scalesItsCoefficient(String name, double scale) {
    Inference plain = fit(name, NONE);
    Inference scaled = fit(name, Change.ofX(x -> scale * x));
    requireScaled(scaled.coefficients().get(0), plain.coefficients().get(0), 1);
    requireScaled(scaled.coefficients().get(1), plain.coefficients().get(1), 1 / scale);
    requireScaled(scaled.coefficients().get(2), plain.coefficients().get(2), 1);
  }

  private static void requireScaled(Coefficient found, Coefficient plain, double scale) {
    assertThat(found.estimate() / scale)
        .isCloseTo(plain.estimate(), within(1e-5 * plain.standardError()));
    assertThat(found.standardError() / scale)
        .isCloseTo(plain.standardError(), within(1e-6 * plain.standardError()));
    assertThat(found.statistic()).isCloseTo(plain.statistic(), within(1e-5));
  }

  /** Gamma responses in other units move the intercept by the logarithm of the unit. */
  @ParameterizedTest
  @ValueSource(doubles = {1e-165, 1e-155, 1e155, 1e165})
  void run_gammaInOtherUnits_movesTheInterceptAlone(double unit) {
    Inference plain = fit("gamma", NONE);
    Inference found = fit("gamma", Change.ofY(y -> unit * y));
    assertThat(found.fit().dispersion()).isCloseTo(plain.fit().dispersion(), within(1e-9));
    assertThat(found.coefficients().get(0).estimate() - Math.log(unit))
        .isCloseTo(plain.coefficients().get(0).estimate(), within(1e-9));
    requireScaled(found.coefficients().get(1), plain.coefficients().get(1), 1);
  }

  /** Copies of every row: the same estimate, its standard error by √copies smaller. */
  @ParameterizedTest
  @CsvSource({"logit,1e80", "poisson-offset,1e100", "logit,1e-3"})
  void run_extremeWeights_changeStandardErrorsAlone(String name, double copies) {
    Inference plain = fit(name, NONE);
    Inference found = fit(name, new Change(SAME, SAME, SAME, w -> copies * w));
    for (int j = 0; j < 3; j++) {
      Coefficient line = plain.coefficients().get(j);
      assertThat(found.coefficients().get(j).estimate())
          .isCloseTo(line.estimate(), within(1e-4 * line.standardError()));
      assertThat(found.coefficients().get(j).standardError() * Math.sqrt(copies))
          .isCloseTo(line.standardError(), within(1e-5 * line.standardError()));
    }
  }

  private static void refused(String name, Change change, String... parts) {
    assertThatThrownBy(() -> fit(name, change))
        .isInstanceOf(InvalidInput.class)
        .satisfies(
            thrown -> {
              for (String part : List.of(parts)) {
                assertThat(thrown).hasMessageContaining(part);
              }
            });
  }

  @Test
  void run_numbersWhoseSquaresAreNone_areRefusedByName() {
    refused(
        "gaussian", Change.ofY(y -> 1e155 * y), "the response", "1e-295 and 1e295", "e155; divide");
    refused(
        "gaussian",
        Change.ofY(y -> 1e-160 * y),
        "the response",
        "1e-295 and 1e295",
        "e-160; divide");
    refused("gaussian", Change.ofY(y -> 1e200), "the response", "root mean square is 1e200");
    refused(
        "gaussian", Change.ofX(x -> 1e155 * x), "column `x1`", "1e-295 and 1e295", "e155; divide");
    refused(
        "logit", Change.ofX(x -> 1e-160 * x), "column `x1`", "1e-295 and 1e295", "e-160; divide");
    refused("logit", Change.ofX(x -> 1e-320 * x), "column `x1`", "1e-295 and 1e295");
    refused(
        "gamma", Change.ofY(y -> 1e250 * y), "the response", "1e-170 and 1e170", "e250; divide");
  }

  @Test
  void run_weightsOrOffsetsBeyondAllUse_areRefusedByName() {
    refused(
        "gaussian",
        new Change(SAME, SAME, SAME, w -> 1e300),
        "the weights",
        "1e295",
        "mean is 1e300");
    refused("logit", new Change(SAME, SAME, SAME, w -> 1e-320), "the weights", "1e-295");
    refused("logit", new Change(SAME, SAME, o -> 1e80, SAME), "the offset", "1e8", "1e80");
    refused("gaussian", new Change(SAME, SAME, o -> 1e200, SAME), "the offset", "1e140", "1e200");
    refused("poisson-offset", new Change(SAME, SAME, o -> 1e80, SAME), "the offset");
  }
}
