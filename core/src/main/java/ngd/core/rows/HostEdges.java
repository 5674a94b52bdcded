package ngd.core.rows;

import org.jspecify.annotations.Nullable;

/**
 * Links in an array of this process: client m hears on the links {@code offsets[m] .. offsets[m +
 * 1]}.
 *
 * <p>What was heard is copied link by link only when someone looks at it: its sums can be had from
 * the clients' own rows.
 */
public final class HostEdges implements Edges {
  private final Host host;
  private final int[] offsets;

  /** The rows that {@link #heard} points into; null where the links have values of their own. */
  private final @Nullable HostRows source;

  private final int @Nullable [] heard;
  private @Nullable HostRows values;

  public HostEdges(Host host, int[] offsets, Rows values) {
    this.host = host;
    this.offsets = offsets;
    this.values = HostRows.in(values);
    source = null;
    heard = null;
    if (offsets[offsets.length - 1] != values.rows()) {
      throw new IllegalArgumentException(
          "values: must have %d rows, one per link; got %d"
              .formatted(offsets[offsets.length - 1], values.rows()));
    }
  }

  private HostEdges(Host host, int[] offsets, int[] heard, HostRows source) {
    this.host = host;
    this.offsets = offsets;
    this.heard = heard;
    this.source = source;
  }

  /** The links of which link e has row {@code heard[e]} of x. */
  public static HostEdges hearing(Host host, int[] offsets, int[] heard, HostRows x) {
    return new HostEdges(host, offsets, heard, x);
  }

  @Override
  public HostRows values() {
    HostRows known = values;
    if (known == null) {
      if (source == null || heard == null) {
        throw new IllegalStateException("links have values or a source");
      }
      known = source.taken(heard);
      values = known;
    }
    return known;
  }

  @Override
  public int first(int client) {
    return offsets[client];
  }

  @Override
  public HostEdges with(Rows others) {
    return new HostEdges(host, offsets, others);
  }

  @Override
  public HostEdges leading(int width) {
    HostRows rows = rows();
    HostRows some = rows.segment(new int[rows.rows()], width);
    return source == null || heard == null
        ? new HostEdges(host, offsets, some)
        : hearing(host, offsets, heard, some);
  }

  @Override
  public double[] column(int column) {
    double[] numbers = host.numbers(offsets[offsets.length - 1]);
    int[] sources = source == null ? null : heard;
    double[] from = rows().values();
    int stride = rows().stride();
    for (int e = 0; e < numbers.length; e++) {
      numbers[e] = from[(sources == null ? e : sources[e]) * stride + column];
    }
    return numbers;
  }

  @Override
  public double[] ends(Rows own, int column) {
    HostRows here = HostRows.in(own);
    double[] mine = here.values();
    int apart = here.stride();
    double[] numbers = host.numbers(offsets[offsets.length - 1]);
    int[] places = places();
    double[] from = rows().values();
    int stride = rows().stride();
    for (int m = 0; m < offsets.length - 1; m++) {
      int end = offsets[m + 1];
      for (int e = offsets[m]; e < end; e++) {
        numbers[e] = mine[m * apart] + from[places[e] * stride + column];
      }
    }
    return numbers;
  }

  @Override
  public HostRows sum() {
    HostRows rows = rows();
    int[] sources = source == null ? null : heard;
    return each(
        (out, first, end) -> {
          if (sources == null) {
            host.kernels().sums(offsets, rows.values(), out, rows.stride(), first, end);
          } else {
            host.kernels().sumsOf(offsets, sources, rows.values(), out, rows.stride(), first, end);
          }
        });
  }

  @Override
  public HostRows sum(double[] weights) {
    if (weights.length != offsets[offsets.length - 1]) {
      throw new IllegalArgumentException(
          "weights: must have %d entries, one per link; got %d"
              .formatted(offsets[offsets.length - 1], weights.length));
    }
    HostRows rows = rows();
    int[] places = places();
    return each(
        (out, first, end) ->
            host.kernels()
                .mix(offsets, places, weights, rows.values(), out, rows.stride(), first, end));
  }

  @Override
  public HostRows fromMean(Rows own) {
    HostRows rows = rows();
    HostRows here = checked(own);
    int[] places = places();
    return each(
        (out, first, end) ->
            host.kernels()
                .fromMeans(
                    offsets, places, rows.values(), here.values(), out, rows.stride(), first, end));
  }

  @Override
  public HostRows apart(Rows own) {
    HostRows rows = rows();
    HostRows here = checked(own);
    int[] places = places();
    return each(
        (out, first, end) ->
            host.kernels()
                .apart(
                    offsets, places, rows.values(), here.values(), out, rows.stride(), first, end));
  }

  @Override
  public double[] distances(Rows own) {
    HostRows rows = rows();
    HostRows here = checked(own);
    int[] places = places();
    double[] squares = host.numbers(places.length);
    host.workers()
        .run(
            offsets.length - 1,
            (long) places.length * rows.stride(),
            (first, end) ->
                host.kernels()
                    .distances(
                        offsets,
                        places,
                        rows.values(),
                        here.values(),
                        squares,
                        rows.stride(),
                        first,
                        end));
    return squares;
  }

  /** The rows that the links point into, by {@link #places}. */
  private HostRows rows() {
    return source == null ? values() : source;
  }

  private int[] places() {
    int[] known = heard;
    if (source == null || known == null) {
      known = new int[offsets[offsets.length - 1]];
      for (int e = 0; e < known.length; e++) {
        known[e] = e;
      }
    }
    return known;
  }

  private HostRows checked(Rows own) {
    HostRows here = HostRows.in(own);
    int clients = offsets.length - 1;
    if (here.rows() != clients || here.width() != rows().width()) {
      throw new IllegalArgumentException(
          "own: must be %d x %d, a row for each client that hears; got %d x %d"
              .formatted(clients, rows().width(), here.rows(), here.width()));
    }
    return here;
  }

  /** Writes the rows of the clients [first, end). */
  private interface Writer {
    void write(double[] out, int first, int end);
  }

  private HostRows each(Writer writer) {
    int clients = offsets.length - 1;
    HostRows rows = rows();
    HostRows out = host.block(clients, rows.width());
    host.workers()
        .run(
            clients,
            (long) offsets[clients] * rows.stride(),
            (first, end) -> writer.write(out.values(), first, end));
    return out;
  }
}
