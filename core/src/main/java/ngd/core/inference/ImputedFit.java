package ngd.core.inference;

import java.util.ArrayList;
import java.util.List;
import ngd.core.formula.Design;
import ngd.core.preparation.IncompleteRows;
import ngd.core.random.Streams;
import ngd.core.world.World;

/**
 * A pooled fit of rows with gaps: imputed several times by {@link ChainedEquations}, fitted each
 * time, and put together by {@link RubinsRules}.
 *
 * @param fit of the rows without gaps
 * @param design its columns
 * @param options of its covariance and level
 * @param imputations how many
 * @param iterations of each
 */
public record ImputedFit(
    PooledFit fit, Design design, Inference.Options options, int imputations, int iterations) {

  /**
   * Imputes and fits.
   *
   * @param own the rows of the clients here
   * @param firstClient the number of the first of them
   * @param streams of what all clients draw alike
   * @param draws of what each draws for its own gaps
   */
  public ImputedEstimate run(
      World world,
      List<IncompleteRows> own,
      int firstClient,
      Streams streams,
      GapDraws draws,
      FitProgress progress) {
    progress.begin(FitProgress.Stage.IMPUTATION);
    ChainedEquations equations =
        new ChainedEquations(
            world,
            fit.pi(),
            own,
            firstClient,
            streams,
            draws,
            design.frame().formula().response().text(),
            fit.regression());
    List<Inference> fits = new ArrayList<>();
    for (int k = 0; k < imputations; k++) {
      List<double[][]> filled = equations.impute(k, iterations);
      fits.add(
          Inference.of(
              fit.run(
                  world.over(fit.regression(), IncompleteRows.shards(design, own, filled)),
                  FitProgress.NONE),
              options));
      progress.rounds(k + 1, imputations);
    }
    return new ImputedEstimate(fits, equations.imputed(), iterations);
  }
}
