package ngd.core.model;

import ngd.core.data.Shards;

/** The loss of all rows together: Σ (n_m / N) L_m. */
record PooledLoss(Loss loss, Shards shards) {

  int parameters() {
    return loss.parameters(shards.features());
  }

  double value(double[] theta) {
    double sum = 0;
    for (int m = 0; m < shards.clients(); m++) {
      sum = Math.fma(share(m), loss.value(shards, m, theta), sum);
    }
    return sum;
  }

  double[] gradient(double[] theta) {
    double[] sum = new double[parameters()];
    for (int m = 0; m < shards.clients(); m++) {
      double[] own = loss.gradient(shards, m, theta);
      for (int j = 0; j < sum.length; j++) {
        sum[j] = Math.fma(share(m), own[j], sum[j]);
      }
    }
    return sum;
  }

  double[] hessian(CurvedLoss curved, double[] theta) {
    int p = parameters();
    double[] sum = new double[p * p];
    for (int m = 0; m < shards.clients(); m++) {
      double[] own = curved.hessian(shards, m, theta);
      for (int j = 0; j < sum.length; j++) {
        sum[j] = Math.fma(share(m), own[j], sum[j]);
      }
    }
    return sum;
  }

  private double share(int client) {
    return (double) shards.rows(client) / shards.totalRows();
  }

  static NoEstimate notConverged(Loss loss, int iterations, double[] gradient) {
    return new NoEstimate(
        NoEstimate.Reason.NOT_CONVERGED,
        "the global estimate of the loss `%s`: no minimum found in %d steps, the gradient's norm is still %.3g; is the loss bounded below, and its gradient right?"
            .formatted(loss.name(), iterations, Math.sqrt(dot(gradient, gradient))));
  }

  static double dot(double[] a, double[] b) {
    double sum = 0;
    for (int j = 0; j < a.length; j++) {
      sum = Math.fma(a[j], b[j], sum);
    }
    return sum;
  }

  /** a + scale · b. */
  static double[] plus(double[] a, double scale, double[] b) {
    double[] sum = new double[a.length];
    for (int j = 0; j < a.length; j++) {
      sum[j] = Math.fma(scale, b[j], a[j]);
    }
    return sum;
  }
}
