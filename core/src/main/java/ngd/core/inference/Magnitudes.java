package ngd.core.inference;

import ngd.core.InvalidInput;
import ngd.core.algorithm.Moments;
import ngd.core.model.Glm;
import ngd.core.model.Linear;
import ngd.core.world.World;

/**
 * Refuses numbers on scales at which sums of squares are no numbers any more, and names them.
 *
 * <p>Every refusal is decided by totals, and so by all clients alike. How large the numbers are is
 * asked, by one more total, only of those that are refused.
 */
final class Magnitudes {
  /** The range of a sum of squares with which all that follows can work. */
  private static final double LEAST = 1e-295;

  private static final double MOST = 1e295;

  /** Offsets beyond this leave less than half of the digits of a linear predictor. */
  private static final double MOST_OFFSET = 1e8;

  /** The same for the gaussian family, whose linear predictors are on the scale of the response. */
  private static final double MOST_SQUARED_OFFSET = 1e140;

  /** The means that the log link tells apart, far within {@code exp(500)} (model.Poisson). */
  private static final double LEAST_MEAN = 1e-170;

  private static final double MOST_MEAN = 1e170;

  /** Powers of two that bring numbers far out of range back into it. */
  private static final double SMALLER = 0x1p-600;

  private static final double LARGER = 0x1p800;

  private Magnitudes() {}

  private static boolean inRange(double squares) {
    return squares >= LEAST && squares <= MOST;
  }

  /** Refuses weights whose sum leaves the range. */
  static void requireWeights(World world, int p, Size size) {
    if (size.counted() > 0 && !inRange(size.weight())) {
      double scale = size.weight() < 1 ? LARGER : SMALLER;
      Moments.RowTerm scaled = (eta, y, offset, weight) -> weight * scale;
      double[] sums =
          Pooled.total(world, m -> world.curved().moments(m).sums(new double[p], scaled));
      throw new InvalidInput(
          "the weights: must sum to a number between %s and %s; their mean is %s; divide them by a constant"
              .formatted(text(LEAST), text(MOST), text(sums[0] / size.rows() / scale)));
    }
  }

  /** Refuses a column whose squares sum to a number out of range, unless all are zero. */
  static void requireColumn(
      World world, String name, int column, int p, double squares, Size size) {
    if (inRange(squares)) {
      return;
    }
    double scale = squares < 1 ? LARGER : SMALLER;
    double[] diagonal = new double[p * p];
    for (int j = 0; j < p; j++) {
      // Columns there are those here over the diagonal; only the one that is asked for counts.
      diagonal[j * (p + 1)] = j == column ? 1 / scale : 0x1p1000;
    }
    double there = Pooled.secondMoments(world.in(diagonal), p)[column * (p + 1)];
    require("column `%s`".formatted(name), there, scale, size);
  }

  /** Refuses responses of the gaussian family whose squares sum to a number out of range. */
  static void requireResponse(World world, Glm glm, int p, double nullLoss, Size size) {
    if (!(glm instanceof Linear) || inRange(nullLoss)) {
      return;
    }
    // A response that hardly varies leaves the null model no loss, and may yet be of any size.
    double here = responseSquares(world, p, 1);
    if (!inRange(here)) {
      double scale = here < 1 ? LARGER : SMALLER;
      require("the response", responseSquares(world, p, scale), scale, size);
    }
  }

  private static double responseSquares(World world, int p, double scale) {
    Moments.RowTerm square =
        (eta, y, offset, weight) -> {
          double scaled = y * scale - offset * scale;
          return weight == 0 ? 0 : weight * scaled * scaled;
        };
    return Pooled.bounded(world, m -> world.curved().moments(m).sums(new double[p], square))[0];
  }

  private static void require(String subject, double squares, double scale, Size size) {
    if (squares > 0) {
      throw new InvalidInput(
          "%s: the squares of its values must sum to a number between %s and %s; their root mean square is %s; divide it by a constant"
              .formatted(
                  subject,
                  text(LEAST),
                  text(MOST),
                  text(Math.sqrt(squares / size.weight()) / scale)));
    }
  }

  /** Refuses responses whose mean the log link does not tell from smaller or larger ones. */
  static void requireMean(Glm glm, double mean) {
    if (glm.link().equals("log") && mean != 0 && !(mean >= LEAST_MEAN && mean <= MOST_MEAN)) {
      throw new InvalidInput(
          "the response: its mean must lie between %s and %s for the log link; got %s; divide it by a constant"
              .formatted(text(LEAST_MEAN), text(MOST_MEAN), text(mean)));
    }
  }

  /** Refuses offsets beside which a linear predictor loses its digits. */
  static void requireOffset(Glm glm, double mean) {
    double most = glm instanceof Linear ? MOST_SQUARED_OFFSET : MOST_OFFSET;
    if (!(Math.abs(mean) <= most)) {
      throw new InvalidInput(
          "the offset: its mean must lie within %s of 0, or the linear predictor loses its digits; got %s; is it on the scale of the %s link?"
              .formatted(text(most), text(mean), glm.link()));
    }
  }

  private static String text(double number) {
    return "%.3g".formatted(number).replaceFirst("^1\\.00e([+-])0*", "1e$1").replace("e+", "e");
  }
}
