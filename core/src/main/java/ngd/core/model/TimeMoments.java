package ngd.core.model;

/**
 * Sums over risk sets of g(t) times the score there, and of 1, g(t) and g(t)² times the information
 * there: what a test of proportional hazards is made of (Grambsch and Therneau 1994).
 */
public final class TimeMoments {
  private final int p;
  private final double[] score;
  private final double[] sums;

  public TimeMoments(int p) {
    this.p = p;
    score = new double[p];
    sums = new double[3 * p * (p + 1) / 2];
  }

  /** Adds a risk set, at whose time g has this value. */
  public void add(RiskSet set, Ties ties, double g) {
    int triangle = p * (p + 1) / 2;
    double[] own = new double[p];
    double[] information = new double[triangle];
    set.contribute(ties, new double[1], own, information);
    for (int j = 0; j < p; j++) {
      score[j] -= g * own[j];
    }
    for (int i = 0; i < triangle; i++) {
      sums[i] += information[i];
      sums[triangle + i] += g * information[i];
      sums[2 * triangle + i] += g * g * information[i];
    }
  }

  /** The score, then the lower triangles of the three matrices: they add up over sites. */
  public double[] said() {
    double[] said = new double[p + sums.length];
    System.arraycopy(score, 0, said, 0, p);
    System.arraycopy(sums, 0, said, p, sums.length);
    return said;
  }
}
