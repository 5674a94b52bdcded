package ngd.core.model;

/**
 * The rows at risk at one time, by sums over them, and those that have an event there.
 *
 * <p>Sums are of r, r x and r x xᵀ with r = w exp(η), as far as they are asked for: 1, p and p (p +
 * 1) / 2 numbers, of the matrix its lower triangle row by row. They add up over sites.
 */
public final class RiskSet {
  private final int stratum;
  private final double time;
  private final int p;
  private final double[] risk;
  private final double[] dead;
  private double events;
  private double weight;
  private double predictor;
  private final double[] covariates;

  RiskSet(int stratum, double time, int p, int order) {
    this.stratum = stratum;
    this.time = time;
    this.p = p;
    risk = new double[width(p, order)];
    dead = new double[risk.length];
    covariates = new double[p];
  }

  /** How many sums there are: of order 0 one, of order 1 also vectors, of order 2 also matrices. */
  static int width(int p, int order) {
    return order == 0 ? 1 : order == 1 ? 1 + p : 1 + p + p * (p + 1) / 2;
  }

  /** What a site says of one: {@link #numbers} of them. */
  static RiskSet of(int stratum, double time, int p, int order, double[] said, int from) {
    RiskSet set = new RiskSet(stratum, time, p, order);
    int width = set.risk.length;
    System.arraycopy(said, from, set.risk, 0, width);
    System.arraycopy(said, from + width, set.dead, 0, width);
    set.events = said[from + 2 * width];
    set.weight = said[from + 2 * width + 1];
    set.predictor = said[from + 2 * width + 2];
    System.arraycopy(said, from + 2 * width + 3, set.covariates, 0, p);
    return set;
  }

  /** How many numbers a site says of one. */
  static int numbers(int p, int order) {
    return 2 * width(p, order) + 3 + p;
  }

  void say(double[] to, int from) {
    int width = risk.length;
    System.arraycopy(risk, 0, to, from, width);
    System.arraycopy(dead, 0, to, from + width, width);
    to[from + 2 * width] = events;
    to[from + 2 * width + 1] = weight;
    to[from + 2 * width + 2] = predictor;
    System.arraycopy(covariates, 0, to, from + 2 * width + 3, p);
  }

  double[] risk() {
    return risk;
  }

  /** Adds a row that has an event here. */
  void add(double[] x, double eta, double w, double r) {
    events++;
    weight += w;
    predictor = Math.fma(w, eta, predictor);
    for (int j = 0; j < p; j++) {
      covariates[j] = Math.fma(w, x[j], covariates[j]);
    }
    add(dead, x, r, p);
  }

  /** Adds r, r x and r x xᵀ, as far as there is room. */
  static void add(double[] sums, double[] x, double r, int p) {
    sums[0] += r;
    if (sums.length == 1) {
      return;
    }
    for (int j = 0; j < p; j++) {
      sums[1 + j] = Math.fma(r, x[j], sums[1 + j]);
    }
    int at = 1 + p;
    for (int j = 0; j < p && sums.length > at; j++) {
      double scaled = r * x[j];
      for (int k = 0; k <= j; k++) {
        sums[at] = Math.fma(scaled, x[k], sums[at]);
        at++;
      }
    }
  }

  public int stratum() {
    return stratum;
  }

  public double time() {
    return time;
  }

  /** How many rows have an event here. */
  public double events() {
    return events;
  }

  /** Those of r over all rows at risk. */
  public double atRisk() {
    return risk[0];
  }

  /** How many terms the likelihood has here. */
  private int steps(Ties ties) {
    return ties == Ties.EFRON ? (int) events : 1;
  }

  /** The share of those with an event that has left the risk set at a step. */
  private double left(Ties ties, int step) {
    return ties == Ties.EFRON ? step / events : 0;
  }

  /**
   * Adds what this set contributes to minus the log partial likelihood, its gradient and its
   * Hessian's lower triangle, as far as there is room for them.
   */
  void contribute(Ties ties, double[] loss, double[] score, double[] hessian) {
    int steps = steps(ties);
    if (steps == 0) {
      return;
    }
    loss[0] -= predictor;
    for (int j = 0; j < score.length; j++) {
      score[j] -= covariates[j];
    }
    double share = weight / steps;
    double[] mean = new double[score.length];
    for (int step = 0; step < steps; step++) {
      double left = left(ties, step);
      double sum = risk[0] - left * dead[0];
      loss[0] += share * Math.log(sum);
      mean(sum, left, mean);
      for (int j = 0; j < score.length; j++) {
        score[j] = Math.fma(share, mean[j], score[j]);
      }
      int at = 0;
      for (int j = 0; j < p && at < hessian.length; j++) {
        for (int k = 0; k <= j; k++) {
          double square = (risk[1 + p + at] - left * dead[1 + p + at]) / sum;
          hessian[at] += share * (square - mean[j] * mean[k]);
          at++;
        }
      }
    }
  }

  private void mean(double sum, double left, double[] mean) {
    for (int j = 0; j < mean.length; j++) {
      mean[j] = (risk[1 + j] - left * dead[1 + j]) / sum;
    }
  }

  /** What those at risk here lose by being so, from which residuals are made. */
  Hazard hazard(Ties ties) {
    int steps = steps(ties);
    Hazard hazard = new Hazard(time, p);
    double share = steps == 0 ? 0 : weight / steps;
    double[] mean = new double[p];
    for (int step = 0; step < steps; step++) {
      double left = left(ties, step);
      double sum = risk[0] - left * dead[0];
      mean(sum, left, mean);
      hazard.add(share / sum, 1 - left, 1.0 / steps, mean);
    }
    return hazard;
  }

  /** The increment of the cumulative baseline hazard here. */
  public double increment(Ties ties) {
    int steps = steps(ties);
    double sum = 0;
    for (int step = 0; step < steps; step++) {
      sum += weight / steps / (risk[0] - left(ties, step) * dead[0]);
    }
    return sum;
  }

  /**
   * The increment of the baseline hazard at one time, with the mean covariates at risk; those with
   * an event there bear less of it (Efron).
   */
  static final class Hazard {
    private final double time;
    private double all;
    private double own;
    private final double[] allMean;
    private final double[] ownMean;
    private final double[] mean;

    private Hazard(double time, int p) {
      this.time = time;
      allMean = new double[p];
      ownMean = new double[p];
      mean = new double[p];
    }

    private void add(double hazard, double borne, double part, double[] at) {
      all += hazard;
      own += borne * hazard;
      for (int j = 0; j < at.length; j++) {
        allMean[j] = Math.fma(hazard, at[j], allMean[j]);
        ownMean[j] = Math.fma(borne * hazard, at[j], ownMean[j]);
        mean[j] = Math.fma(part, at[j], mean[j]);
      }
    }

    double time() {
      return time;
    }

    /** Adds to a score residual what a row at risk here has, r being its exp(η). */
    void bear(double[] residual, double[] x, double r, boolean event) {
      double hazard = event ? own : all;
      double[] means = event ? ownMean : allMean;
      for (int j = 0; j < residual.length; j++) {
        residual[j] -= r * (x[j] * hazard - means[j]);
        if (event) {
          residual[j] += x[j] - mean[j];
        }
      }
    }

    /** Cumulative sums: the hazard, and the hazard times the mean covariates. */
    void cumulate(double[] sums) {
      sums[0] += all;
      for (int j = 0; j < allMean.length; j++) {
        sums[1 + j] += allMean[j];
      }
    }
  }
}
