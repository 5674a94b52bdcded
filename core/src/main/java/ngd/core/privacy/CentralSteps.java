package ngd.core.privacy;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import ngd.core.linalg.SymmetricMatrix;

/**
 * The steps θ ← θ − (κf S)⁻¹ g of a {@link CentralFit} from 0, on sums that have noise: the real
 * ones, or those that {@link CentralNoise} makes up.
 */
final class CentralSteps {
  /** The sum of the rows' gradients at a point. */
  @FunctionalInterface
  interface GradientAt {
    double[] of(int step, double[] theta);
  }

  private final SymmetricMatrix.Spectrum spectrum;
  private final int p;
  private final double scale;
  private final double floor;
  private final List<double[]> points = new ArrayList<>();
  private final List<double[]> gradients = new ArrayList<>();

  /**
   * @param moments S, a row after the other
   * @param scale κf
   * @param sigma the standard deviation of the noise in S
   */
  CentralSteps(double[] moments, int p, double scale, double sigma) {
    this.p = p;
    this.scale = scale;
    spectrum = SymmetricMatrix.spectrum(moments, p);
    // Below this an eigenvalue of the noised matrix may be noise alone: the norm of a symmetric
    // matrix of noise, σ on the diagonal and σ / √2 beside it, is near √2 σ √p.
    floor = Math.sqrt(2.0 * p) * sigma;
    points.add(new double[p]);
  }

  /** The directions in which there is less information than noise. */
  int floored() {
    return (int) IntStream.range(0, p).filter(k -> spectrum.value(k) < floor).count();
  }

  /** Takes steps; the mean of the second half of the points. */
  double[] take(int steps, GradientAt gradient) {
    for (int t = 0; t < steps; t++) {
      double[] here = points.getLast();
      gradients.add(gradient.of(t, here));
      double[] move = map(gradients.getLast(), k -> 1 / (scale * eigenvalue(k)));
      double[] next = here.clone();
      IntStream.range(0, p).forEach(j -> next[j] -= move[j]);
      points.add(next);
    }
    int averaged = (steps + 1) / 2;
    double[] mean = new double[p];
    for (double[] point : points.subList(points.size() - averaged, points.size())) {
      IntStream.range(0, p).forEach(j -> mean[j] += point[j] / averaged);
    }
    return mean;
  }

  /** An eigenvalue of S, bounded away from 0. */
  double eigenvalue(int k) {
    return Math.max(spectrum.value(k), floor);
  }

  /** A function of S times a vector, by what the function makes of each eigenvalue. */
  double[] map(double[] vector, IntToDoubleFunction ofEigenvalue) {
    double[] mapped = new double[p];
    for (int k = 0; k < p; k++) {
      double along = 0;
      for (int j = 0; j < p; j++) {
        along += spectrum.vector(k, j) * vector[j];
      }
      along *= ofEigenvalue.applyAsDouble(k);
      for (int j = 0; j < p; j++) {
        mapped[j] += along * spectrum.vector(k, j);
      }
    }
    return mapped;
  }

  /**
   * The Hessian as a share of κf S, from how the gradient changed along the steps; what the noise
   * of a gradient, which the step after it has too, adds to that on average is taken off.
   *
   * @param sigma the standard deviation of the noise in a gradient
   */
  double curvatureShare(double sigma) {
    double noise = 0;
    for (int k = 0; k < p; k++) {
      noise += sigma * sigma / (scale * eigenvalue(k));
    }
    double change = 0;
    double all = 0;
    for (int t = 0; t + 1 < gradients.size(); t++) {
      double[] step = new double[p];
      for (int j = 0; j < p; j++) {
        step[j] = points.get(t + 1)[j] - points.get(t)[j];
        change += step[j] * (gradients.get(t + 1)[j] - gradients.get(t)[j]);
      }
      double[] bent = map(step, k -> scale * eigenvalue(k));
      all += IntStream.range(0, p).mapToDouble(j -> step[j] * bent[j]).sum();
      change -= noise;
    }
    return all > 0 ? change / all : 1;
  }
}
