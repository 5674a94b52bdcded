package ngd.core.preparation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The bins of a histogram that people look at: some of those in which quantiles are counted, put
 * together. So a histogram says nothing that was not counted already.
 */
final class CoarseBins {
  private final QuantileGrid grid;
  private final int first;
  private final int width;
  private final int bins;

  /** Of a column's pooled counts: by Sturges' rule, and at most twice as many. */
  CoarseBins(QuantileGrid grid, double[] counts) {
    this.grid = grid;
    int[] filled = IntStream.range(0, counts.length).filter(bin -> counts[bin] > 0).toArray();
    double n = 0;
    for (double count : counts) {
      n += count;
    }
    int from = filled.length == 0 ? 0 : filled[0];
    int to = filled.length == 0 ? 0 : filled[filled.length - 1];
    int enough = n < 1 ? 1 : 2 * (Math.getExponent(n) + 2);
    int together = 1;
    while (to / together - from / together + 1 > enough) {
      together *= 2;
    }
    width = together;
    first = from / together;
    bins = to / together - first + 1;
  }

  TablesFound.Histogram of(String column, Optional<String> group, double[] counts) {
    long[] coarse = new long[bins];
    for (int bin = 0; bin < counts.length; bin++) {
      if (counts[bin] > 0) {
        // What a site has moved to a bin beyond the others' is counted in the outermost.
        coarse[Math.clamp(bin / width - first, 0, bins - 1)] += (long) counts[bin];
      }
    }
    List<Double> edges = new ArrayList<>();
    for (int bin = 0; bin <= bins; bin++) {
      edges.add(grid.edge((first + bin) * width));
    }
    return new TablesFound.Histogram(column, group, edges, Arrays.stream(coarse).boxed().toList());
  }
}
