package ngd.core.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.ClientSelection;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.LocalDescent;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.admm.DAdmm;
import ngd.core.algorithm.admm.LtAdmm;
import ngd.core.algorithm.admm.RelaxedAdmm;
import ngd.core.algorithm.descent.BalancedNgd;
import ngd.core.algorithm.descent.EarlyStopped;
import ngd.core.algorithm.descent.HeavyBall;
import ngd.core.algorithm.descent.Nesterov;
import ngd.core.algorithm.descent.QgDsgdm;
import ngd.core.algorithm.exact.Abm;
import ngd.core.algorithm.exact.Abn;
import ngd.core.algorithm.exact.AugDgm;
import ngd.core.algorithm.exact.D2;
import ngd.core.algorithm.exact.Diging;
import ngd.core.algorithm.exact.ExactDiffusion;
import ngd.core.algorithm.federated.FedAdam;
import ngd.core.algorithm.federated.FedAvg;
import ngd.core.algorithm.federated.FedDyn;
import ngd.core.algorithm.federated.FedLt;
import ngd.core.algorithm.federated.FedNova;
import ngd.core.algorithm.federated.FedPd;
import ngd.core.algorithm.federated.FedProx;
import ngd.core.algorithm.federated.Scaffnew;
import ngd.core.algorithm.federated.Scaffold;
import ngd.core.algorithm.local.Led;
import ngd.core.algorithm.local.LocalDiging;
import ngd.core.algorithm.local.ProxSkip;
import ngd.core.algorithm.reduced.Anchored;
import ngd.core.algorithm.reduced.GtSaga;
import ngd.core.algorithm.reduced.GtVr;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.network.Weights;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Methods that become simpler ones: one local step, no momentum, all rows at once. Oracle: the
 * simpler method, to the bit or to rounding.
 */
class MethodReductionsTest {
  private static final StepSize ALPHA = StepSize.constant(0.02);
  private static final GradientScales SCALES = GradientScales.bySize(SortedFit.UNEQUAL.sizes());
  private static final LocalDescent ONE = new LocalDescent(0, 1, SCALES);
  private static final LocalDescent PLAIN = new LocalDescent(0, 3, GradientScales.NONE);

  private static final Network LAZY =
      Network.of(new Topology.Ring(SortedFit.CLIENTS, 2), new Weights.LazyMetropolis());

  private static final ClientSelection ALL = new ClientSelection.All();
  private static final ClientSelection EVERYONE =
      ClientSelection.parse("uniform:" + SortedFit.CLIENTS);

  private static final LocalDescent THREE = new LocalDescent(0, 3, SCALES);

  /** Methods that select; {@link Scaffold} keeps other state where some may not take part. */
  private static final List<Function<ClientSelection, Algorithm.Rounds<?>>> SELECTING =
      List.of(
          rule -> new FedAvg(ALPHA, PLAIN, rule),
          rule -> new FedProx(ALPHA, 0.2, PLAIN, rule),
          rule -> new FedNova(ALPHA, 0, PLAIN, rule),
          rule -> new FedAdam(ALPHA, FedAdam.Rule.ADAM, 0.1, 0.9, 0.99, 0.01, PLAIN, rule),
          rule -> new FedAdam(ALPHA, FedAdam.Rule.YOGI, 0.1, 0.9, 0.99, 0.01, PLAIN, rule),
          rule -> new FedAdam(ALPHA, FedAdam.Rule.ADAGRAD, 0.1, 0.9, 0, 0.01, PLAIN, rule),
          rule -> new FedDyn(ALPHA, 1, THREE, rule),
          rule -> new FedLt(ALPHA, 1, THREE, rule));

  private static Arguments pair(
      Algorithm.Rounds<?> method, Algorithm.Rounds<?> simpler, double tolerance) {
    return Arguments.of(method, simpler, tolerance);
  }

