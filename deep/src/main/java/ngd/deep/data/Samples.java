package ngd.deep.data;

import java.util.List;
import java.util.Optional;
import ngd.core.data.Cases;
import ngd.core.data.Labels;
import ngd.deep.model.Shape;

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

  /** What each class is called, in the order of the labels. */
  default List<String> classNames() {
    return Images.numbered(classes());
  }

  /** What each number of a flat sample is called; empty where nobody named them. */
  default List<String> features() {
    return List.of();
  }

  /** The column that names each sample's client, where a partition asked for one. */
  default Optional<Labels> clients() {
    return Optional.empty();
  }

  /** All that a partition looks at: labels are the responses. */
  default Cases cases() {
    return new Cases() {
      @Override
      public String source() {
        return Samples.this.source();
      }

      @Override
      public int rows() {
        return size();
      }

      @Override
      public double y(int row) {
        return label(row);
      }

      @Override
      public Optional<Labels> labels() {
        return clients();
      }
    };
  }
}
