package ngd.core.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import ngd.core.InvalidInput;
import ngd.core.algorithm.AlgorithmChoice;
import ngd.core.algorithm.CurvedLocal;
import ngd.core.algorithm.Moments;
import ngd.core.algorithm.Proximal;
import ngd.core.algorithm.StepChoice;
import ngd.core.data.Shard;
import ngd.core.data.Shards;
import ngd.core.linalg.Kernels;
import ngd.core.linalg.SymmetricMatrix;
import ngd.core.model.Glm;
import ngd.core.model.Linear;
import ngd.core.model.Logistic;
import ngd.core.model.Loss;
import ngd.core.model.NegativeBinomial;
import ngd.core.model.Objective;
import ngd.core.model.Poisson;
import ngd.core.model.Probit;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.random.Streams;
import ngd.core.rows.Edges;
import ngd.core.rows.Host;
import ngd.core.rows.Rows;
import ngd.core.rows.Workers;
import ngd.core.simulation.RandomData;
import ngd.core.simulation.Simulation;
import org.junit.jupiter.api.Test;

/** Oracles: direct sums, the optimality condition, the linear closed form, client by client. */
class ShardsLocalTest {
  private static final int[] SIZES = {4, 9, 1, 30};

  private final Host host = new Host(Kernels.best(), new Workers(1));

  private static Shards shards(Glm loss) {
    double[] theta = {0.8, -0.5, 0.3};
    return RandomData.shards(
        21,
        3,
        SIZES,
        switch (loss) {
          case Linear l -> RandomData.noisy(theta);
          case Logistic l -> RandomData.labels(theta);
          case Poisson l -> RandomData.counts(theta);
          case Probit l -> RandomData.labels(theta);
          case NegativeBinomial l -> RandomData.counts(theta);
          case Glm other -> throw new AssertionError(other);
        });
  }

  private CurvedShardsLocal local(Objective objective) {
    return new CurvedShardsLocal(objective, host, Streams.of(1), 0);
  }

  private static double[][] points(int count) {
    double[][] points = new double[count][];
    Arrays.setAll(points, m -> new double[] {0.1 * m, 1 - 0.2 * m, 0.5});
    return points;
  }

  @Test
  void prox_everyFamily_meetsTheOptimalityCondition() {
    for (Glm loss : new Glm[] {new Linear(), new Logistic(), new Poisson()}) {
      Shards shards = shards(loss);
      double[][] centre = points(4);
      for (double rho : new double[] {1e-3, 0.7, 50}) {
        Rows prox = local(loss.over(shards)).prox(host.of(centre), rho);
        for (int m = 0; m < 4; m++) {
          double[] gradient = new double[3];
          loss.gradient(shards.shard(m), prox.row(m), gradient);
          for (int j = 0; j < 3; j++) {
            assertThat(gradient[j] + rho * (prox.get(m, j) - centre[m][j]))
                .as("%s, rho %s, client %d", loss.name(), rho, m)
                .isCloseTo(0, within(1e-10 * (1 + rho)));
          }
        }
      }
    }
  }

  /** (Σ̂xx + ρ I) θ = Σ̂xy + ρ c. */
  @Test
  void prox_linear_isTheClosedForm() {
    Linear loss = new Linear();
    Shards shards = shards(loss);
    double[][] centre = points(4);
    double rho = 0.4;
    Rows prox = local(loss.over(shards)).prox(host.of(centre), rho);
    for (int m = 0; m < 4; m++) {
      Shard shard = shards.shard(m);
      double[] matrix = new double[9];
      double[] right = new double[3];
      for (int j = 0; j < 3; j++) {
        for (int k = 0; k < 3; k++) {
          for (int i = 0; i < shard.rows(); i++) {
            matrix[3 * j + k] += shard.x(i, j) * shard.x(i, k) / shard.rows();
          }
        }
        for (int i = 0; i < shard.rows(); i++) {
          right[j] += shard.x(i, j) * shard.y(i) / shard.rows();
        }
        matrix[4 * j] += rho;
        right[j] += rho * centre[m][j];
      }
      double[] expected = SymmetricMatrix.solve(matrix, 3, right).orElseThrow();
      assertThat(prox.row(m)).containsExactly(expected, within(1e-12));
    }
  }

