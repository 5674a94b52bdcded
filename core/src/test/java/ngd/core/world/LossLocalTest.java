package ngd.core.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import ngd.core.algorithm.LossLocal;
import ngd.core.data.Shards;
import ngd.core.linalg.Kernels;
import ngd.core.model.Linear;
import ngd.core.model.Logistic;
import ngd.core.model.Loss;
import ngd.core.model.Poisson;
import ngd.core.random.Streams;
import ngd.core.rows.Host;
import ngd.core.rows.Rows;
import ngd.core.rows.Workers;
import org.junit.jupiter.api.Test;

/** Losses of clients and of rows. Oracle: deviances written out, and sums of single rows. */
class LossLocalTest {
  private static final double[][] AT = {{0.3, -0.7}, {0.1, 0.4}};
  private static final int[] SIZES = {3, 11};

  private final Host host = new Host(Kernels.best(), new Workers(1));

  /** Rows with offsets and prior weights; their responses are 0, 1 or 2. */
  private static Shards shards(int most) {
    Shards.Filler filler = Shards.sized(2, SIZES);
    for (int m = 0; m < SIZES.length; m++) {
      for (int i = 0; i < SIZES[m]; i++) {
        filler.put(m, i, x(m, i), i % (most + 1), 0.1 * i, 1 + 0.5 * (i % 3));
      }
    }
    return filler.done();
  }

  private static double[] x(int m, int i) {
    return new double[] {1, Math.sin(7 * m + 3 * i)};
  }

  private static double eta(int m, int i) {
    return AT[m][0] + AT[m][1] * x(m, i)[1] + 0.1 * i;
  }

  private interface Deviance {
    double of(double eta, double y);
  }

  private LossLocal local(Loss loss, int most) {
    return LossLocal.in(ShardsLocal.of(loss.over(shards(most)), host, Streams.of(1), 0));
  }

  private record Case(Loss loss, int most, Deviance deviance) {}

  private static final List<Case> CASES =
      List.of(
          new Case(new Linear(), 2, (eta, y) -> (y - eta) * (y - eta) / 2),
          new Case(
              new Logistic(),
              1,
              (eta, y) ->
                  -2 * Math.log(y == 1 ? 1 / (1 + Math.exp(-eta)) : 1 / (1 + Math.exp(eta)))),
          new Case(
              new Poisson(),
              2,
              (eta, y) -> 2 * ((y == 0 ? 0 : y * (Math.log(y) - eta)) - (y - Math.exp(eta)))));

  @Test
  void losses_everyFamily_areTheMeanDeviances() {
    for (Case one : CASES) {
      double[] losses = local(one.loss(), one.most()).losses(host.of(AT));
      double[][] sums =
          local(one.loss(), one.most())
              .rowLosses(host.of(AT))
              .sums(loss -> 1, loss -> loss, loss -> loss * loss);
      for (int m = 0; m < SIZES.length; m++) {
        double[] expected = new double[3];
        for (int i = 0; i < SIZES[m]; i++) {
          double weight = 1 + 0.5 * (i % 3);
          double deviance = one.deviance().of(eta(m, i), i % (one.most() + 1));
          expected[0] += weight;
          expected[1] += weight * deviance;
          expected[2] += weight * deviance * deviance;
        }
        assertThat(sums[m]).as(one.loss().name()).containsExactly(expected, within(1e-12));
        assertThat(losses[m]).isCloseTo(expected[1] / SIZES[m], within(1e-13));
      }
    }
  }

  /** Rows that count by their loss: half of the gradient of the mean of squared losses. */
  @Test
  void gradient_rowsByTheirLoss_isTheDifferenceQuotientOfHalfTheirSquares() {
    double h = 1e-6;
    for (Case one : CASES) {
      LossLocal local = local(one.loss(), one.most());
      Rows gradient = local.rowLosses(host.of(AT)).gradient(loss -> loss);
      for (int m = 0; m < SIZES.length; m++) {
        for (int j = 0; j < 2; j++) {
          double up = squares(local, m, j, h);
          double down = squares(local, m, j, -h);
          assertThat(gradient.get(m, j))
              .as(one.loss().name())
              .isCloseTo((up - down) / (2 * h) / 2 / SIZES[m], within(1e-7));
        }
      }
    }
  }

  private double squares(LossLocal local, int m, int j, double h) {
    double[][] moved = {AT[0].clone(), AT[1].clone()};
    moved[m][j] += h;
    return local.rowLosses(host.of(moved)).sums(loss -> loss * loss)[m][0];
  }

  /** A batch of one row after another has the losses of all rows. */
  @Test
  void batch_everyRow_hasTheLossesOfAll() {
    LossLocal local = local(new Logistic(), 1);
    double[] sums = new double[2];
    for (int round = 0; round < SIZES[0]; round++) {
      sums[0] += local.batch(1, round).losses(host.of(AT))[0];
    }
    for (int round = 0; round < SIZES[1]; round++) {
      sums[1] += local.batch(1, round).losses(host.of(AT))[1];
    }
    double[] losses = local.losses(host.of(AT));
    for (int m = 0; m < 2; m++) {
      assertThat(sums[m] / SIZES[m]).isCloseTo(losses[m], within(1e-13));
    }
  }

  /** Losses and gradients together, also where the fit leaves next to nothing of the responses. */
  @Test
  void evaluate_everyFamily_isLossesAndGradients() {
    for (Case one : CASES) {
      LossLocal local = local(one.loss(), one.most());
      LossLocal.Evaluation both = local.evaluate(host.of(AT));
      double[] losses = local.losses(host.of(AT));
      Rows gradient = local.gradient(host.of(AT));
      for (int m = 0; m < SIZES.length; m++) {
        assertThat(both.losses()[m]).as(one.loss().name()).isCloseTo(losses[m], within(1e-13));
        assertThat(both.gradient().row(m)).containsExactly(gradient.row(m), within(1e-15));
      }
    }
    Shards.Filler filler = Shards.sized(2, new int[] {5});
    for (int i = 0; i < 5; i++) {
      filler.put(0, i, new double[] {1, i}, 1e6 + i + (i % 2 == 0 ? 1e-4 : -1e-4));
    }
    LossLocal exact =
        LossLocal.in(ShardsLocal.of(new Linear().over(filler.done()), host, Streams.of(1), 0));
    double[] loss = exact.evaluate(host.of(new double[][] {{1e6, 1}})).losses();
    assertThat(loss[0]).isCloseTo(0.5e-8, within(1e-13));
  }
}
