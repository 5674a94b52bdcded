package ngd.core.inference;

import java.util.Arrays;
import ngd.core.model.Regression;
import ngd.core.world.World;

/**
 * The likelihood of responses of several classes as a function of coefficients of every class, the
 * first included, as glmnet has them. What is added to the coefficients of all classes of a column
 * changes nothing: the clients add up what they do for coefficients beside the first class's, and
 * the rest follows from these sums.
 *
 * <p>A point has for each column in turn the coefficients of all classes.
 *
 * @param plain that of coefficients beside those of the first class
 * @param classes how many there are
 */
record SymmetricLikelihood(SummedLikelihood plain, int classes) implements PooledLikelihood {
  @Override
  public World world() {
    return plain.world();
  }

  @Override
  public Regression regression() {
    return plain.regression();
  }

  @Override
  public int coefficients() {
    return plain.coefficients() / (classes - 1) * classes;
  }

  @Override
  public int width() {
    return plain.width() / (classes - 1) * classes;
  }

  @Override
  public Size size() {
    return plain.size();
  }

  @Override
  public Penalty penalty() {
    return Penalty.of(new double[coefficients() * coefficients()], coefficients());
  }

  @Override
  public PooledLikelihood leading(int first) {
    return new SymmetricLikelihood(
        (SummedLikelihood) plain.leading(first / classes * (classes - 1)), classes);
  }

  /** Coefficients beside those of the first class. */
  double[] beside(double[] theta) {
    int others = classes - 1;
    double[] beside = new double[theta.length / classes * others];
    for (int t = 0; t < beside.length; t++) {
      int column = t / others;
      beside[t] = theta[column * classes + 1 + t % others] - theta[column * classes];
    }
    return beside;
  }

  /** The point at which those of the first class are 0. */
  double[] around(double[] beside) {
    int others = classes - 1;
    double[] theta = new double[beside.length / others * classes];
    for (int t = 0; t < beside.length; t++) {
      theta[t / others * classes + 1 + t % others] = beside[t];
    }
    return theta;
  }

  @Override
  public double value(double[] theta) {
    return plain.value(beside(theta));
  }

  @Override
  public double[] said(int client, double[] theta) {
    return plain.said(client, beside(theta));
  }

  @Override
  public double[] saidLoss(int client, double[] theta) {
    return plain.saidLoss(client, beside(theta));
  }

  @Override
  public double heardLoss(double[] total) {
    return plain.heardLoss(total);
  }

  @Override
  public boolean scores() {
    return true;
  }

  @Override
  public double[] saidScore(int client, double[] theta) {
    return plain.saidScore(client, beside(theta));
  }

  @Override
  public Likelihood heardScore(double[] theta, double[] total, Likelihood nearby) {
    double[] score = Arrays.copyOfRange(total, 2, 2 + plain.coefficients());
    return new Likelihood(theta, total[0], total[0], 0, spread(score, 1), nearby.hessian());
  }

  @Override
  public Likelihood heard(double[] theta, double[] total) {
    Likelihood found = plain.heard(beside(theta), total);
    int q = coefficients();
    double[] half = spread(found.hessian(), plain.coefficients());
    double[] across = new double[half.length];
    for (int i = 0; i < q; i++) {
      for (int j = 0; j < plain.coefficients(); j++) {
        across[j * q + i] = half[i * plain.coefficients() + j];
      }
    }
    return new Likelihood(
        theta,
        found.loss(),
        found.penalised(),
        found.pearson(),
        spread(found.score(), 1),
        spread(across, q));
  }

  /** Rows of derivatives for all classes: the first class's is minus the sum of the others'. */
  private double[] spread(double[] beside, int width) {
    int others = classes - 1;
    double[] all = new double[coefficients() * width];
    for (int t = 0; t < plain.coefficients(); t++) {
      int column = t / others;
      for (int j = 0; j < width; j++) {
        double value = beside[t * width + j];
        all[(column * classes + 1 + t % others) * width + j] = value;
        all[column * classes * width + j] -= value;
      }
    }
    return all;
  }
}
