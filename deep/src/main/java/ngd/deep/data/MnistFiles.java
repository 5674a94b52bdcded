package ngd.deep.data;

import java.nio.file.Path;
import ngd.deep.model.Shape;

/** MNIST in its original IDX files, {@code train-images-idx3-ubyte} and so on, gzipped or not. */
final class MnistFiles {
  private static final int IMAGES = 0x00000803;
  private static final int LABELS = 0x00000801;
  private static final int CLASSES = 10;
  private static final int MOST = 10_000_000;

  private MnistFiles() {}

  static DataSet read(Path folder) {
    return new DataSet(part(folder, "train"), part(folder, "t10k"));
  }

  private static Images part(Path folder, String part) {
    byte[] labels;
    try (SampleFile file = SampleFile.in(folder, part + "-labels-idx1-ubyte")) {
      magic(file, LABELS, "labels");
      labels = file.next(count(file), "labels");
      file.requireEnd("%d labels".formatted(labels.length));
      for (int i = 0; i < labels.length; i++) {
        if ((labels[i] & 0xff) >= CLASSES) {
          throw file.wrong(
              labels.length - i, "a label from 0 to %d".formatted(CLASSES - 1), labels[i] & 0xff);
        }
      }
    }
    try (SampleFile file = SampleFile.in(folder, part + "-images-idx3-ubyte")) {
      magic(file, IMAGES, "images");
      int count = count(file);
      if (count != labels.length) {
        throw file.wrong(4, "%d images, one per label".formatted(labels.length), count);
      }
      int height = side(file, "rows");
      int width = side(file, "columns");
      byte[] pixels =
          file.next(Math.multiplyExact(count, Math.multiplyExact(height, width)), "pixels");
      file.requireEnd("%d images".formatted(count));
      return new Images(
          file.file().toString(),
          Shape.image(1, height, width),
          Images.numbered(CLASSES),
          pixels,
          labels);
    }
  }

  private static void magic(SampleFile file, int expected, String what) {
    int found = file.nextInt("magic number");
    if (found != expected) {
      throw file.wrong(
          4,
          "the magic number 0x%08x of IDX %s".formatted(expected, what),
          "0x%08x".formatted(found));
    }
  }

  private static int count(SampleFile file) {
    int count = file.nextInt("count");
    if (count < 1 || count > MOST) {
      throw file.wrong(4, "a count from 1 to %d".formatted(MOST), count);
    }
    return count;
  }

  private static int side(SampleFile file, String what) {
    int side = file.nextInt(what);
    if (side < 1 || side > 4096) {
      throw file.wrong(4, "1 to 4096 " + what, side);
    }
    return side;
  }
}
