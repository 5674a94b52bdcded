package ngd.core.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.Snapshot;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.bayesian.Bayesian;
import ngd.core.algorithm.bayesian.MeanField;
import ngd.core.algorithm.descent.DPsgd;
import ngd.core.algorithm.descent.Dgd;
import ngd.core.algorithm.descent.DualAveraging;
import ngd.core.algorithm.personal.Collaborative;
import ngd.core.algorithm.personal.ModelPropagation;
import ngd.core.data.Shard;
import ngd.core.data.Shards;
import ngd.core.linalg.SymmetricMatrix;
import ngd.core.model.Glm;
import ngd.core.model.GlobalEstimate;
import ngd.core.model.Logistic;
import ngd.core.model.Poisson;
import ngd.core.model.Probit;
import ngd.core.network.CommunicatingClasses;
import ngd.core.network.Network;
import ngd.core.network.Stationary;
import ngd.core.network.Topology;
import ngd.core.network.Weights;
import ngd.core.random.Streams;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Methods whose answer is not one common minimiser. Oracles: closed forms, solved densely. */
class PersonalAndBayesianTest {
  private static final int M = SortedFit.CLIENTS;
  private static final int P = 8;
  private static final Network MUTUAL =
      Network.of(new Topology.Ring(M, 2), new Weights.Metropolis());
  private static final Network DIRECTED = PooledEstimateReachedTest.DIRECTED;

  private final SortedFit fit = SortedFit.UNEQUAL;

  /** XᵀX / noise + prior I over all rows, by plain loops. */
  private double[] posteriorPrecision(double noise, double prior) {
    double[] precision = new double[P * P];
    for (int m = 0; m < M; m++) {
      Shard shard = fit.shards().shard(m);
      for (int i = 0; i < shard.rows(); i++) {
        for (int j = 0; j < P * P; j++) {
          precision[j] += shard.x(i, j / P) * shard.x(i, j % P) / noise;
        }
      }
    }
    for (int j = 0; j < P; j++) {
      precision[j * P + j] += prior;
    }
    return precision;
  }

  @Test
  void run_bayesianLinear_comesToTheExactPosterior() {
    double noise = 1.3;
    double prior = 0.7;
    double[] precision = posteriorPrecision(noise, prior);
    double[] shift = new double[P];
    for (int m = 0; m < M; m++) {
      Shard shard = fit.shards().shard(m);
      for (int i = 0; i < shard.rows(); i++) {
        for (int j = 0; j < P; j++) {
          shift[j] += shard.x(i, j) * shard.y(i) / noise;
        }
      }
    }
    double[] mean = SymmetricMatrix.solve(precision, P, shift).orElseThrow();
    double[] pi =
        Stationary.of(DIRECTED, CommunicatingClasses.of(DIRECTED)).distribution().orElseThrow();
    Bayesian bayesian = new Bayesian(noise, prior, GradientScales.bySizeAndWeight(fit.sizes(), pi));
    try (Run<Bayesian.State> run = fit.on(DIRECTED).start(bayesian)) {
      run.advance(1500);
      assertThat(SortedFit.worst(run.theta(), mean)).isLessThan(1e-10);
      for (int m = 0; m < M; m++) {
        assertThat(run.state().precision().row(m)).containsExactly(precision, within(1e-8));
      }
    }
  }

