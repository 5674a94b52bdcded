package ngd.peer;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import ngd.core.algorithm.Exchange;
import ngd.core.rows.Edges;
import ngd.core.rows.Rows;
import ngd.peer.wire.proto.Agreed;

/**
 * Sums and maxima outside of rounds, each computed once: after a crash the results come from the
 * snapshot, in the order in which they were asked for.
 */
final class AgreedExchange implements Exchange {
  private final Exchange exchange;
  private final List<List<Double>> results = new ArrayList<>();
  private int asked;

  AgreedExchange(Exchange exchange, List<Agreed> before) {
    this.exchange = exchange;
    for (Agreed one : before) {
      results.add(one.getValuesList());
    }
  }

  List<List<Double>> results() {
    return results;
  }

  @Override
  public double[] total(double[]... perRow) {
    if (asked == results.size()) {
      results.add(Arrays.stream(exchange.total(perRow)).boxed().toList());
    }
    return results.get(asked++).stream().mapToDouble(Double::doubleValue).toArray();
  }

  @Override
  public double max(double... perRow) {
    if (asked == results.size()) {
      results.add(List.of(exchange.max(perRow)));
    }
    return results.get(asked++).getFirst();
  }

  @Override
  public Rows mix(Rows x) {
    throw outside("mix");
  }

  @Override
  public Rows push(Rows x) {
    throw outside("push");
  }

  @Override
  public Edges hear(Rows x) {
    throw outside("hear");
  }

  @Override
  public Edges reply(Edges x) {
    throw outside("reply");
  }

  private static IllegalStateException outside(String what) {
    return new IllegalStateException(
        "%s: belongs into a round of an algorithm; a program may use total and max"
            .formatted(what));
  }
}
