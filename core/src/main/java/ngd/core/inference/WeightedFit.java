package ngd.core.inference;

import java.util.Arrays;
import ngd.core.data.Shards;
import ngd.core.model.Logistic;
import ngd.core.world.World;

/**
 * A pooled fit whose rows are weighted by the inverse probability of the treatment that they got. A
 * logistic model of the treatment is fitted first, by sums; every client weights its own rows by
 * it, and the model of the outcome is fitted to the weighted rows. The weights stay at the clients.
 *
 * @param outcome the fit of the outcome
 * @param estimand whose mean effect is asked for
 * @param stabilised whether weights are multiplied by the share of rows that got the same
 */
public record WeightedFit(PooledFit outcome, Estimand estimand, boolean stabilised) {
  /**
   * Finds both estimates.
   *
   * @param rows of the outcome, of the clients here
   * @param treatment the same rows under its model
   */
  public PooledEstimate run(
      World world, Shards rows, TreatmentRows treatment, FitProgress progress) {
    PooledEstimate model =
        new PooledFit(new Logistic(), treatment.columns(), outcome.pi(), outcome.settings())
            .run(world.over(new Logistic(), treatment.rows()), progress);
    PropensityWeights weights =
        PropensityWeights.of(model, treatment.rows(), estimand, stabilised, world);
    double[][] factors = new double[rows.clients()][];
    Arrays.setAll(factors, weights::of);
    return outcome
        .run(
            world.over(outcome.regression(), rows.weighted((client, row) -> factors[client][row])),
            progress)
        .weightedBy(weights);
  }
}