  /** Small steps: the mean comes near the mode of the posterior, the precision to its curvature. */
  @Test
  void run_meanFieldLogistic_comesNearTheModeAndItsCurvature() {
    Shards shards =
        RandomData.shards(4, 3, new int[] {40, 25, 60, 30, 45, 50}, RandomData.labels(1, -1, 0.5));
    int[] sizes = shards.rowsArray().clone();
    Network network = Network.of(new Topology.Ring(6, 1), new Weights.Metropolis());
    double[] mode = GlobalEstimate.of(new Logistic(), shards).theta();
    MeanField method =
        new MeanField(
            StepSize.parse("0.2,0.01@500,0.001@2000"), 0.5, 1e-6, GradientScales.bySize(sizes));
    Simulation simulation = new Simulation(network, new Logistic().over(shards), Streams.of(1), 1);
    double[] curvature = new double[3];
    for (int m = 0; m < 6; m++) {
      double[] hessian = new double[9];
      new Logistic().hessian(shards.shard(m), mode, hessian);
      for (int j = 0; j < 3; j++) {
        curvature[j] += 0.5 * sizes[m] * hessian[j * 4];
      }
    }
    try (Run<MeanField.State> run = simulation.start(method)) {
      run.advance(20_000);
      assertThat(SortedFit.worst(run.theta(), mode)).isLessThan(5e-3);
      for (int m = 0; m < 6; m++) {
        for (int j = 0; j < 3; j++) {
          assertThat(run.state().precision().get(m, j) / curvature[j]).isCloseTo(1, within(0.02));
        }
      }
    }
  }

  /** θ = (α W θ + ᾱ C θ_own) / (α + ᾱ C), solved; own models by ridge, solved. */
  @Test
  void run_modelPropagation_comesToItsClosedForm() {
    double alpha = 0.8;
    double ridge = 0.01;
    double[][] own = new double[M][];
    for (int m = 0; m < M; m++) {
      Shard shard = fit.shards().shard(m);
      double[] matrix = new double[P * P];
      double[] right = new double[P];
      for (int i = 0; i < shard.rows(); i++) {
        for (int j = 0; j < P * P; j++) {
          matrix[j] += shard.x(i, j / P) * shard.x(i, j % P) / shard.rows();
        }
        for (int j = 0; j < P; j++) {
          right[j] += shard.x(i, j) * shard.y(i) / shard.rows();
        }
      }
      for (int j = 0; j < P; j++) {
        matrix[j * P + j] += ridge;
      }
      own[m] = SymmetricMatrix.solve(matrix, P, right).orElseThrow();
    }
    int largest = Arrays.stream(fit.sizes()).max().orElseThrow();
    double[][] expected =
        AffineMap.fixedPoint(
            M,
            P,
            theta -> {
              double[][] next = SortedFit.mixed(MUTUAL, theta);
              for (int m = 0; m < M; m++) {
                double c = (1 - alpha) * fit.sizes()[m] / largest;
                for (int j = 0; j < P; j++) {
                  next[m][j] = (alpha * next[m][j] + c * own[m][j]) / (alpha + c);
                }
              }
              return next;
            });
    double[][] theta = fit.run(MUTUAL, new ModelPropagation(alpha, ridge), 2000);
    assertThat(SortedFit.worst(theta, expected)).isLessThan(1e-10);
  }

  /** The gradient of Σ c_m L_m + coupling / 2 Σ ‖θ_m − θ_k‖² over pairs vanishes at the answer. */
  @Test
  void run_collaborative_comesToTheMinimumOfItsObjective() {
    double coupling = 0.3;
    double[] scales = Arrays.stream(fit.sizes()).mapToDouble(n -> M * n / 1000.0).toArray();
    double[][] expected =
        AffineMap.fixedPoint(
            M,
            P,
            theta -> {
              double[][] next = new double[M][P];
              for (int m = 0; m < M; m++) {
                double[] gradient = fit.gradient(m, theta[m]);
                for (int j = 0; j < P; j++) {
                  next[m][j] = theta[m][j] - scales[m] * gradient[j];
                  for (int k : new int[] {m + 1, m + 2, m + M - 1, m + M - 2}) {
                    next[m][j] -= coupling * (theta[m][j] - theta[k % M][j]);
                  }
                }
              }
              return next;
            });
    double[][] theta =
        fit.run(MUTUAL, new Collaborative(coupling, 0.5, GradientScales.bySize(fit.sizes())), 1500);
    assertThat(SortedFit.worst(theta, expected)).isLessThan(1e-8);
    assertThat(SortedFit.worst(expected, fit.pooled())).isGreaterThan(0.1);
  }