  static Stream<Arguments> reductions() {
    Diging diging = new Diging(ALPHA, SCALES);
    BalancedNgd ngd = new BalancedNgd(ALPHA, SCALES);
    FedAvg fedavg = new FedAvg(ALPHA, PLAIN);
    ExactDiffusion diffusion = new ExactDiffusion(ALPHA, SCALES);
    return Stream.of(
        pair(new HeavyBall(ALPHA, 0, 0, SCALES), ngd, 0),
        pair(new Nesterov(ALPHA, 0, 0, SCALES), ngd, 0),
        pair(new QgDsgdm(ALPHA, 0, 0.5, 0, SCALES), new EarlyStopped(ALPHA, 99, SCALES), 0),
        pair(new Abm(ALPHA, 0, SCALES), diging, 0),
        pair(new Abn(ALPHA, 0, SCALES), diging, 0),
        pair(new LocalDiging(ALPHA, 1, SCALES), diging, 0),
        pair(new GtSaga(ALPHA, 1, SCALES), diging, 1e-12),
        pair(new Anchored(ALPHA, false, 5, 0, SCALES), diging, 0),
        pair(new Anchored(ALPHA, true, 5, 1000, SCALES), diging, 1e-12),
        pair(new Anchored(ALPHA, false, 5, 1000, SCALES), diging, 1e-12),
        pair(new GtVr(ALPHA, 0.3, 0, SCALES), new AugDgm(ALPHA, SCALES), 0),
        pair(new GtVr(ALPHA, 0.3, 1000, SCALES), new AugDgm(ALPHA, SCALES), 1e-12),
        pair(new RelaxedAdmm(0.6, 0.5, SCALES), new DAdmm(0.3, SCALES), 1e-12),
        pair(new Led(ALPHA, 0, ONE), new D2(ALPHA, 0, SCALES), 1e-12),
        pair(new ProxSkip(ALPHA, 1, 0.5, SCALES), diffusion, 1e-12),
        pair(
            new LtAdmm(ALPHA, 0.3, 0.1, 1, new LocalDescent(1000, 2, SCALES)),
            new LtAdmm(ALPHA, 0.3, 0.1, 1, new LocalDescent(0, 2, SCALES)),
            1e-12),
        pair(
            new Scaffold(ALPHA, 1, ONE),
            new FedAvg(ALPHA, new LocalDescent(0, 1, GradientScales.NONE)),
            1e-12),
        pair(new Scaffnew(ALPHA, 1, SCALES), new Scaffold(ALPHA, 1, ONE), 1e-12),
        pair(new FedProx(ALPHA, 0, PLAIN), fedavg, 0),
        pair(new FedNova(ALPHA, 0, PLAIN), fedavg, 1e-12),
        // So large a τ that Δ² is lost beside τ²: √v + τ stays 2τ, which is η.
        pair(new FedAdam(ALPHA, FedAdam.Rule.ADAGRAD, 0x1p31, 0, 0, 0x1p30, PLAIN), fedavg, 1e-12),
        // One step: x⁺ = x − 2αḡ + (2α − 1/μ)h, without h where μ = 1/2α.
        pair(
            new FedDyn(ALPHA, 25, ONE, ALL),
            new FedAvg(StepSize.constant(0.04), new LocalDescent(0, 1, GradientScales.NONE)),
            1e-12),
        pair(
            new Scaffold(ALPHA, 0.8, THREE, EVERYONE),
            new Scaffold(ALPHA, 0.8, THREE, ALL),
            1e-12));
  }

  @ParameterizedTest
  @MethodSource("reductions")
  void run_inTheSpecialCase_isTheSimplerMethod(
      Algorithm.Rounds<?> method, Algorithm.Rounds<?> simpler, double tolerance) {
    double[][] found = SortedFit.UNEQUAL.run(LAZY, method, 60);
    double[][] expected = SortedFit.UNEQUAL.run(LAZY, simpler, 60);
    assertThat(SortedFit.worst(found, expected)).isLessThanOrEqualTo(tolerance);
  }

  /**
   * Parts of the rows without noise in the end: SAGA's tables bring them to the pooled estimate.
   */
  @Test
  void run_partsOfTheRows_comeToThePooledEstimate() {
    double[][] saga = SortedFit.UNEQUAL.run(LAZY, new GtSaga(ALPHA, 5, SCALES), 6000);
    assertThat(SortedFit.worst(saga, SortedFit.UNEQUAL.pooled())).isLessThan(1e-6);
    double[][] trained =
        SortedFit.UNEQUAL.run(
            LAZY, new LtAdmm(ALPHA, 0.3, 0.3, 5, new LocalDescent(0, 2, SCALES)), 6000);
    assertThat(SortedFit.worst(trained, SortedFit.UNEQUAL.pooled())).isLessThan(1e-6);
  }

