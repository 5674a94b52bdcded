package ngd.core.model;

import java.util.Arrays;
import java.util.List;
import ngd.core.data.RandomEffects;
import ngd.core.data.Shard;
import ngd.core.linalg.BlockCholesky;
import ngd.core.linalg.GaussHermite;

/**
 * What one client adds to minus twice the log-likelihood of a generalised linear mixed model at
 * given coefficients and relative covariance factors (Bates, Mächler, Bolker and Walker, lme4; the
 * derivatives by implicit differentiation of the mode).
 *
 * <p>Given u, standard normal, rows are independent with linear predictors η = Xβ + offset + ZΛu.
 * The integral over u is Laplace's approximation at its {@link EffectMode mode} û,
 *
 * <pre>
 *   D = 2 h(û) + log|M|,   M = 1 + ΛᵀZᵀWZΛ,
 * </pre>
 *
 * with W the weights times the expected information, as lme4 has it, or {@linkplain
 * EffectQuadrature adaptive quadrature} where each group has one effect. With r = w ℓ′ and C = w ℓ″
 * at û, H = 1 + ΛᵀZᵀCZΛ, a = w ∂(information) · zᵀΛM⁻¹Λᵀz of each row, v = H⁻¹ΛᵀZᵀa and b = a −
 * CZΛv, Laplace's derivatives are
 *
 * <pre>
 *   ∂D/∂β = Xᵀ(2r + b),
 *   ∂D by Λ = (2r + b)ᵀZ ∂Λ û − rᵀZ ∂Λ v + 2 tr(M⁻¹ΛᵀZᵀWZ ∂Λ).
 * </pre>
 *
 * <p>Modes are found anew at each call, so that what a client says is a function of what it is
 * asked alone.
 */
public final class RandomEffectLikelihood implements GroupEffects {
  private final Glm glm;
  private final Shard shard;
  private final EffectBlocks blocks;
  private final GaussHermite rule;
  private final double rest;

  /**
   * A client's rows with their groups.
   *
   * @param scales what the numbers of each random term's effects are divided by
   * @param points of the quadrature; 1 is Laplace's approximation
   */
  public RandomEffectLikelihood(Glm glm, Shard shard, double[][] scales, int points) {
    this.glm = glm;
    this.shard = shard;
    blocks = new EffectBlocks(shard.random(), scales);
    rule = GaussHermite.of(points);
    double sum = 0;
    for (int i = 0; i < shard.rows(); i++) {
      sum += glm.rest(shard.y(i), shard.weight(i));
    }
    rest = sum;
  }

  /**
   * Where the likelihood is evaluated.
   *
   * @param factors the lower triangular block of Λ of each term, row by row
   * @param beta the coefficients of the first features; the others have none
   */
  @SuppressWarnings("ArrayRecordComponent")
  public record Point(double[][] factors, double[] beta) {}

  /**
   * The likelihood at some points near each other, one after the other; not a number where there is
   * none.
   *
   * @param slopes whether each is followed by its derivatives: by each entry of the factors on and
   *     below the diagonal, term by term and column by column, then by each coefficient
   */
  public double[] at(List<Point> points, boolean slopes) {
    int length =
        slopes
            ? 1 + RandomEffectSums.parameters(blocks.random()) + points.getFirst().beta().length
            : 1;
    double[] said = new double[points.size() * length];
    double[][] start = blocks.vector(1);
    for (int k = 0; k < points.size(); k++) {
      EffectMode mode = mode(points.get(k), start);
      if (!mode.found()) {
        Arrays.fill(said, k * length, (k + 1) * length, Double.NaN);
        continue;
      }
      if (k == 0) {
        start = mode.u();
      }
      write(points.get(k), mode, slopes, said, k * length);
    }
    return said;
  }

  private EffectMode mode(Point point, double[][] start) {
    return EffectMode.of(glm, shard, blocks, point.factors(), point.beta(), start);
  }

