package ngd.core.network;

import java.util.Arrays;
import java.util.Optional;

/**
 * The rows and columns of W that belong to one communicating class, renumbered from 0, or all of
 * them.
 */
final class ClassBlock {
  private final int[] offsets;
  private final int[] heard;
  private final double[] weights;

  ClassBlock(Network network, CommunicatingClasses classes, int c) {
    int[] members = classes.members(c);
    offsets = new int[members.length + 1];
    int links = 0;
    for (int m : members) {
      links += network.offsets()[m + 1] - network.offsets()[m];
    }
    int[] inside = new int[links];
    double[] shares = new double[links];
    int at = 0;
    for (int i = 0; i < members.length; i++) {
      for (int e = network.offsets()[members[i]]; e < network.offsets()[members[i] + 1]; e++) {
        int k = network.heard()[e];
        if (classes.classOf(k) == c) {
          inside[at] = members.length == network.clients() ? k : Arrays.binarySearch(members, k);
          shares[at++] = network.weights()[e];
        }
      }
      offsets[i + 1] = at;
    }
    heard = Arrays.copyOf(inside, at);
    weights = Arrays.copyOf(shares, at);
  }

  private ClassBlock(int[] offsets, int[] heard, double[] weights) {
    this.offsets = offsets;
    this.heard = heard;
    this.weights = weights;
  }

  /** W as a whole. */
  static ClassBlock whole(Network network) {
    return new ClassBlock(network.offsets(), network.heard(), network.weights());
  }

  /** The transpose, row by row: its products read where {@link #transposeTimes} scatters. */
  ClassBlock transposed() {
    int[] starts = new int[offsets.length];
    for (int k : heard) {
      starts[k + 1]++;
    }
    for (int k = 0; k < size(); k++) {
      starts[k + 1] += starts[k];
    }
    int[] next = Arrays.copyOf(starts, size());
    int[] hearing = new int[heard.length];
    double[] shares = new double[heard.length];
    for (int i = 0; i < size(); i++) {
      for (int e = offsets[i]; e < offsets[i + 1]; e++) {
        int at = next[heard[e]]++;
        hearing[at] = i;
        shares[at] = weights[e];
      }
    }
    return new ClassBlock(starts, hearing, shares);
  }

  /** Whether the rows are the same, to the last bit of their weights. */
  boolean hasRowsOf(ClassBlock other) {
    return Arrays.equals(offsets, other.offsets)
        && Arrays.equals(heard, other.heard)
        && Arrays.equals(weights, other.weights);
  }

  int size() {
    return offsets.length - 1;
  }

  int links() {
    return heard.length;
  }

  double[] dense() {
    double[] matrix = new double[Math.multiplyExact(size(), size())];
    for (int i = 0; i < size(); i++) {
      for (int e = offsets[i]; e < offsets[i + 1]; e++) {
        matrix[i * size() + heard[e]] = weights[e];
      }
    }
    return matrix;
  }

  /** W x within the class. */
  void times(double[] x, double[] product) {
    for (int i = 0; i < size(); i++) {
      double sum = 0;
      for (int e = offsets[i]; e < offsets[i + 1]; e++) {
        sum += weights[e] * x[heard[e]];
      }
      product[i] = sum;
    }
  }

  /** xᵀ W within the class. */
  void transposeTimes(double[] x, double[] product) {
    Arrays.fill(product, 0);
    for (int i = 0; i < size(); i++) {
      for (int e = offsets[i]; e < offsets[i + 1]; e++) {
        product[heard[e]] += weights[e] * x[i];
      }
    }
  }

  double selfWeight(int i) {
    return weight(i, i);
  }

  private double weight(int i, int k) {
    int e = Arrays.binarySearch(heard, offsets[i], offsets[i + 1], k);
    return e < 0 ? 0 : weights[e];
  }

  /**
   * The numbers {@code s} with {@code s_i w_ik = s_k w_ki} for all links (detailed balance),
   * largest 1; empty where there are none. They are followed along a breadth-first tree and then
   * checked on every link. The matrix {@code sqrt(w_ik w_ki)} is then similar to W and symmetric,
   * and for a closed class s is proportional to its stationary distribution.
   */
  Optional<double[]> balance() {
    double[] s = new double[size()];
    int[] queue = new int[size()];
    int tail = 0;
    s[0] = 1;
    queue[tail++] = 0;
    double largest = 1;
    for (int head = 0; head < tail; head++) {
      int i = queue[head];
      for (int e = offsets[i]; e < offsets[i + 1]; e++) {
        int k = heard[e];
        double back = weight(k, i);
        if (back == 0) {
          return Optional.empty();
        }
        double there = s[i] * weights[e] / back;
        if (s[k] == 0) {
          s[k] = there;
          largest = Math.max(largest, there);
          queue[tail++] = k;
        } else if (Math.abs(s[k] - there) > 1e-12 * there) {
          return Optional.empty();
        }
      }
    }
    for (int i = 0; i < s.length; i++) {
      s[i] /= largest;
      if (!(s[i] > Double.MIN_NORMAL)) {
        return Optional.empty();
      }
    }
    return Optional.of(s);
  }

  /** The symmetric matrix {@code sqrt(w_ik w_ki)} in full. */
  double[] denseSymmetric() {
    double[] matrix = new double[Math.multiplyExact(size(), size())];
    for (int i = 0; i < size(); i++) {
      for (int e = offsets[i]; e < offsets[i + 1]; e++) {
        matrix[i * size() + heard[e]] = Math.sqrt(weights[e] * weight(heard[e], i));
      }
    }
    return matrix;
  }
}
