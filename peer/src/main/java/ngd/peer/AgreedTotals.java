package ngd.peer;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import ngd.core.algorithm.NotFinite;
import ngd.core.algorithm.Totals;
import ngd.core.file.Sha256;
import ngd.peer.wire.proto.Agreed;

/**
 * Sums and maxima outside of rounds, each computed once: after a crash the results come from the
 * snapshot, in the order in which they were asked for.
 */
final class AgreedTotals implements Totals {
  private final Totals totals;
  private final List<List<Double>> results = new ArrayList<>();
  private final Runnable keep;
  private int asked;

  /**
   * @param keep puts the results on disk; is asked to after each that was not there
   */
  AgreedTotals(Totals totals, List<Agreed> before, Runnable keep) {
    this.totals = totals;
    this.keep = keep;
    for (Agreed one : before) {
      results.add(one.getValuesList());
    }
  }

  List<List<Double>> results() {
    return results;
  }

  @Override
  public double[] total(double[]... perRow) {
    return Totals.finite(agreed(() -> totals.total(perRow)));
  }

  @Override
  public double max(double... perRow) {
    return Totals.largest(agreed(() -> new double[] {totals.max(perRow)}));
  }

  /**
   * The clients that agreed on other sums so far.
   *
   * @param ask says the digest of this client's sums, and gives those whose is another
   */
  List<Integer> dissenting(Function<byte[], List<Integer>> ask) {
    Sha256 digest = new Sha256();
    for (List<Double> result : results.subList(0, asked)) {
      double[] values = result.stream().mapToDouble(Double::doubleValue).toArray();
      digest.add(values.length).add(values, 0, values.length);
    }
    double[] others =
        agreed(() -> ask.apply(digest.bytes()).stream().mapToDouble(m -> m).toArray());
    return Arrays.stream(others).mapToObj(m -> (int) m).toList();
  }

  /** What was agreed; that it was not finite is agreed too. */
  private double[] agreed(Supplier<double[]> call) {
    if (asked == results.size()) {
      results.add(Arrays.stream(outcome(call)).boxed().toList());
      keep.run();
    }
    return results.get(asked++).stream().mapToDouble(Double::doubleValue).toArray();
  }

  private static double[] outcome(Supplier<double[]> call) {
    try {
      return call.get();
    } catch (NotFinite alike) {
      return new double[] {Double.NaN};
    }
  }
}
