package ngd.core.linalg;

import java.util.Arrays;

/**
 * Links in an array of this process: client m hears on the links {@code offsets[m] .. offsets[m +
 * 1]}.
 */
public final class HostEdges implements Edges {
  private final Host host;
  private final int[] offsets;
  private final HostRows values;

  public HostEdges(Host host, int[] offsets, Rows values) {
    this.host = host;
    this.offsets = offsets;
    this.values = HostRows.in(values);
    if (offsets[offsets.length - 1] != values.rows()) {
      throw new IllegalArgumentException(
          "values: must have %d rows, one a link; got %d"
              .formatted(offsets[offsets.length - 1], values.rows()));
    }
  }

  @Override
  public HostRows values() {
    return values;
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
  public HostEdges own(Rows x) {
    HostRows in = HostRows.in(x);
    HostRows out = host.block(values.rows(), in.width());
    int stride = in.stride();
    for (int m = 0; m < offsets.length - 1; m++) {
      for (int e = offsets[m]; e < offsets[m + 1]; e++) {
        System.arraycopy(in.values(), m * stride, out.values(), e * stride, stride);
      }
    }
    return with(out);
  }

  @Override
  public HostRows sum() {
    HostRows out = host.zeros(offsets.length - 1, values.width());
    int[] all = new int[values.rows()];
    double[] ones = new double[values.rows()];
    Arrays.setAll(all, e -> e);
    Arrays.fill(ones, 1);
    host.kernels()
        .mix(
            offsets, all, ones, values.values(), out.values(), out.stride(), 0, offsets.length - 1);
    return out;
  }
}
