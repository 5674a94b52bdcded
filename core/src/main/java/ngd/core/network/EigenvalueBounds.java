package ngd.core.network;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import ngd.core.linalg.DenseSpectrum;
import ngd.core.linalg.Eigenvalues;
import ngd.core.linalg.Lanczos;

/**
 * The eigenvalues of W that decide how large a step may be: all but the 1 of each closed class, or
 * fewer that bound them.
 */
public final class EigenvalueBounds {
  /** Eigenvalues within this of the real axis are real. */
  private static final double ROUNDING = 1e-12;

  /** Points of a circle that stand for the eigenvalues inside it. */
  private static final int POINTS = 64;

  private EigenvalueBounds() {}

  /**
   * The smallest alone where all are real, for then it decides; every one where W is circulant or
   * of moderate size; else points on the circle through the largest modulus, or on the unit circle
   * where that was not found either.
   */
  public static Eigenvalues of(Network network) {
    Optional<Circulant> circulant = Circulant.of(network);
    if (circulant.isPresent()) {
      List<Eigenvalues.Value> all = circulant.get().eigenvalues();
      return bounds(all.subList(1, all.size()));
    }
    CommunicatingClasses classes = CommunicatingClasses.of(network);
    List<Eigenvalues.Value> values = new ArrayList<>();
    boolean real = true;
    for (int c = 0; c < classes.count(); c++) {
      Eigenvalues own = of(new ClassBlock(network, classes, c), classes.closed(c));
      real &= own.real();
      values.addAll(own.values());
    }
    return real ? bounds(values) : new Eigenvalues(false, values);
  }

  /** Those of one class: W is block triangular, so all of them together are those of W. */
  private static Eigenvalues of(ClassBlock block, boolean closed) {
    if (block.size() == 1) {
      return closed ? new Eigenvalues(true, List.of()) : real(block.selfWeight(0));
    }
    return block
        .balance()
        .map(scales -> real(smallest(block, scales)))
        .orElseGet(() -> general(block, closed));
  }

  /** By all eigenvalues, or a bound of it by Lanczos and by Gershgorin's circles. */
  private static double smallest(ClassBlock block, double[] scales) {
    int size = block.size();
    if (size <= Spectrum.DENSE_FIRST) {
      Optional<double[]> all = DenseSpectrum.symmetricEigenvalues(block.denseSymmetric(), size);
      if (all.isPresent()) {
        return all.get()[0];
      }
    }
    Lanczos.Value found = Spectrum.reversibleEnds(block, scales, false).smallest();
    double least = Double.POSITIVE_INFINITY;
    for (int i = 0; i < size; i++) {
      least = Math.min(least, block.selfWeight(i));
    }
    return Math.max(found.value() - found.error(), 2 * least - 1);
  }

  private static Eigenvalues general(ClassBlock block, boolean closed) {
    int size = block.size();
    if (size <= Spectrum.DENSE_FIRST) {
      Optional<double[][]> all = DenseSpectrum.eigenvalues(block.dense(), size);
      if (all.isPresent()) {
        List<Eigenvalues.Value> values = new ArrayList<>();
        int one = closed ? Spectrum.nearestOne(all.get()) : -1;
        for (int i = 0; i < size; i++) {
          if (i != one) {
            values.add(new Eigenvalues.Value(all.get()[i][0], all.get()[i][1]));
          }
        }
        return new Eigenvalues(false, values);
      }
    }
    double radius = Math.min(1, Spectrum.modulusAtMost(block, closed));
    List<Eigenvalues.Value> circle = new ArrayList<>();
    for (int i = 0; i < POINTS; i++) {
      double angle = Math.PI * i / (POINTS - 1);
      circle.add(new Eigenvalues.Value(radius * Math.cos(angle), radius * Math.sin(angle)));
    }
    return new Eigenvalues(false, circle);
  }

  private static Eigenvalues real(double value) {
    return new Eigenvalues(true, List.of(new Eigenvalues.Value(value, 0)));
  }

  private static Eigenvalues bounds(List<Eigenvalues.Value> all) {
    boolean real = all.stream().allMatch(value -> Math.abs(value.imaginary()) <= ROUNDING);
    Eigenvalues some = new Eigenvalues(real, all);
    return real && !all.isEmpty() ? real(some.smallest()) : some;
  }
}
