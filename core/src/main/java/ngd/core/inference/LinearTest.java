package ngd.core.inference;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import ngd.core.InvalidInput;
import ngd.core.linalg.DampedNewton;
import ngd.core.linalg.SymmetricMatrix;
import ngd.core.model.Glm;
import org.apache.commons.statistics.distribution.ChiSquaredDistribution;
import org.apache.commons.statistics.distribution.FDistribution;

/**
 * A test of linear equations L β = c in the coefficients: Wald's, by the covariance that the answer
 * reports, and the likelihood-ratio test against the model in which they hold, which is fitted by
 * Newton steps on totals of the likelihood that is there already.
 *
 * @param text the equations as they were asked
 * @param combinations each equation's left side less its right, with its standard error and
 *     interval
 * @param wald (Lβ − c)ᵀ(LVLᵀ)⁻¹(Lβ − c): χ², or F where coefficients have t statistics
 * @param likelihoodRatio the same by deviances; nothing where rows depend on each other within
 *     sites, or where the smaller model has no fit
 */
public record LinearTest(
    String text,
    List<Coefficient> combinations,
    DevianceTest wald,
    Optional<DevianceTest> likelihoodRatio) {
  private static final DampedNewton.Limits LIMITS = new DampedNewton.Limits(101, 40);

  public LinearTest {
    combinations = List.copyOf(combinations);
  }

  /** Refuses a text that cannot be a test, before any coefficient is known. */
  public static void requireReadable(String text) {
    LinearHypothesis.requireReadable(text);
  }

  /** The tests of an estimate, one after the other. */
  public static List<LinearTest> of(Inference inference, List<String> texts) {
    return texts.stream().map(text -> of(inference, text)).toList();
  }

  private static LinearTest of(Inference inference, String text) {
    PooledEstimate estimate = inference.estimate();
    LinearHypothesis hypothesis = LinearHypothesis.parse(text, estimate.terms());
    int p = estimate.terms().size();
    int q = hypothesis.equations();
    double[] covariance =
        inference
            .covariance()
            .orElseThrow(
                () ->
                    new InvalidInput(
                        "test: needs the covariance of the coefficients, which is withheld: "
                            + inference.withheld().orElse("")));
    double[] theta = estimate.theta();
    double[] off = new double[q];
    double[] spread = new double[q * q];
    for (int i = 0; i < q; i++) {
      double[] one = hypothesis.weights(i);
      off[i] = hypothesis.values().get(i);
      for (int j = 0; j < p; j++) {
        off[i] = Math.fma(one[j], theta[j], off[i]);
      }
      for (int k = 0; k < q; k++) {
        double[] other = hypothesis.weights(k);
        for (int j = 0; j < p; j++) {
          for (int l = 0; l < p; l++) {
            spread[i * q + k] += one[j] * covariance[j * p + l] * other[l];
          }
        }
      }
    }
    double[] solved =
        SymmetricMatrix.solve(spread, q, off).orElseThrow(() -> LinearHypothesis.redundant(text));
    double chi = 0;
    for (int i = 0; i < q; i++) {
      chi += off[i] * solved[i];
    }
    List<Coefficient> combinations = new ArrayList<>();
    for (int i = 0; i < q; i++) {
      combinations.add(
          inference.line(hypothesis.said().get(i), off[i], Math.sqrt(spread[i * q + i])));
    }
    return new LinearTest(
        text,
        combinations,
        wald(chi, q, inference.statisticFreedom()),
        inference.options().covariance() == Covariance.SITE || estimate.weights().isPresent()
            ? Optional.empty()
            : ratio(inference, hypothesis));
  }

  private static DevianceTest wald(double chi, int q, OptionalDouble freedom) {
    if (freedom.isEmpty()) {
      return new DevianceTest(
          chi,
          q,
          Double.POSITIVE_INFINITY,
          ChiSquaredDistribution.of((double) q).survivalProbability(chi));
    }
    double rest = freedom.getAsDouble();
    double f = chi / q;
    return new DevianceTest(
        f,
        q,
        rest,
        rest < 1 ? Double.NaN : FDistribution.of((double) q, rest).survivalProbability(f));
  }

  /** Against the model in which the equations hold. */
  private static Optional<DevianceTest> ratio(Inference inference, LinearHypothesis hypothesis) {
    PooledEstimate estimate = inference.estimate();
    GoodnessOfFit fit = inference.fit();
    double freedom =
        estimate.regression().dispersed() ? fit.residualFreedom() : Double.POSITIVE_INFINITY;
    return Constrained.of(estimate, hypothesis)
        .map(
            at ->
                DevianceTest.of(
                    2 * (at.loss() - estimate.end().at().loss()),
                    hypothesis.equations(),
                    fit.dispersion(),
                    freedom));
  }

  /**
   * The likelihood where the equations hold, in coordinates along them: ϑ = origin + N γ with the
   * columns of N an orthonormal basis of what the equations leave free.
   */
  private static final class Constrained implements DampedNewton.Rules<Likelihood> {
    private final PooledEstimate estimate;
    private final double[] origin;
    private final double[][] free;

    private Constrained(PooledEstimate estimate, double[] origin, double[][] free) {
      this.estimate = estimate;
      this.origin = origin;
      this.free = free;
    }

    /** The fit; nothing where Newton's method finds none. */
    static Optional<Likelihood> of(PooledEstimate estimate, LinearHypothesis hypothesis) {
      int p = estimate.terms().size();
      int q = hypothesis.equations();
      double[][] along = new double[q][];
      for (int i = 0; i < q; i++) {
        // L β = L R⁻¹ ϑ: the weights there are R⁻ᵀ L.
        along[i] = estimate.coordinates().weights(hypothesis.weights(i));
      }
      double[][] orthonormal = new double[p][];
      double[] sides = new double[q];
      double[] origin = estimate.end().theta().clone();
      for (int i = 0; i < q; i++) {
        double[] left = along[i].clone();
        sides[i] = -hypothesis.values().get(i);
        for (int k = 0; k < i; k++) {
          double part = dot(along[i], orthonormal[k]);
          axpy(left, -part, orthonormal[k]);
          sides[i] -= part * sides[k];
        }
        double length = Math.sqrt(dot(left, left));
        orthonormal[i] = Arrays.stream(left).map(x -> x / length).toArray();
        sides[i] /= length;
        axpy(origin, sides[i] - dot(origin, orthonormal[i]), orthonormal[i]);
      }
      if (q == p) {
        Likelihood at = estimate.likelihood().at(origin);
        return Pooled.within(at.loss()) ? Optional.of(at) : Optional.empty();
      }
      complete(orthonormal, q);
      double[][] free = Arrays.copyOfRange(orthonormal, q, p);
      return new Constrained(estimate, origin, free).fit();
    }

    /** Fills an orthonormal basis up, by unit vectors with what is there taken out twice. */
    private static void complete(double[][] basis, int known) {
      int p = basis.length;
      for (int count = known; count < p; count++) {
        double[] best = {};
        double most = -1;
        for (int unit = 0; unit < p; unit++) {
          double[] left = new double[p];
          left[unit] = 1;
          for (int k = 0; k < count; k++) {
            axpy(left, -basis[k][unit], basis[k]);
          }
          double length = dot(left, left);
          if (length > most) {
            most = length;
            best = left;
          }
        }
        for (int k = 0; k < count; k++) {
          axpy(best, -dot(best, basis[k]), basis[k]);
        }
        double length = Math.sqrt(dot(best, best));
        basis[count] = Arrays.stream(best).map(x -> x / length).toArray();
      }
    }

    private Optional<Likelihood> fit() {
      Likelihood first = at(new double[free.length], Double.NaN);
      if (!first.usable()) {
        return Optional.empty();
      }
      DampedNewton.End<Likelihood> end = DampedNewton.from(first, this, LIMITS);
      // Deviances stand still long before coefficients do.
      return distance(end.point()) < 1e-3 ? Optional.of(end.point()) : Optional.empty();
    }

    private double distance(Likelihood here) {
      return here.distance(estimate.likelihood().dispersion(estimate.end().at()));
    }

    private double[] whole(double[] gamma) {
      double[] point = origin.clone();
      for (int k = 0; k < gamma.length; k++) {
        axpy(point, gamma[k], free[k]);
      }
      return point;
    }

    @Override
    public double value(double[] gamma) {
      return estimate.likelihood().value(whole(gamma));
    }

    @Override
    public Likelihood at(double[] gamma, double value) {
      double[] point = whole(gamma);
      Likelihood all = estimate.likelihood().at(point);
      Likelihood along = along(gamma, all, all.hessian());
      return !along.usable()
              && estimate.likelihood() instanceof SummedLikelihood summed
              && summed.regression() instanceof Glm glm
              && !glm.convex()
          ? along(gamma, all, summed.information(point))
          : along;
    }

    private Likelihood along(double[] gamma, Likelihood all, double[] matrix) {
      int p = origin.length;
      int f = free.length;
      double[] score = new double[f];
      double[] hessian = new double[f * f];
      for (int k = 0; k < f; k++) {
        score[k] = dot(free[k], all.score());
        double[] row = new double[p];
        for (int i = 0; i < p; i++) {
          row[i] = dot(free[k], Arrays.copyOfRange(matrix, i * p, (i + 1) * p));
        }
        for (int l = 0; l < f; l++) {
          hessian[k * f + l] = dot(row, free[l]);
        }
      }
      for (int k = 0; k < f; k++) {
        for (int l = 0; l < k; l++) {
          double mean = 0.5 * (hessian[k * f + l] + hessian[l * f + k]);
          hessian[k * f + l] = mean;
          hessian[l * f + k] = mean;
        }
      }
      return new Likelihood(gamma, all.loss(), all.penalised(), all.pearson(), score, hessian);
    }

    @Override
    public double ceiling(Likelihood here, double share) {
      return here.penalised() + 1e-12 * (1 + Math.abs(here.penalised()));
    }

    @Override
    public boolean done(Likelihood here) {
      return distance(here) <= estimate.settings().biasShare();
    }

    private static double dot(double[] a, double[] b) {
      double sum = 0;
      for (int j = 0; j < a.length; j++) {
        sum = Math.fma(a[j], b[j], sum);
      }
      return sum;
    }

    private static void axpy(double[] to, double factor, double[] from) {
      for (int j = 0; j < to.length; j++) {
        to[j] = Math.fma(factor, from[j], to[j]);
      }
    }
  }
}
