package ngd.core.model;

import java.util.List;
import java.util.stream.IntStream;
import ngd.core.InvalidInput;
import ngd.core.data.Shards;

/**
 * The estimate that the pooled data give: the minimiser of Σ (n_m / N) L_m, which every client's
 * estimate is measured against.
 *
 * <p>Least squares for the linear model, maximum likelihood for the other families; proximal steps
 * for losses with kinks, whose minimiser is one of a linear program; for any other loss Newton's
 * method where it has a Hessian and a quasi-Newton method where it has none.
 *
 * {@snippet file="ngd/library/ExamplesTest.java" region="global"}
 */
public final class GlobalEstimate {
  private final double[] theta;
  private final String method;
  private final int iterations;

  GlobalEstimate(double[] theta, String method, int iterations) {
    this.theta = theta;
    this.method = method;
    this.iterations = iterations;
  }

  /**
   * The global estimate.
   *
   * @param features the features' names in order, for messages
   * @throws NoEstimate if it does not exist: redundant columns, too few rows, separation
   */
  public static GlobalEstimate of(Loss loss, Shards shards, List<String> features) {
    if (features.size() != shards.features()) {
      throw new InvalidInput(
          "features: must name the %d columns of the data; got %d names"
              .formatted(shards.features(), features.size()));
    }
    return switch (loss) {
      case Linear linear -> new PooledRows(linear, shards, features).leastSquares();
      case Glm glm -> new IterativelyReweighted(new PooledRows(glm, shards, features)).estimate();
      case MEstimator robust -> {
        new PooledRows(robust, shards, features).requireIndependent();
        yield Narrowing.minimise(robust, shards);
      }
      case KinkedLoss kinked -> {
        new PooledRows(kinked, shards, features).requireIndependent();
        yield KinkedProx.minimise(kinked, shards);
      }
      case CurvedLoss curved ->
          CurvedMinimiser.minimise(
              curved, shards, new double[curved.parameters(shards.features())]);
      default -> LimitedMemory.minimise(loss, shards);
    };
  }

  /** The same, where features have no names but their numbers. */
  public static GlobalEstimate of(Loss loss, Shards shards) {
    return of(
        loss, shards, IntStream.range(0, shards.features()).mapToObj(j -> "feature " + j).toList());
  }

  public double[] theta() {
    return theta.clone();
  }

  /** How it was found, in words. */
  public String method() {
    return method;
  }

  /** How many iterations that took; 1 where it takes none. */
  public int iterations() {
    return iterations;
  }
}
