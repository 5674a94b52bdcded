package ngd.core.inference;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import ngd.core.model.Glm;
import ngd.core.model.Regression;
import ngd.core.world.World;

/** The estimate of the pooled data, and how it was found. */
public final class PooledEstimate {
  private final PooledFit fit;
  private final PooledLikelihood likelihood;
  private final Coordinates coordinates;
  private final NullModel nullModel;
  private final FitEnd end;
  private final OptionalDouble thetaError;
  private final Optional<PropensityWeights> weights;

  PooledEstimate(
      PooledFit fit,
      PooledLikelihood likelihood,
      Coordinates coordinates,
      NullModel nullModel,
      FitEnd end) {
    this(fit, likelihood, coordinates, nullModel, end, OptionalDouble.empty(), Optional.empty());
  }

  private PooledEstimate(
      PooledFit fit,
      PooledLikelihood likelihood,
      Coordinates coordinates,
      NullModel nullModel,
      FitEnd end,
      OptionalDouble thetaError,
      Optional<PropensityWeights> weights) {
    this.fit = fit;
    this.likelihood = likelihood;
    this.coordinates = coordinates;
    this.nullModel = nullModel;
    this.end = end;
    this.thetaError = thetaError;
    this.weights = weights;
  }

  /** The same, its theta found by this many steps in all. */
  PooledEstimate withTheta(double error, int steps) {
    return new PooledEstimate(
        fit,
        likelihood,
        coordinates,
        nullModel,
        new FitEnd(end.at(), end.distance(), end.rounds(), steps),
        OptionalDouble.of(error),
        weights);
  }

  /** The same after more steps, under other losses. */
  PooledEstimate withSteps(int before) {
    return new PooledEstimate(
        fit,
        likelihood,
        coordinates,
        nullModel,
        new FitEnd(end.at(), end.distance(), end.rounds(), before + end.steps()),
        thetaError,
        weights);
  }

  /** The same, of rows that have these weights. */
  PooledEstimate weightedBy(PropensityWeights found) {
    return new PooledEstimate(
        fit, likelihood, coordinates, nullModel, end, thetaError, Optional.of(found));
  }

  /** The weights by a treatment's probability, where rows have such. */
  public Optional<PropensityWeights> weights() {
    return weights;
  }

  /** The standard error of the negative binomial family's theta, where that was estimated. */
  public OptionalDouble thetaError() {
    return thetaError;
  }

  /** The coefficients on the scale of the data. */
  public double[] theta() {
    return coordinates.back(end.theta());
  }

  /**
   * Whether the coefficients were too many for sums of Hessians, so that scores alone were summed.
   */
  public boolean byScores() {
    return fit.byScores();
  }

  /**
   * How far they are at most from the pooled estimate, in standard errors of their own; by scores,
   * the largest score in units of its standard deviation.
   */
  public double distance() {
    return end.distance();
  }

  /** The rounds of network gradient descent. */
  public int rounds() {
    return end.rounds();
  }

  /** The Newton steps after them. */
  public int steps() {
    return end.steps();
  }

  /** What was asked for. */
  public PooledFit.Settings settings() {
    return fit.settings();
  }

  public Regression regression() {
    return likelihood.regression();
  }

  /** The model, where rows are independent terms of the likelihood. */
  Glm glm() {
    return (Glm) likelihood.regression();
  }

  public List<String> terms() {
    return fit.terms();
  }

  /** M, over all processes. */
  public int clients() {
    return (int) size().clients();
  }

  /** N, the rows of all clients, those of weight 0 included. */
  public long rows() {
    return (long) size().rows();
  }

  PooledLikelihood likelihood() {
    return likelihood;
  }

  World world() {
    return likelihood.world();
  }

  Coordinates coordinates() {
    return coordinates;
  }

  Penalty penalty() {
    return likelihood.penalty();
  }

  Size size() {
    return likelihood.size();
  }

  NullModel nullModel() {
    return nullModel;
  }

  FitEnd end() {
    return end;
  }
}