  /** Separated labels have no estimate, yet a proximal step far away still has an answer. */
  @Test
  void prox_farCentreOfPoissonAndSeparatedLabels_isFound() {
    Shards one = Shards.of(new double[][][] {{{1}, {2}}}, new double[][] {{0, 0}});
    for (Glm loss : new Glm[] {new Logistic(), new Poisson()}) {
      Rows prox = local(loss.over(one)).prox(host.of(new double[][] {{8}}), 0.1);
      double[] gradient = new double[1];
      loss.gradient(one.shard(0), prox.row(0), gradient);
      assertThat(gradient[0] + 0.1 * (prox.get(0, 0) - 8)).isCloseTo(0, within(1e-9));
    }
  }

  private static final Glm[] CURVED = {
    new Logistic(), new Poisson(), new Probit(), new NegativeBinomial(1.5)
  };

  /** Centres at which the proximal steps of these points are nearly the points themselves. */
  private double[][] centresAround(Glm loss, Shards shards, double[][] at, double rho, double off) {
    double[][] centres = new double[at.length][3];
    for (int m = 0; m < at.length; m++) {
      double[] gradient = new double[3];
      loss.gradient(shards.shard(m), at[m], gradient);
      for (int j = 0; j < 3; j++) {
        centres[m][j] = at[m][j] + gradient[j] / rho + off;
      }
    }
    return centres;
  }

  /** θ + (B + ρ I)⁻¹ (ρ (c − θ) − ∇L(θ)), solved, with B at the point that was solved. */
  @Test
  void prox_nearTheLastSolved_isTheMinimiserOfTheQuadraticAbove() {
    double rho = 0.6;
    for (Glm loss : CURVED) {
      Shards shards = shards(loss);
      double[][] at = points(4);
      double[][] solved = points(4);
      solved[1][2] += 0.01;
      double[][] centre = centresAround(loss, shards, at, rho, 0.02);
      Proximal step =
          local(loss.over(shards))
              .prox(
                  host.of(centre),
                  new double[] {rho, rho, rho, rho},
                  new Proximal(host.of(at), host.of(solved)));
      for (int m = 0; m < 4; m++) {
        double[] matrix = new double[9];
        double[] right = new double[3];
        double reach = MajorisedProx.reach(loss, shards, m, solved[m], rho);
        loss.majorant(shards.shard(m), solved[m], reach, matrix);
        loss.gradient(shards.shard(m), at[m], right);
        for (int j = 0; j < 3; j++) {
          matrix[4 * j] += rho;
          right[j] = rho * (centre[m][j] - at[m][j]) - right[j];
        }
        double[] expected = SymmetricMatrix.solve(matrix, 3, right).orElseThrow();
        for (int j = 0; j < 3; j++) {
          expected[j] += at[m][j];
        }
        assertThat(step.at().row(m)).as(loss.name()).containsExactly(expected, within(1e-13));
        assertThat(step.solved().row(m)).isEqualTo(solved[m]);
      }
    }
  }

  /** Clients 0 and 1 are drawn far away, the others a little; a weak pull makes reaches short. */
  @Test
  void prox_farFromTheLastSolved_goesAllTheWayThereAlone() {
    double rho = 0.02;
    double[] each = {rho, rho, rho, rho};
    for (Glm loss : CURVED) {
      Shards shards = shards(loss);
      double[][] at = points(4);
      double[][] centre = centresAround(loss, shards, at, rho, 0.01);
      centre[0][1] += 40;
      centre[1][0] -= 40;
      CurvedShardsLocal local = local(loss.over(shards));
      Proximal step = local.prox(host.of(centre), each, new Proximal(host.of(at), host.of(at)));
      for (int m = 0; m < 4; m++) {
        double[] slope = new double[3];
        loss.gradient(shards.shard(m), step.at().row(m), slope);
        for (int j = 0; j < 3; j++) {
          slope[j] += rho * (step.at().get(m, j) - centre[m][j]);
        }
        if (m < 2 && loss instanceof Poisson) {
          assertThat(slope).as(loss.name()).containsExactly(new double[3], within(1e-9));
          assertThat(step.solved().row(m)).isEqualTo(step.at().row(m));
        } else if (m >= 2) {
          assertThat(Math.abs(slope[0])).isGreaterThan(1e-9);
          assertThat(step.solved().row(m)).isEqualTo(at[m]);
        }
      }
    }
  }

