package ngd.deep.data;

import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import ngd.deep.model.Shape;

/**
 * CIFAR-10, the binary version: {@code data_batch_1.bin} to 5 and {@code test_batch.bin}, gzipped
 * or not; a record is a label and 1,024 bytes each of red, green and blue.
 */
final class CifarFiles {
  private static final Shape SHAPE = Shape.image(3, 32, 32);
  private static final int CLASSES = 10;
  private static final int BATCH = 10_000;

  private CifarFiles() {}

  static DataSet read(Path folder) {
    List<String> names =
        IntStream.rangeClosed(1, 5).mapToObj("data_batch_%d.bin"::formatted).toList();
    return new DataSet(part(folder, names), part(folder, List.of("test_batch.bin")));
  }

  private static Images part(Path folder, List<String> names) {
    ByteArrayOutputStream pixels = new ByteArrayOutputStream();
    ByteArrayOutputStream labels = new ByteArrayOutputStream();
    for (String name : names) {
      try (SampleFile file = SampleFile.in(folder, name)) {
        for (int i = 0; i < BATCH; i++) {
          byte label = file.next(1, "a label")[0];
          if ((label & 0xff) >= CLASSES) {
            throw file.wrong(1, "a label from 0 to %d".formatted(CLASSES - 1), label & 0xff);
          }
          labels.write(label);
          pixels.writeBytes(file.next(SHAPE.size(), "pixels"));
        }
        file.requireEnd("%d records".formatted(BATCH));
      }
    }
    return new Images(
        "%s (%s)".formatted(folder, String.join(", ", names)),
        SHAPE,
        Images.numbered(CLASSES),
        pixels.toByteArray(),
        labels.toByteArray());
  }
}
