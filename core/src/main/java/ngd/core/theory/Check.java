package ngd.core.theory;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import ngd.core.network.Measured;
import ngd.core.network.Spectrum;
import org.jspecify.annotations.Nullable;

/**
 * All that the theory says of a run before it starts.
 *
 * @param alpha the step size that was judged
 * @param spectralRadius of the contraction operator
 * @param stableDistanceToGlobal ‖θ̂* − θ̂_global*‖ / √M
 * @param seW ŜE(W), the balance of the network; its root mean square over the rounds of a period
 * @param period after how many rounds the network repeats itself; then distances are root mean
 *     squares over clients and rounds
 */
public record Check(
    Certificate certificate,
    double alpha,
    Measured spectralRadius,
    Measured stableDistanceToGlobal,
    DataHeterogeneity heterogeneity,
    double seW,
    List<Condition> conditions,
    Bound bound,
    int period) {
  public Check {
    conditions = List.copyOf(conditions);
  }

  /** Judges a problem; the truth is that of simulated data, where it is known. */
  public static Check of(Problem problem, Optional<double[]> truth) {
    double seW = problem.network().se();
    DataHeterogeneity heterogeneity = DataHeterogeneity.of(problem, truth);
    Bound bound = Bound.of(problem, seW, heterogeneity);
    Linearised linearised;
    try {
      linearised = Linearised.of(problem);
    } catch (NotComputed why) {
      return new Check(
          Certificate.undecided(why),
          problem.alpha(),
          Measured.not(why.reason()),
          Measured.not(why.reason()),
          heterogeneity,
          seW,
          List.of(),
          bound,
          problem.period());
    }
    Measured computed = SpectralRadius.of(linearised.operator(), problem.classes());
    Certificate certificate = Certificate.of(linearised, () -> computed);
    Measured radius =
        certificate.radiusIsOne()
            ? Measured.of(1, "proved: the data of a closed class leave a direction unseen")
            : computed;
    return new Check(
        certificate,
        problem.alpha(),
        radius,
        distance(problem, linearised),
        heterogeneity,
        seW,
        Conditions.of(linearised, Spectrum.of(problem.network(), problem.classes())),
        bound,
        problem.period());
  }

  private static Measured distance(Problem problem, Linearised linearised) {
    try {
      return StableSolution.of(linearised).distanceTo(problem.globalEstimate());
    } catch (NotComputed why) {
      return Measured.not(why.reason());
    }
  }

  /** Whether there is one limit from every start; null where that was not decided. */
  public @Nullable Boolean converges() {
    return certificate.converges();
  }

  /** Why, in words for a person. */
  public String reason() {
    return certificate.reason();
  }

  public OptionalDouble safeAlpha() {
    return certificate.safeAlpha();
  }

  public double seSigmaXX() {
    return heterogeneity.seSigmaXX();
  }

  public double seSigmaXY() {
    return heterogeneity.seSigmaXY();
  }

  public Measured seScore() {
    return heterogeneity.seScore();
  }
}
