package ngd.core.model;

import ngd.core.data.Shards;

/** The linear model: half the mean squared error, so that the gradient is Σ̂xx θ − Σ̂xy (2.1). */
public record Linear() implements Glm {
  @Override
  public String name() {
    return "linear";
  }

  @Override
  public String family() {
    return "gaussian";
  }

  @Override
  public String link() {
    return "identity";
  }

  @Override
  public double factor() {
    return 1;
  }

  @Override
  public double mean(double eta) {
    return eta;
  }

  @Override
  public double predictor(double mean) {
    return mean;
  }

  @Override
  public double variance(double mean) {
    return 1;
  }

  @Override
  public double information(double eta) {
    return 1;
  }

  @Override
  public double informationSlope(double eta) {
    return 0;
  }

  @Override
  public double largestCurvature(double eta, double y, double reach) {
    return 1;
  }

  @Override
  public double rowLoss(double eta, double y) {
    return 0.5 * (eta - y) * (eta - y);
  }

  @Override
  public double startingPredictor(double y) {
    return y;
  }

  @Override
  public double against(double move, double y) {
    return Math.abs(move);
  }

  @Override
  public boolean dispersed() {
    return true;
  }

  @Override
  public Objective over(Shards shards) {
    return new LinearObjective(this, shards);
  }
}
