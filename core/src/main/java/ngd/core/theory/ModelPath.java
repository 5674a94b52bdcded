package ngd.core.theory;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import ngd.core.linalg.Arithmetic;
import ngd.core.network.Network;

/**
 * The models of all sites round by round for one choice of the sites' moments, each with its
 * derivatives by all sites' moments: exact tangents carried along the rounds.
 */
final class ModelPath {
  private final Conversation said;
  private final Arithmetic arithmetic;
  private final double[] moments;
  private final double[][] weights;
  private final double minusOne;
  private final int numbers;

  /** By round, site and coefficient. */
  private final List<double[][][]> tangents = new ArrayList<>();

  /** The largest coefficient after each round. */
  private final List<Double> largest = new ArrayList<>(List.of(0.0));

  private double[][] theta;

  /**
   * A path from zero.
   *
   * @param moments all sites' α c A and α c b at the first step size
   */
  ModelPath(Conversation said, Arithmetic arithmetic, double[] moments) {
    this.said = said;
    this.arithmetic = arithmetic;
    this.moments = moments.clone();
    minusOne = arithmetic.of(-1);
    numbers = moments.length;
    weights = weights(said.network(), arithmetic, minusOne);
    theta = new double[said.sites()][said.coefficients()];
    tangents.add(new double[said.sites()][said.coefficients()][numbers]);
  }

  /** W by its entries, each row's last one what the others leave of 1. */
  private static double[][] weights(Network network, Arithmetic arithmetic, double minusOne) {
    double[][] weights = new double[network.clients()][];
    for (int m = 0; m < weights.length; m++) {
      int from = network.offsets()[m];
      int count = network.offsets()[m + 1] - from;
      weights[m] = new double[count];
      double left = arithmetic.of(1);
      for (int e = 0; e < count - 1; e++) {
        weights[m][e] = arithmetic.of(network.weights()[from + e]);
        left = arithmetic.plus(left, arithmetic.times(minusOne, weights[m][e]));
      }
      if (count > 0) {
        weights[m][count - 1] = left;
      }
    }
    return weights;
  }

  /** The derivatives of a site's coefficient after some rounds, by all sites' numbers. */
  synchronized double[] tangent(int round, int site, int i) {
    while (tangents.size() <= round) {
      advance();
    }
    return tangents.get(round)[site][i];
  }

  /** The largest coefficient after rounds that were asked for before. */
  synchronized double largest(int round) {
    return largest.get(round);
  }

  double moment(int k) {
    return moments[k];
  }

  private void advance() {
    int p = said.coefficients();
    int round = tangents.size() - 1;
    double relative = said.steps().constant() ? 1 : said.steps().at(round) / said.steps().at(0);
    double step = arithmetic.of(relative);
    double back = arithmetic.times(minusOne, step);
    double[][] next = new double[said.sites()][p];
    double[][][] moved = new double[said.sites()][p][numbers];
    double[][][] now = tangents.getLast();
    for (int m = 0; m < said.sites(); m++) {
      double[][] slope = moved[m];
      mix(m, now, next[m], slope);
      double[] x = said.atOwnPoint() ? theta[m].clone() : next[m].clone();
      double[][] through = new double[p][];
      for (int j = 0; j < p; j++) {
        through[j] = said.atOwnPoint() ? now[m][j] : slope[j].clone();
      }
      for (int i = 0; i < p; i++) {
        for (int j = 0; j < p; j++) {
          int at = said.at(m, i, j);
          double g = arithmetic.times(back, moments[at]);
          next[m][i] = arithmetic.plus(next[m][i], arithmetic.times(g, x[j]));
          arithmetic.addTimes(slope[i], g, through[j]);
          slope[i][at] = arithmetic.plus(slope[i][at], arithmetic.times(back, x[j]));
        }
        int at = said.at(m, i);
        next[m][i] = arithmetic.plus(next[m][i], arithmetic.times(step, moments[at]));
        slope[i][at] = arithmetic.plus(slope[i][at], step);
      }
    }
    theta = next;
    tangents.add(moved);
    largest.add(
        Arrays.stream(theta).flatMapToDouble(Arrays::stream).map(Math::abs).max().orElse(0));
  }

  private void mix(int site, double[][][] now, double[] mixed, double[][] slope) {
    Network network = said.network();
    for (int e = 0; e < weights[site].length; e++) {
      int other = network.heard()[network.offsets()[site] + e];
      double w = weights[site][e];
      for (int i = 0; i < mixed.length; i++) {
        mixed[i] = arithmetic.plus(mixed[i], arithmetic.times(w, theta[other][i]));
        arithmetic.addTimes(slope[i], w, now[other][i]);
      }
    }
  }
}