  @ParameterizedTest
  @ValueSource(strings = {"uniform", "by-size", "in-turn", "high-loss"})
  void run_everyClientSelected_isThePlainMethodToTheBit(String rule) {
    ClientSelection everyone = ClientSelection.parse(rule + ":" + SortedFit.CLIENTS);
    for (Function<ClientSelection, Algorithm.Rounds<?>> method : SELECTING) {
      double[][] found = SortedFit.UNEQUAL.run(LAZY, method.apply(everyone), 30);
      double[][] expected = SortedFit.UNEQUAL.run(LAZY, method.apply(ALL), 30);
      assertThat(Arrays.deepEquals(found, expected)).as(method.apply(ALL).toString()).isTrue();
    }
  }

  /** With exact local minima FedPD is FedDyn with μ = 1/η: so many steps that they are reached. */
  @Test
  void run_fedPdWithExactMinima_isFedDyn() {
    LocalDescent many = new LocalDescent(0, 800, SCALES);
    double[][] found = SortedFit.UNEQUAL.run(LAZY, new FedPd(ALPHA, 0.5, 0, many), 15);
    double[][] expected = SortedFit.UNEQUAL.run(LAZY, new FedDyn(ALPHA, 2, many, ALL), 15);
    assertThat(SortedFit.worst(found, expected)).isLessThan(1e-11);
  }

  /** The gradients of all clients, scaled by size, by plain loops. */
  private static double[][] gradients(double[][] at) {
    double[][] all = new double[at.length][];
    for (int m = 0; m < at.length; m++) {
      double scale = SCALES.of(m);
      all[m] = Arrays.stream(SortedFit.UNEQUAL.gradient(m, at[m])).map(g -> scale * g).toArray();
    }
    return all;
  }

  private static double[] mean(double[][] all) {
    double[] mean = new double[all[0].length];
    for (double[] one : all) {
      for (int j = 0; j < mean.length; j++) {
        mean[j] += one[j] / all.length;
      }
    }
    return mean;
  }

  /**
   * One step with α = η: λ is −g at the point before, x⁺ = z − η(g(x) − g(x₋)), and z⁺ the mean of
   * x⁺ − ηg(x).
   */
  @Test
  void run_fedPdOneStepOfEta_isTheFormulaWithoutDuals() {
    int p = SortedFit.UNEQUAL.pooled().length;
    double eta = ALPHA.at(0);
    double[][] x = new double[SortedFit.CLIENTS][p];
    double[][] before = new double[SortedFit.CLIENTS][p];
    double[] z = new double[p];
    for (int t = 0; t < 20; t++) {
      double[][] g = gradients(x);
      double[][] centre = new double[SortedFit.CLIENTS][p];
      for (int m = 0; m < SortedFit.CLIENTS; m++) {
        for (int j = 0; j < p; j++) {
          x[m][j] = z[j] - eta * (g[m][j] - before[m][j]);
          centre[m][j] = x[m][j] - eta * g[m][j];
        }
      }
      before = g;
      z = mean(centre);
    }
    double[][] found = SortedFit.UNEQUAL.run(LAZY, new FedPd(ALPHA, eta, 0, ONE), 20);
    assertThat(SortedFit.worst(found, z)).isLessThan(1e-12);
  }

  /** One step with α = ρ/2: z⁺ = x − ρg(x), x⁺ = y + (z⁺ − z)/2, y⁺ the mean of z⁺. */
  @Test
  void run_fedLtOneStepOfHalfRho_isTheFormulaWithoutInnerProblem() {
    int p = SortedFit.UNEQUAL.pooled().length;
    double rho = 2 * ALPHA.at(0);
    double[][] x = new double[SortedFit.CLIENTS][p];
    double[][] z = new double[SortedFit.CLIENTS][p];
    double[] y = new double[p];
    for (int t = 0; t < 20; t++) {
      double[][] g = gradients(x);
      for (int m = 0; m < SortedFit.CLIENTS; m++) {
        for (int j = 0; j < p; j++) {
          double next = x[m][j] - rho * g[m][j];
          x[m][j] = y[j] + (next - z[m][j]) / 2;
          z[m][j] = next;
        }
      }
      y = mean(z);
    }
    double[][] found = SortedFit.UNEQUAL.run(LAZY, new FedLt(ALPHA, rho, ONE, ALL), 20);
    assertThat(SortedFit.worst(found, y)).isLessThan(1e-12);
  }
}
