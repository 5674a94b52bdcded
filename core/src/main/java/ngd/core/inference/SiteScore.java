package ngd.core.inference;

import java.util.Optional;
import ngd.core.algorithm.Moments;
import ngd.core.linalg.SymmetricMatrix;
import ngd.core.model.Glm;

/**
 * A site's score at the pooled estimate along the eigenvectors of its expected information, those
 * of eigenvalue zero left out: what it adds to a test of {@link Heterogeneity}.
 */
final class SiteScore {
  /** Eigenvalues below this share of the largest are zero. */
  private static final double RANK = 1e-10;

  private final Moments moments;
  private final Glm glm;
  private final double[] theta;
  private final SymmetricMatrix.Spectrum spectrum;

  /** The first eigenvalue, in ascending order, that is not zero. */
  private final int first;

  private SiteScore(
      Moments moments, Glm glm, double[] theta, SymmetricMatrix.Spectrum spectrum, int first) {
    this.moments = moments;
    this.glm = glm;
    this.theta = theta;
    this.spectrum = spectrum;
    this.first = first;
  }

  static SiteScore of(Moments moments, Glm glm, double[] theta) {
    int p = theta.length;
    SymmetricMatrix.Spectrum spectrum =
        SymmetricMatrix.spectrum(
            moments.squares(theta, (eta, y, offset, w) -> w * glm.information(eta)), p);
    double most = Math.max(spectrum.value(p - 1), Double.MIN_NORMAL);
    int first = 0;
    while (first < p && !(spectrum.value(first) > RANK * most)) {
      first++;
    }
    return new SiteScore(moments, glm, theta, spectrum, first);
  }

  /** How many coefficients, or combinations of them, the site's rows determine. */
  private int rank() {
    return theta.length - first;
  }

  /** Sᵀv for each eigenvector. */
  private double[] along() {
    double scale = moments.rows() / glm.factor();
    double[] score = moments.gradient(theta);
    double[] along = new double[rank()];
    for (int k = 0; k < along.length; k++) {
      for (int j = 0; j < theta.length; j++) {
        along[k] += spectrum.vector(first + k, j) * scale * score[j];
      }
    }
    return along;
  }

  private double tooFew() {
    double counted = moments.sums(theta, (eta, y, offset, w) -> w > 0 ? 1 : 0)[0];
    return counted > rank() ? 0 : 1;
  }

  /** SᵀI⁻S, the rank, and 1 if the site cannot take part. */
  double[] plain() {
    double[] along = along();
    double q = 0;
    for (int k = 0; k < along.length; k++) {
      q += along[k] * along[k] / spectrum.value(first + k);
    }
    return new double[] {q, rank(), tooFew()};
  }

  /** SᵀJ⁻S, the rank, 1 if the site cannot take part, IJ⁻S, and the lower triangle of IJ⁻I. */
  double[] robust() {
    int p = theta.length;
    int rank = rank();
    double[] along = along();
    double[] head = {0, rank, tooFew()};
    double[] b = new double[p];
    double[] a = new double[p * p];
    Optional<double[]> inverse = SymmetricMatrix.inverse(squaresAlong(), rank);
    if (inverse.isEmpty()) {
      head[2] = 1;
    } else {
      for (int k = 0; k < rank; k++) {
        for (int l = 0; l < rank; l++) {
          double weight = inverse.get()[k * rank + l];
          head[0] += along[k] * weight * along[l];
          for (int i = 0; i < p; i++) {
            double information = spectrum.value(first + k) * spectrum.vector(first + k, i);
            b[i] += information * weight * along[l];
            for (int j = 0; j < p; j++) {
              a[i * p + j] +=
                  information * weight * spectrum.value(first + l) * spectrum.vector(first + l, j);
            }
          }
        }
      }
    }
    return Pooled.joined(head, b, Pooled.triangle(a, p));
  }

  /** vᵀJw for every two eigenvectors. */
  private double[] squaresAlong() {
    int p = theta.length;
    int rank = rank();
    double[] rows = CoefficientCovariance.rowScores(moments, glm, theta);
    double[] squares = new double[rank * rank];
    for (int k = 0; k < rank; k++) {
      for (int l = 0; l < rank; l++) {
        for (int i = 0; i < p; i++) {
          for (int j = 0; j < p; j++) {
            squares[k * rank + l] +=
                spectrum.vector(first + k, i) * rows[i * p + j] * spectrum.vector(first + l, j);
          }
        }
      }
    }
    return squares;
  }
}