  private void write(Point point, EffectMode mode, boolean slopes, double[] said, int from) {
    double[] weights = mode.each((eta, y) -> glm.information(eta));
    BlockCholesky.Blocks zz = blocks.squares(weights);
    BlockCholesky factor = blocks.factor(point.factors(), zz);
    if (rule.count() == 1) {
      said[from] = 2 * (rest + mode.loss()) + factor.logDeterminant();
      if (slopes) {
        IntegralSlopes parts = IntegralSlopes.laplace(blocks, mode.each(glm::score), mode);
        new Derivatives(point, mode, zz, factor, factor.inverse(), weights)
            .write(parts, said, from + 1);
      }
      return;
    }
    BlockCholesky.Blocks inverse = factor.inverse();
    double[] deviations = new double[blocks.count()];
    Arrays.setAll(deviations, j -> Math.sqrt(inverse.diagonal(j)[0]));
    EffectQuadrature quadrature = new EffectQuadrature(rule, glm, blocks, mode, deviations);
    said[from] = 2 * rest + quadrature.value();
    if (slopes) {
      new Derivatives(point, mode, zz, factor, inverse, weights)
          .write(quadrature.slopes(point.factors()[0][0]), said, from + 1);
    }
  }

  /** Derivatives at one point. */
  private final class Derivatives {
    private final double[][] factors;
    private final int coefficients;
    private final EffectMode mode;
    private final BlockCholesky.Blocks zz;
    private final BlockCholesky factor;
    private final BlockCholesky.Blocks inverse;
    private final double[] weights;

    Derivatives(
        Point point,
        EffectMode mode,
        BlockCholesky.Blocks zz,
        BlockCholesky factor,
        BlockCholesky.Blocks inverse,
        double[] weights) {
      factors = point.factors();
      coefficients = point.beta().length;
      this.mode = mode;
      this.zz = zz;
      this.factor = factor;
      this.inverse = inverse;
      this.weights = weights;
    }

    void write(IntegralSlopes parts, double[] said, int from) {
      for (int j = 0; j < blocks.count(); j++) {
        for (int i = 0; i < inverse.diagonal(j).length; i++) {
          inverse.diagonal(j)[i] *= parts.spread()[j];
        }
      }
      double[][] traces = blocks.traces(factors, inverse, zz);
      double[] through = mode.each((eta, y) -> glm.informationSlope(eta));
      double[] leverages = blocks.leverages(factors, inverse);
      for (int i = 0; i < through.length; i++) {
        through[i] *= leverages[i];
      }
      double[] curvatures = mode.each(glm::curvature);
      double[][] v = moved(through, curvatures, parts);
      double[] along = blocks.spread(new double[through.length], blocks.products(factors, v));
      double[] rows = new double[through.length];
      for (int i = 0; i < rows.length; i++) {
        through[i] = Math.fma(-curvatures[i], along[i], through[i]);
        rows[i] = parts.rows()[i] + through[i];
      }
      double[][] byMode = blocks.byTerm(blocks.gathered(through), mode.u());
      double[][] byMove = blocks.byTerm(blocks.gathered(mode.each(glm::score)), v);
      int at = from;
      RandomEffects random = blocks.random();
      for (int k = 0; k < random.terms(); k++) {
        int n = random.columns(k);
        for (int column = 0; column < n; column++) {
          for (int row = column; row < n; row++) {
            int entry = row * n + column;
            said[at++] =
                parts.factors()[k][entry]
                    + byMode[k][entry]
                    - byMove[k][entry]
                    + 2 * traces[k][column * n + row];
          }
        }
      }
      addFeatures(rows, said, at);
    }

    /** v, along which the mode moves. */
    private double[][] moved(double[] through, double[] curvatures, IntegralSlopes parts) {
      double[][] v = blocks.transposedProducts(factors, blocks.gathered(through));
      for (int j = 0; j < v.length; j++) {
        for (int c = 0; c < v[j].length; c++) {
          v[j][c] += parts.mode()[j][c];
        }
      }
      // Of canonical links what is observed is what is expected.
      BlockCholesky observed =
          Arrays.equals(curvatures, weights)
              ? factor
              : blocks.factor(factors, blocks.squares(curvatures));
      observed.forward(v, 1);
      observed.backward(v, 1);
      return v;
    }

    /** Xᵀ of numbers of rows. */
    private void addFeatures(double[] rows, double[] said, int from) {
      double[] x = new double[shard.features()];
      for (int i = 0; i < rows.length; i++) {
        shard.row(i, x);
        for (int j = 0; j < coefficients; j++) {
          said[from + j] = Math.fma(x[j], rows[i], said[from + j]);
        }
      }
    }
  }

  /** {@inheritDoc} They are the most likely ones; nothing was taken from the responses. */
  @Override
  public List<List<List<Double>>> predicted(double[][] factors, double[] delta) {
    return blocks.effects(factors, mode(new Point(factors, delta), blocks.vector(1)).u());
  }

  @Override
  public String name(int term, int group) {
    return blocks.random().name(term, group);
  }
}