  /**
   * The gradient of the same objective by plain loops vanishes at the answer, whatever inexact
   * steps led there; also where a client was alone, which then comes to its own model.
   */
  @ParameterizedTest
  @MethodSource("curved")
  void run_collaborativeNotLinear_comesToTheMinimumOfItsObjective(Glm glm) {
    int[] sizes = {40, 25, 60, 30, 45, 50};
    double[] theta = {1, -1, 0.5};
    Shards shards =
        RandomData.shards(
            4,
            3,
            sizes,
            glm instanceof Poisson ? RandomData.counts(theta) : RandomData.labels(theta));
    double[][] w = new double[6][6];
    for (int m = 0; m < 5; m++) {
      w[m][(m + 1) % 5] = 0.3;
      w[m][(m + 4) % 5] = 0.3;
      w[m][m] = 0.4;
    }
    w[5][5] = 1;
    double coupling = 0.3;
    GradientScales scales = GradientScales.bySize(sizes);
    Simulation simulation = new Simulation(Network.of(w), glm.over(shards), Streams.of(1), 1);
    Collaborative method = new Collaborative(coupling, 0.5, scales);
    try (Run<Collaborative.State> run = simulation.start(method)) {
      run.advance(30);
      double[][] now = RoundsContract.copy(run.theta());
      byte[] half = Snapshot.of(run.state());
      run.advance(400);
      double[][] end = RoundsContract.copy(run.theta());
      for (int m = 0; m < 6; m++) {
        double[] slope = new double[3];
        glm.gradient(shards.shard(m), end[m], slope);
        for (int j = 0; j < 3; j++) {
          slope[j] *= scales.of(m);
          if (m < 5) {
            slope[j] += coupling * (2 * end[m][j] - end[(m + 1) % 5][j] - end[(m + 4) % 5][j]);
          }
        }
        assertThat(slope).containsExactly(new double[3], within(1e-9));
      }
      assertThat(SortedFit.worst(now, end)).isGreaterThan(0);
      try (Run<Collaborative.State> resumed = simulation.resume(method, half)) {
        resumed.advance(400);
        assertThat(RoundsContract.copy(resumed.theta())).isDeepEqualTo(end);
      }
    }
  }

  static List<Glm> curved() {
    return List.of(new Logistic(), new Poisson(), new Probit());
  }

  /** Oracle: ADMM with a copy and a dual for every link, written out, on links of all degrees. */
  @Test
  void run_collaborative_isAdmmLinkByLink() {
    Network network =
        Network.of(Topology.parse("erdos-renyi:0.2", M, Streams.of(6)), new Weights.Metropolis());
    double coupling = 0.7;
    double rho = 0.4;
    GradientScales scales = GradientScales.bySize(fit.sizes());
    double[][] theta = new double[M][P];
    double[][][] z = new double[M][M][P];
    double[][][] u = new double[M][M][P];
    try (Run<?> run = fit.on(network).start(new Collaborative(coupling, rho, scales))) {
      for (int t = 0; t < 40; t++) {
        for (int m = 0; m < M; m++) {
          theta[m] = drawnTo(network, m, z[m], u[m], theta[m], rho, scales.of(m));
        }
        double[][][] a = new double[M][M][P];
        for (int m = 0; m < M; m++) {
          for (int k = 0; k < M; k++) {
            for (int j = 0; j < P; j++) {
              a[m][k][j] = theta[m][j] + u[m][k][j];
            }
          }
        }
        double kappa = rho / (rho + 2 * coupling);
        for (int m = 0; m < M; m++) {
          for (int k = 0; k < M; k++) {
            for (int j = 0; j < P; j++) {
              double b = a[k][m][j];
              z[m][k][j] = (a[m][k][j] + b) / 2 + kappa * (a[m][k][j] - b) / 2;
              u[m][k][j] = a[m][k][j] - z[m][k][j];
            }
          }
        }
        run.advance(1);
        assertThat(SortedFit.worst(RoundsContract.copy(run.theta()), theta)).isLessThan(1e-11);
      }
    }
  }

