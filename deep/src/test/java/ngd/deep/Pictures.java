package ngd.deep;

import java.util.Arrays;
import ngd.core.random.Streams;
import ngd.deep.data.Samples;
import ngd.deep.device.Device;
import ngd.deep.model.Net;
import ngd.deep.model.Shape;
import org.apache.commons.rng.UniformRandomProvider;

/** Small images made by the tests: a bright bar whose place is the class, and noise. */
final class Pictures implements Samples {
  private final Shape shape;
  private final int classes;
  private final int size;
  private final long seed;

  Pictures(Shape shape, int classes, int size, long seed) {
    this.shape = shape;
    this.classes = classes;
    this.size = size;
    this.seed = seed;
  }

  @Override
  public String source() {
    return "pictures";
  }

  @Override
  public Shape shape() {
    return shape;
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public int classes() {
    return classes;
  }

  @Override
  public int label(int sample) {
    return sample % classes;
  }

  @Override
  public void copy(int sample, float[] to, int at) {
    UniformRandomProvider draw = Streams.of(seed).stream(Streams.Purpose.DATA, sample);
    int row = (label(sample) + 1) * shape.height() / (classes + 1);
    for (int i = 0; i < shape.size(); i++) {
      int y = i / shape.width() % shape.height();
      to[at + i] = (float) (draw.nextDouble() + (y == row ? 1.5 : 0));
    }
  }

  @Override
  public String hash() {
    return "pictures:" + seed;
  }

  /** Samples of clients of these sizes, as they are, on a device. */
  static ClientData clients(Samples samples, Device device, int... sizes) {
    int[] offsets = new int[sizes.length + 1];
    for (int m = 0; m < sizes.length; m++) {
      offsets[m + 1] = offsets[m] + sizes[m];
    }
    int n = offsets[sizes.length];
    float[] x = new float[n * samples.shape().size()];
    long[] y = new long[n];
    for (int i = 0; i < n; i++) {
      samples.copy(i, x, i * samples.shape().size());
      y[i] = samples.label(i);
    }
    return new ClientData(device, samples.shape(), offsets, x, y);
  }

  /** Rows of θ, each from another seed, with shifts that are not zero. */
  static double[][] theta(Net net, int clients) {
    double[][] rows = new double[clients][];
    Arrays.setAll(
        rows,
        m -> {
          double[] row = net.start(Streams.of(m + 1L));
          UniformRandomProvider draw = Streams.of(m).stream(Streams.Purpose.ALGORITHM);
          for (int j = 0; j < row.length; j++) {
            row[j] += 0.1 * (draw.nextDouble() - 0.5);
          }
          return row;
        });
    return rows;
  }
}
