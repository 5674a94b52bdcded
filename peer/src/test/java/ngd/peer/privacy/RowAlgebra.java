package ngd.peer.privacy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** What can be computed from sums over rows: linear algebra over the rows one by one. */
public final class RowAlgebra {
  private RowAlgebra() {}

  /** How many rows, or pairs of rows, these sums say something of that no other row is in. */
  public static int singledOut(List<double[]> equations) {
    List<double[]> basis = basis(equations);
    int rows = equations.isEmpty() ? 0 : equations.getFirst().length;
    int found = 0;
    for (int i = 0; i < rows; i++) {
      for (int j = i; j < rows; j++) {
        found += rank(basis, i, j) < basis.size() ? 1 : 0;
      }
    }
    return found;
  }

  /** Reduces equations to independent ones, the columns left out last; gives their number. */
  private static int rank(List<double[]> equations, int without, int also) {
    List<double[]> left = new ArrayList<>();
    equations.forEach(vector -> left.add(vector.clone()));
    int rank = 0;
    for (int column = 0; column < equations.getFirst().length; column++) {
      if (column == without || column == also) {
        continue;
      }
      int pivot = -1;
      for (int i = rank; i < left.size(); i++) {
        if (Math.abs(left.get(i)[column]) > 1e-9
            && (pivot < 0 || Math.abs(left.get(i)[column]) > Math.abs(left.get(pivot)[column]))) {
          pivot = i;
        }
      }
      if (pivot < 0) {
        continue;
      }
      Collections.swap(left, rank, pivot);
      double[] chosen = left.get(rank);
      for (int i = rank + 1; i < left.size(); i++) {
        double times = left.get(i)[column] / chosen[column];
        for (int k = 0; k < chosen.length; k++) {
          left.get(i)[k] -= times * chosen[k];
        }
      }
      rank++;
    }
    return rank;
  }

  /** Independent equations among these. */
  private static List<double[]> basis(List<double[]> equations) {
    List<double[]> basis = new ArrayList<>();
    for (double[] vector : equations) {
      basis.add(vector);
      if (rank(basis, -1, -1) < basis.size()) {
        basis.removeLast();
      }
    }
    return basis;
  }
}
