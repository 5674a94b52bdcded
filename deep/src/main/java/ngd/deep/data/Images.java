package ngd.deep.data;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;
import ngd.deep.model.Shape;

/** Labelled images of one byte a pixel and channel; a sample's numbers lie in [0, 1]. */
public final class Images implements Samples {
  private final String source;
  private final Shape shape;
  private final List<String> classes;
  private final byte[] pixels;
  private final byte[] labels;

  /** Pixels image after image, channel after channel; both arrays are shared. */
  Images(String source, Shape shape, List<String> classes, byte[] pixels, byte[] labels) {
    this.source = source;
    this.shape = shape;
    this.classes = List.copyOf(classes);
    this.pixels = pixels;
    this.labels = labels;
    if (pixels.length != (long) labels.length * shape.size()) {
      throw new IllegalArgumentException(
          "images: %d labels of %s need %d bytes; got %d"
              .formatted(labels.length, shape, (long) labels.length * shape.size(), pixels.length));
    }
  }

  /** Classes that have numbers for names. */
  static List<String> numbered(int classes) {
    return IntStream.range(0, classes).mapToObj(Integer::toString).toList();
  }

  @Override
  public String source() {
    return source;
  }

  @Override
  public Shape shape() {
    return shape;
  }

  @Override
  public int size() {
    return labels.length;
  }

  @Override
  public int classes() {
    return classes.size();
  }

  @Override
  public List<String> classNames() {
    return classes;
  }

  @Override
  public int label(int sample) {
    return labels[sample] & 0xff;
  }

  @Override
  public void copy(int sample, float[] to, int at) {
    int size = shape.size();
    int from = sample * size;
    for (int i = 0; i < size; i++) {
      to[at + i] = (pixels[from + i] & 0xff) / 255f;
    }
  }

  @Override
  public String hash() {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(pixels);
      digest.update(labels);
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