  /**
   * The defining equation, for clients near the point whose Hessian is kept and for one drawn far
   * from it, who alone looks for another; and the same bits whatever was asked between.
   */
  @Test
  void minimiser_nearAndFar_isWhereTheGradientVanishes() {
    double rho = 0.6;
    double[] each = {rho, rho, rho, rho};
    for (Glm loss : CURVED) {
      Shards shards = shards(loss);
      double[][] at = points(4);
      double[][] centre = centresAround(loss, shards, at, rho, 1e-4);
      centre[0][1] += 20;
      CurvedShardsLocal local = local(loss.over(shards));
      Proximal from = new Proximal(host.of(at), host.of(at));
      Proximal found = local.minimiser(host.of(centre), each, from);
      local.minimiser(host.of(at), each, found);
      Proximal again = local.minimiser(host.of(centre), each, from);
      for (int m = 0; m < 4; m++) {
        double[] slope = new double[3];
        loss.gradient(shards.shard(m), found.at().row(m), slope);
        for (int j = 0; j < 3; j++) {
          slope[j] += rho * (found.at().get(m, j) - centre[m][j]);
        }
        assertThat(slope).as(loss.name()).containsExactly(new double[3], within(1e-10));
        assertThat(found.solved().row(m)).isEqualTo(m == 0 ? found.at().row(m) : at[m]);
        assertThat(again.at().row(m)).isEqualTo(found.at().row(m));
      }
    }
  }

  /** ρ outweighs a curvature of at most 1/2 · mean of x², but no curvature that has no bound. */
  @Test
  void reach_strongAndWeakPull_isWithoutEndOnlyWhereTheCurvatureHasABound() {
    double[] at = {0.1, 0.2, 0.3};
    for (Glm loss : CURVED) {
      Shards shards = shards(loss);
      double strong = MajorisedProx.reach(loss, shards, 3, at, 1e4);
      double weak = MajorisedProx.reach(loss, shards, 3, new double[] {4, -4, 4}, 1e-6);
      assertThat(Double.isInfinite(strong)).as(loss.name()).isEqualTo(!(loss instanceof Poisson));
      assertThat(weak).as(loss.name()).isBetween(0.5, strong);
      assertThat(weak).isLessThan(Double.POSITIVE_INFINITY);
    }
  }

  /** From any start the steps lower what they minimise, and end at the exact proximal step. */
  @Test
  void prox_stepAfterStep_lowersTheSumAndComesToTheExactStep() {
    double rho = 0.2;
    double[] each = {rho, rho, rho, rho};
    for (Glm loss : CURVED) {
      Shards shards = shards(loss);
      double[][] centre = points(4);
      CurvedShardsLocal local = local(loss.over(shards));
      Rows exact = local.prox(host.of(centre), each);
      double[][] start = points(4);
      for (int m = 0; m < 4; m++) {
        for (int j = 0; j < 3; j++) {
          start[m][j] = exact.get(m, j) + 0.05 * (j - 1);
        }
      }
      Proximal now = new Proximal(host.of(start), host.of(start));
      for (int t = 0; t < 200; t++) {
        Proximal next = local.prox(host.of(centre), each, now);
        for (int m = 0; m < 4; m++) {
          double before = sum(loss, shards.shard(m), now.at().row(m), centre[m], rho);
          double after = sum(loss, shards.shard(m), next.at().row(m), centre[m], rho);
          assertThat(after).isLessThanOrEqualTo(before + 1e-14 * (1 + Math.abs(before)));
        }
        now = next;
      }
      for (int m = 0; m < 4; m++) {
        assertThat(now.at().row(m)).as(loss.name()).containsExactly(exact.row(m), within(1e-9));
      }
    }
  }

  private static double sum(Glm loss, Shard shard, double[] at, double[] centre, double rho) {
    double distance = 0;
    for (int j = 0; j < at.length; j++) {
      distance += (at[j] - centre[j]) * (at[j] - centre[j]);
    }
    return loss.value(shard, at) + rho / 2 * distance;
  }

  @Test
  void of_aLossWithoutHessian_isDataThatNothingCurvedRunsOn() {
    Shards shards = shards(new Linear());
    Loss own =
        new Loss() {
          @Override
          public String name() {
            return "mine";
          }

          @Override
          public double value(Shard shard, double[] theta) {
            return 0;
          }

          @Override
          public void gradient(Shard shard, double[] theta, double[] gradient) {
            Arrays.fill(gradient, 0);
          }
        };
    ShardsLocal local = ShardsLocal.of(own.over(shards), host, Streams.of(1), 0);
    assertThat(local).isNotInstanceOf(CurvedLocal.class);
    assertThatThrownBy(() -> CurvedLocal.in(local))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("Hessian");
    assertThatThrownBy(
            () ->
                new Suitability(Network.of(new Topology.Ring(4, 1)), own, new Mixing.Mean())
                    .require(AlgorithmChoice.of("collaborative", new StepChoice.None())))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("needs a loss whose proximal steps are known");
  }