  /** argmin c L(θ) + ρ/2 Σ ‖θ − z + u‖² over the client's links, from its normal equations. */
  private double[] drawnTo(
      Network network, int m, double[][] z, double[][] u, double[] own, double rho, double scale) {
    double[] matrix = new double[P * P];
    fit.hessian(m, matrix);
    double[] right = fit.gradient(m, new double[P]);
    int links = 0;
    double[] pull = new double[P];
    for (int k = 0; k < M; k++) {
      if (k != m && network.weight(m, k) > 0) {
        links++;
        for (int j = 0; j < P; j++) {
          pull[j] += rho * (z[k][j] - u[k][j]);
        }
      }
    }
    for (int j = 0; j < P; j++) {
      double penalty = rho * Math.max(1, links);
      for (int i = 0; i < P; i++) {
        matrix[j * P + i] *= scale;
      }
      matrix[j * P + j] += penalty;
      right[j] = -scale * right[j] + (links == 0 ? penalty * own[j] : pull[j]);
    }
    return SymmetricMatrix.solve(matrix, P, right).orElseThrow();
  }

  @Test
  void run_collaborativeStrongCouplingOneComponent_comesToThePooledModel() {
    double[][] theta =
        fit.run(MUTUAL, new Collaborative(1e8, 0.5, GradientScales.bySize(fit.sizes())), 2000);
    assertThat(SortedFit.worst(theta, fit.pooled())).isLessThan(1e-6);
  }

  /** With one α for all rounds x is DGD's, so the estimate is the mean of DGD's points. */
  @Test
  void run_dualAveragingConstantStep_isTheMeanOfDgd() {
    StepSize alpha = StepSize.constant(0.05);
    double[][] mean = new double[M][P];
    try (Run<?> dgd = fit.on(MUTUAL).start(new Dgd(alpha, GradientScales.NONE));
        Run<?> dual = fit.on(MUTUAL).start(new DualAveraging(alpha, GradientScales.NONE))) {
      for (int t = 1; t <= 60; t++) {
        dgd.advance(1);
        dual.advance(1);
        for (int m = 0; m < M; m++) {
          for (int j = 0; j < P; j++) {
            mean[m][j] += (dgd.theta().get(m, j) - mean[m][j]) / t;
          }
        }
        assertThat(SortedFit.worst(RoundsContract.copy(dual.theta()), mean)).isLessThan(1e-12);
      }
    }
  }

  /** Theory: error of order 1/√t; a hundred times the rounds, about a tenth of the distance. */
  @Test
  void run_dualAveragingFallingStep_comesToThePooledEstimate() {
    DualAveraging method =
        new DualAveraging(StepSize.parse("0.2/sqrt(t)"), GradientScales.bySize(fit.sizes()));
    double early = SortedFit.worst(fit.run(MUTUAL, method, 300), fit.pooled());
    double late = SortedFit.worst(fit.run(MUTUAL, method, 30_000), fit.pooled());
    assertThat(late).isLessThan(0.15 * early);
  }

  /** The mean over an epoch of batches is the full gradient, so small steps end where DGD does. */
  @Test
  void run_dPsgdSmallSteps_endsNearDgd() {
    StepSize alpha = StepSize.constant(2e-4);
    double[][] batched = fit.run(MUTUAL, new DPsgd(alpha, 6, GradientScales.NONE), 60_000);
    double[][] whole = fit.run(MUTUAL, new Dgd(alpha, GradientScales.NONE), 60_000);
    assertThat(SortedFit.worst(batched, whole)).isLessThan(0.05);
    assertThat(batched).isNotEqualTo(whole);
  }
}
