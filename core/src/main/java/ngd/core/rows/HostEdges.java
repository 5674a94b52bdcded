package ngd.core.rows;

import java.util.stream.IntStream;
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
  public HostRows fromMean(Rows own) {
    HostRows from = source == null ? values() : source;
    HostRows here = HostRows.in(own);
    int rows = offsets.length - 1;
    if (here.rows() != rows || here.width() != from.width()) {
      throw new IllegalArgumentException(
          "own: must be %d x %d, a row for each client that hears; got %d x %d"
              .formatted(rows, from.width(), here.rows(), here.width()));
    }
    int[] places = heard == null ? IntStream.range(0, offsets[rows]).toArray() : heard;
    HostRows out = host.block(rows, from.width());
    host.workers()
        .run(
            rows,
            (long) offsets[rows] * from.stride(),
            (first, end) ->
                host.kernels()
                    .fromMeans(
                        offsets,
                        places,
                        from.values(),
                        here.values(),
                        out.values(),
                        from.stride(),
                        first,
                        end));
    return out;
  }

  @Override
  public HostRows sum() {
    int rows = offsets.length - 1;
    HostRows from = source == null ? values() : source;
    HostRows out = host.block(rows, from.width());
    long work = (long) offsets[rows] * from.stride();
    int[] sources = heard;
    if (source == null || sources == null) {
      host.workers()
          .run(
              rows,
              work,
              (first, end) ->
                  host.kernels()
                      .sums(offsets, from.values(), out.values(), from.stride(), first, end));
    } else {
      host.workers()
          .run(
              rows,
              work,
              (first, end) ->
                  host.kernels()
                      .sumsOf(
                          offsets,
                          sources,
                          from.values(),
                          out.values(),
                          from.stride(),
                          first,
                          end));
    }
    return out;
  }
}