  @Test
  void moments_everyFamily_areTheDirectSums() {
    for (Glm loss : new Glm[] {new Linear(), new Logistic(), new Poisson()}) {
      Shards shards = shards(loss);
      double[] at = {0.3, -0.2, 0.1};
      for (int m = 0; m < 4; m++) {
        Shard shard = shards.shard(m);
        Moments moments = local(loss.over(shards)).moments(m);
        assertThat(moments.rows()).isEqualTo(SIZES[m]);
        for (int j = 0; j < 3; j++) {
          double xy = 0;
          for (int i = 0; i < SIZES[m]; i++) {
            xy += shard.x(i, j) * shard.y(i);
          }
          assertThat(moments.xy()[j]).isCloseTo(xy, within(1e-12));
          for (int k = 0; k < 3; k++) {
            double xx = 0;
            for (int i = 0; i < SIZES[m]; i++) {
              xx += shard.x(i, j) * shard.x(i, k);
            }
            assertThat(moments.xx()[3 * j + k]).isCloseTo(xx, within(1e-12));
          }
        }
        double[] gradient = new double[3];
        double[] hessian = new double[9];
        loss.gradient(shard, at, gradient);
        loss.hessian(shard, at, hessian);
        assertThat(moments.value(at)).isEqualTo(loss.value(shard, at));
        assertThat(moments.gradient(at)).containsExactly(gradient, within(1e-13));
        assertThat(moments.hessian(at)).containsExactly(hessian);
      }
    }
  }

  @Test
  void curvature_everyFamily_isTheHessiansDiagonal() {
    for (Glm loss : new Glm[] {new Linear(), new Logistic(), new Poisson()}) {
      Shards shards = shards(loss);
      double[][] x = points(4);
      Rows found = local(loss.over(shards)).curvature(host.of(x));
      for (int m = 0; m < 4; m++) {
        double[] hessian = new double[9];
        loss.hessian(shards.shard(m), x[m], hessian);
        assertThat(found.row(m))
            .containsExactly(
                new double[] {hessian[0], hessian[4], hessian[8]},
                within(1e-12 * hessian[0] + 1e-12));
      }
    }
  }

  /** On the link (m hears k): client m's data at the point on that link. */
  @Test
  void gradientOnLinks_anyNetwork_isTheHearersGradientAtTheLinksRow() {
    for (Glm loss : new Glm[] {new Linear(), new Logistic(), new Poisson()}) {
      Shards shards = shards(loss);
      Network network = Network.of(new Topology.Circle(4, 2));
      CurvedShardsLocal local = local(loss.over(shards));
      double[][] x = points(4);
      Edges heard = Simulation.exchange(network).hear(host.of(x));
      Rows found = local.gradient(heard).values();
      Rows batch = local.batch(1000, 3).gradient(heard).values();
      int link = 0;
      for (int m = 0; m < 4; m++) {
        for (int k = 0; k < 4; k++) {
          if (network.weight(m, k) > 0) {
            double[] expected = new double[3];
            loss.gradient(shards.shard(m), x[k], expected);
            assertThat(found.row(link)).containsExactly(expected, within(1e-12));
            assertThat(batch.row(link)).containsExactly(expected, within(1e-12));
            link++;
          }
        }
      }
      assertThat(link).isEqualTo(8);
    }
  }

  /** The one row of a peer gives the same bits as that row among others. */
  @Test
  void gradient_oneClientAlone_hasTheSameBitsAsAmongOthers() {
    for (Glm loss : new Glm[] {new Linear(), new Logistic(), new Poisson()}) {
      Shards shards = shards(loss);
      double[][] x = points(4);
      Rows together = local(loss.over(shards)).gradient(host.of(x));
      Rows batches = local(loss.over(shards)).batch(3, 4).gradient(host.of(x));
      for (int m = 0; m < 4; m++) {
        double[][] rows = new double[SIZES[m]][3];
        double[] y = new double[SIZES[m]];
        for (int i = 0; i < SIZES[m]; i++) {
          shards.shard(m).row(i, rows[i]);
          y[i] = shards.shard(m).y(i);
        }
        Shards own = Shards.of(new double[][][] {rows}, new double[][] {y});
        ShardsLocal alone = ShardsLocal.of(loss.over(own), host, Streams.of(1), m);
        Rows at = host.of(new double[][] {x[m]});
        assertThat(alone.gradient(at).row(0)).isEqualTo(together.row(m));
        assertThat(alone.batch(3, 4).gradient(at).row(0)).isEqualTo(batches.row(m));
      }
    }
  }
}
