package ngd.core.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.LocalDescent;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.admm.LtAdmm;
import ngd.core.algorithm.descent.BalancedNgd;
import ngd.core.algorithm.descent.EarlyStopped;
import ngd.core.algorithm.descent.HeavyBall;
import ngd.core.algorithm.descent.Nesterov;
import ngd.core.algorithm.descent.QgDsgdm;
import ngd.core.algorithm.exact.Abm;
import ngd.core.algorithm.exact.Abn;
import ngd.core.algorithm.exact.D2;
import ngd.core.algorithm.exact.Diging;
import ngd.core.algorithm.exact.ExactDiffusion;
import ngd.core.algorithm.federated.FedAvg;
import ngd.core.algorithm.federated.FedNova;
import ngd.core.algorithm.federated.FedProx;
import ngd.core.algorithm.federated.Scaffnew;
import ngd.core.algorithm.federated.Scaffold;
import ngd.core.algorithm.local.Led;
import ngd.core.algorithm.local.LocalDiging;
import ngd.core.algorithm.local.ProxSkip;
import ngd.core.algorithm.reduced.Anchored;
import ngd.core.algorithm.reduced.GtSaga;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.network.Weights;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

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
        pair(new FedNova(ALPHA, 0, PLAIN), fedavg, 1e-12));
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
}
