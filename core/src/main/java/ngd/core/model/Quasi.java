package ngd.core.model;

import java.util.Optional;
import ngd.core.data.Shards;

/**
 * A family of labels or counts whose variance is a multiple of the usual one, which the data
 * determine: the same estimates with other standard errors, and no likelihood.
 */
public record Quasi(Glm of) implements Glm {
  @Override
  public String name() {
    return "quasi-" + of.name();
  }

  @Override
  public String family() {
    return "quasi-" + of.family();
  }

  @Override
  public String link() {
    return of.link();
  }

  @Override
  public double mean(double eta) {
    return of.mean(eta);
  }

  @Override
  public double predictor(double mean) {
    return of.predictor(mean);
  }

  @Override
  public double variance(double mean) {
    return of.variance(mean);
  }

  @Override
  public double pearson(double mean, double y) {
    return of.pearson(mean, y);
  }

  @Override
  public void all(double eta, double y, double[] into) {
    of.all(eta, y, into);
  }

  @Override
  public double rowLoss(double eta, double y) {
    return of.rowLoss(eta, y);
  }

  @Override
  public double score(double eta, double y) {
    return of.score(eta, y);
  }

  @Override
  public double curvature(double eta, double y) {
    return of.curvature(eta, y);
  }

  @Override
  public double information(double eta) {
    return of.information(eta);
  }

  @Override
  public double informationSlope(double eta) {
    return of.informationSlope(eta);
  }

  @Override
  public double largestCurvature(double eta, double y, double reach) {
    return of.largestCurvature(eta, y, reach);
  }

  @Override
  public boolean convex() {
    return of.convex();
  }

  @Override
  public boolean everywhere() {
    return of.everywhere();
  }

  @Override
  public boolean decreasing() {
    return of.decreasing();
  }

  @Override
  public double end(double eta, double inside) {
    return of.end(eta, inside);
  }

  @Override
  public double least(double y) {
    return of.least(y);
  }

  @Override
  public double rest(double y, double weight) {
    return of.rest(y, weight);
  }

  @Override
  public boolean dispersed() {
    return true;
  }

  @Override
  public double startingPredictor(double y) {
    return of.startingPredictor(y);
  }

  @Override
  public double against(double move, double y) {
    return of.against(move, y);
  }

  @Override
  public Optional<String> objection(double y, double weight) {
    boolean shares = of.family().equals("binomial");
    return y >= 0 && (!shares || y <= 1)
        ? Optional.empty()
        : Optional.of(
            "responses of the %s family must %s"
                .formatted(family(), shares ? "lie in [0, 1]" : "not be negative"));
  }

  @Override
  public Objective over(Shards shards) {
    return of.over(shards);
  }
}
