package ngd.core.model;

import java.util.List;
import ngd.core.data.Shards;
import ngd.core.linalg.Dependency;
import ngd.core.linalg.QrAccumulator;

/** All clients' rows as one regression problem, visited in the order of the clients. */
record PooledRows(Loss loss, Shards shards, List<String> features) {

  /** What is done with a row; the array is filled anew for each. */
  interface Visitor {
    void row(double[] x, double y, double offset, double weight);
  }

  /** The model, of rows that are independent terms of a likelihood. */
  Glm glm() {
    return (Glm) loss;
  }

  int parameters() {
    return shards.features();
  }

  void forEach(Visitor visitor) {
    int p = parameters();
    double[] row = new double[p];
    for (int m = 0; m < shards.clients(); m++) {
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

  /** Ordinary least squares by a QR factorisation of the rows beside their responses. */
  GlobalEstimate leastSquares() {
    int p = parameters();
    QrAccumulator qr = new QrAccumulator(p + 1);
    double[] extended = new double[p + 1];
    forEach(
        (x, y, offset, weight) -> {
          double root = Math.sqrt(weight);
          for (int j = 0; j < p; j++) {
            extended[j] = root * x[j];
          }
          extended[p] = root * (y - offset);
          qr.add(extended);
        });
    requireIndependent(qr);
    return new GlobalEstimate(qr.leastSquares(), "least squares by QR", 1);
  }

  void requireIndependent() {
    QrAccumulator qr = new QrAccumulator(parameters());
    forEach((x, y, offset, weight) -> qr.add(x));
    requireIndependent(qr);
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
