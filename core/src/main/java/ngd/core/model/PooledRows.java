package ngd.core.model;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import ngd.core.SideBySide;
import ngd.core.data.Shards;
import ngd.core.linalg.Dependency;
import ngd.core.linalg.QrAccumulator;

/** All clients' rows as one regression problem, visited in the order of the clients. */
record PooledRows(Loss loss, Shards shards, List<String> features) {
  /** The rows after which a part ends with its client: many times those of a block of factors. */
  private static final int PART_ROWS = 1 << 18;

  /** What is done with a row; the array is filled anew for each. */
  interface Visitor {
    void row(double[] x, double y, double offset, double weight);
  }

  /** What rows come to. */
  interface Gathering<T> extends Visitor {
    /** What rows after these come to as well. */
    void add(T next);
  }

  /** Makes a row of a regression from one of the data. */
  interface RowMaker {
    void make(double[] x, double y, double offset, double weight, double[] row);
  }

  /** The factor of rows that are made from those of the data. */
  static final class Factor implements Gathering<Factor> {
    private final QrAccumulator qr;
    private final double[] row;
    private final RowMaker maker;

    Factor(int columns, RowMaker maker) {
      qr = new QrAccumulator(columns);
      row = new double[columns];
      this.maker = maker;
    }

    @Override
    public void row(double[] x, double y, double offset, double weight) {
      maker.make(x, y, offset, weight, row);
      qr.add(row);
    }

    @Override
    public void add(Factor next) {
      qr.add(next.qr);
    }

    QrAccumulator qr() {
      return qr;
    }
  }

  /** The model, of rows that are independent terms of a likelihood. */
  Glm glm() {
    return (Glm) loss;
  }

  int parameters() {
    return shards.features();
  }

  void forEach(Visitor visitor) {
    forEach(0, shards.clients(), visitor);
  }

  private void forEach(int from, int to, Visitor visitor) {
    double[] row = new double[parameters()];
    for (int m = from; m < to; m++) {
      shards.forEach(
          m,
          (block, _) -> {
            for (int i = 0; i < block.rows(); i++) {
              block.row(i, row);
              visitor.row(row, block.y(i), block.offset(i), block.weight(i));
            }
          });
    }
  }

  /**
   * What all rows come to: parts side by side, each gathered by itself and then added in the order
   * of the clients, so that the bits follow from the rows and not from the processors.
   */
  <T extends Gathering<T>> T gathered(Supplier<T> nothing) {
    List<T> found =
        SideBySide.each(
            parts(),
            part -> {
              T own = nothing.get();
              forEach(part.from(), part.to(), own);
              return own;
            });
    T all = found.getFirst();
    found.stream().skip(1).forEach(all::add);
    return all;
  }

  /** The clients [from, to). */
  private record Part(int from, int to) {}

  private List<Part> parts() {
    List<Part> parts = new ArrayList<>();
    int from = 0;
    long rows = 0;
    for (int m = 0; m < shards.clients(); m++) {
      rows += shards.rows(m);
      if (rows >= PART_ROWS || m == shards.clients() - 1) {
        parts.add(new Part(from, m + 1));
        from = m + 1;
        rows = 0;
      }
    }
    return parts;
  }

  /** Ordinary least squares by a QR factorisation of the rows beside their responses. */
  GlobalEstimate leastSquares() {
    int p = parameters();
    RowMaker beside =
        (x, y, offset, weight, row) -> {
          double root = Math.sqrt(weight);
          for (int j = 0; j < p; j++) {
            row[j] = root * x[j];
          }
          row[p] = root * (y - offset);
        };
    QrAccumulator qr = gathered(() -> new Factor(p + 1, beside)).qr();
    requireIndependent(qr);
    return new GlobalEstimate(qr.leastSquares(), "least squares by QR", 1);
  }

  void requireIndependent() {
    int p = parameters();
    requireIndependent(
        gathered(() -> new Factor(p, (x, _, _, _, row) -> System.arraycopy(x, 0, row, 0, p))).qr());
  }

  private void requireIndependent(QrAccumulator qr) {
    int p = parameters();
    if (shards.totalRows() < p) {
      throw new NoEstimate(
          NoEstimate.Reason.TOO_FEW_ROWS,
          "the data: %d coefficients need at least as many rows; got %d"
              .formatted(p, shards.totalRows()));
    }
    List<Dependency> dependencies = qr.dependencies(p);
    if (!dependencies.isEmpty()) {
      throw new NoEstimate(
          NoEstimate.Reason.REDUNDANT_COLUMN,
          new Redundancy(dependencies.getFirst(), features).message());
    }
  }
}
