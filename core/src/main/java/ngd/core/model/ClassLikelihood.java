package ngd.core.model;

import java.util.Arrays;

/**
 * The likelihood of one row's class as a function of what all classes but one have of the row:
 * linear predictors beside the first class's 0, or the distances of thresholds from the row's
 * linear predictor.
 */
sealed interface ClassLikelihood {
  /** How many classes there are. */
  int classes();

  /** The probability of each class. */
  double[] probabilities(double[] eta);

  /** Minus the log of the probability of a row's own class. */
  double loss(double[] eta, int own);

  /** Its derivatives. */
  double[] slopes(double[] eta, int own);

  /** Its second derivatives, row by row. */
  double[] bends(double[] eta, int own);

  /**
   * How far a step moves what bears on the row's own class.
   *
   * @param against whether only what makes that class less likely counts
   */
  double moved(double[] step, int own, boolean against);

  /** The first class is the baseline of the logits of all others. */
  record Baseline(int classes) implements ClassLikelihood {
    @Override
    public double[] probabilities(double[] eta) {
      double[] shares = new double[classes];
      var _ = soften(eta, shares);
      return shares;
    }

    /** Writes the probabilities and returns the logarithm of what they were divided by. */
    private static double soften(double[] eta, double[] shares) {
      double most = 0;
      for (double one : eta) {
        most = Math.max(most, one);
      }
      shares[0] = StrictMath.exp(-most);
      double sum = shares[0];
      for (int k = 0; k < eta.length; k++) {
        shares[k + 1] = StrictMath.exp(eta[k] - most);
        sum += shares[k + 1];
      }
      for (int k = 0; k < shares.length; k++) {
        shares[k] /= sum;
      }
      return most + StrictMath.log(sum);
    }

    @Override
    public double loss(double[] eta, int own) {
      return soften(eta, new double[classes]) - (own == 0 ? 0 : eta[own - 1]);
    }

    @Override
    public double[] slopes(double[] eta, int own) {
      double[] shares = probabilities(eta);
      double[] slopes = new double[classes - 1];
      Arrays.setAll(slopes, k -> shares[k + 1] - (own == k + 1 ? 1 : 0));
      return slopes;
    }

    @Override
    public double[] bends(double[] eta, int own) {
      int levels = classes - 1;
      double[] shares = probabilities(eta);
      double[] bends = new double[levels * levels];
      for (int k = 0; k < levels; k++) {
        for (int l = 0; l < levels; l++) {
          bends[k * levels + l] = shares[k + 1] * ((k == l ? 1 : 0) - shares[l + 1]);
        }
      }
      return bends;
    }

    @Override
    public double moved(double[] step, int own, boolean against) {
      double mine = own == 0 ? 0 : step[own - 1];
      double most = against ? -mine : Math.abs(mine);
      for (double other : step) {
        most = Math.max(most, against ? other - mine : Math.abs(other - mine));
      }
      return most;
    }
  }

  /** Thresholds cut a latent response into classes. */
  record Cumulative(Thresholds thresholds, int classes) implements ClassLikelihood {
    private static double upper(double[] eta, int own) {
      return own == eta.length ? Double.POSITIVE_INFINITY : eta[own];
    }

    private static double lower(double[] eta, int own) {
      return own == 0 ? Double.NEGATIVE_INFINITY : eta[own - 1];
    }

    private Thresholds.Parts parts(double[] eta, int own) {
      Thresholds.Parts parts = new Thresholds.Parts();
      thresholds.at(upper(eta, own), lower(eta, own), parts);
      return parts;
    }

    @Override
    public double[] probabilities(double[] eta) {
      double[] shares = new double[classes];
      Arrays.setAll(shares, k -> StrictMath.exp(-parts(eta, k).loss));
      return shares;
    }

    @Override
    public double loss(double[] eta, int own) {
      return parts(eta, own).loss;
    }

    @Override
    public double[] slopes(double[] eta, int own) {
      Thresholds.Parts parts = parts(eta, own);
      double[] slopes = new double[classes - 1];
      if (own < slopes.length) {
        slopes[own] = parts.byUpper;
      }
      if (own > 0) {
        slopes[own - 1] = parts.byLower;
      }
      return slopes;
    }

    @Override
    public double[] bends(double[] eta, int own) {
      int levels = classes - 1;
      Thresholds.Parts parts = parts(eta, own);
      double[] bends = new double[levels * levels];
      if (own < levels) {
        bends[own * (levels + 1)] = parts.upperTwice;
      }
      if (own > 0) {
        bends[(own - 1) * (levels + 1)] = parts.lowerTwice;
      }
      if (own > 0 && own < levels) {
        bends[own * levels + own - 1] = parts.both;
        bends[(own - 1) * levels + own] = parts.both;
      }
      return bends;
    }

    @Override
    public double moved(double[] step, int own, boolean against) {
      double upper = own == step.length ? 0 : step[own];
      double lower = own == 0 ? 0 : step[own - 1];
      return against ? Math.max(-upper, lower) : Math.max(Math.abs(upper), Math.abs(lower));
    }
  }
}
