package ngd.core.algorithm;

import java.util.Arrays;
import ngd.core.InvalidInput;
import ngd.core.linalg.Rows;
import ngd.core.random.Draws;

/**
 * Federated averaging (McMahan, Moore, Ramage, Hampson and Agüera y Arcas 2017, algorithm 1): every
 * client descends a few steps from the common model, and the common model becomes their mean,
 * weighted by rows. The central baseline: it needs no network, only the sum over all clients.
 *
 * @param batch the rows of a mini-batch, or 0 for all rows
 * @param steps the local steps between two averages
 */
public record FedAvg(StepSize alpha, int batch, int steps) implements Algorithm.Rounds<Ngd.State> {
  public FedAvg {
    if (steps < 1) {
      throw new InvalidInput("local steps: must be at least 1; got " + steps);
    }
    if (batch < 0) {
      throw new InvalidInput("batch: must be at least 1 row, or 0 for all of them; got " + batch);
    }
  }

  @Override
  public String name() {
    return "fedavg";
  }

  @Override
  public Ngd.State start(Rows theta) {
    return new Ngd.State(0, theta);
  }

  @Override
  public Ngd.State step(Ngd.State s, Exchange exchange, Local local, Draws draws) {
    Rows own = LocalSteps.descend(s.theta(), s.round(), local, alpha, batch, steps);
    int p = own.width();
    double[][] terms = new double[own.rows()][p + 1];
    for (int m = 0; m < terms.length; m++) {
      double n = local.moments(m).rows();
      for (int j = 0; j < p; j++) {
        terms[m][j] = n * own.get(m, j);
      }
      terms[m][p] = n;
    }
    double[] total = exchange.total(terms);
    double[] mean = new double[p];
    Arrays.setAll(mean, j -> total[j] / total[p]);
    double[][] everywhere = new double[own.rows()][];
    Arrays.fill(everywhere, mean);
    return new Ngd.State(s.round() + 1, own.of(everywhere));
  }
}
