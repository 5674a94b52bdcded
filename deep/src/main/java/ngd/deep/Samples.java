package ngd.deep;

import java.util.Arrays;
import java.util.List;
import ngd.core.data.Table;

/** Labelled samples of one shape: what is learned from, or what is tested with. */
public interface Samples {
  /** Where they came from, for people. */
  String source();

  Shape shape();

  int size();

  int classes();

  /** In [0, classes). */
  int label(int sample);

  /** Writes the numbers of a sample, channel after channel, row after row. */
  void copy(int sample, float[] to, int at);

  /** A fingerprint of numbers and labels. */
  String hash();

  /** The labels as the responses of a table: partitions look at nothing else. */
  default Table responses() {
    double[] y = new double[size()];
    Arrays.setAll(y, this::label);
    double[] ones = new double[size()];
    Arrays.fill(ones, 1);
    return Table.of("label", y, List.of(Table.INTERCEPT), new double[][] {ones});
  }
}
