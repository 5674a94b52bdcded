package ngd.deep.data;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import ngd.core.InvalidInput;
import ngd.deep.model.Shape;
import org.jspecify.annotations.Nullable;

/**
 * PNG and JPEG files by class: {@code train/CLASS/*} and {@code test/CLASS/*}, classes numbered in
 * the order of their names. All have the size of the first; grey where all are grey.
 */
final class ImageFolder {
  private static final int MOST_CLASSES = 256;

  private ImageFolder() {}

  static DataSet read(Path folder) {
    List<String> classes = classes(folder.resolve("train"));
    List<String> tested = classes(folder.resolve("test"));
    if (!classes.containsAll(tested)) {
      throw new InvalidInput(
          "%s: its classes must be among those of train, %s; got %s"
              .formatted(folder.resolve("test"), classes, tested));
    }
    boolean colour =
        Stream.of("train", "test")
            .flatMap(part -> classes.stream().map(folder.resolve(part)::resolve))
            .filter(Files::isDirectory)
            .anyMatch(own -> files(own).stream().anyMatch(ImageFolder::isColour));
    Images train = part(folder.resolve("train"), classes, colour, null);
    return new DataSet(train, part(folder.resolve("test"), classes, colour, train.shape()));
  }

  private static List<String> classes(Path folder) {
    if (!Files.isDirectory(folder)) {
      throw new InvalidInput(
          "%s: must be a folder with a folder for each class; it does not exist".formatted(folder));
    }
    List<String> names =
        list(folder).stream()
            .filter(Files::isDirectory)
            .map(p -> String.valueOf(p.getFileName()))
            .toList();
    if (names.isEmpty() || names.size() > MOST_CLASSES) {
      throw new InvalidInput(
          "%s: must hold 1 to %d folders, one per class; got %d"
              .formatted(folder, MOST_CLASSES, names.size()));
    }
    return names;
  }

  private static List<Path> list(Path folder) {
    try (Stream<Path> entries = Files.list(folder)) {
      return entries.sorted().toList();
    } catch (IOException e) {
      throw new InvalidInput("%s: cannot be read: %s".formatted(folder, e.getMessage()), e);
    }
  }

  private static List<Path> files(Path folder) {
    return list(folder).stream()
        .filter(
            file -> {
              String name = String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT);
              return name.endsWith(".png") || name.endsWith(".jpg") || name.endsWith(".jpeg");
            })
        .toList();
  }

  private static boolean isColour(Path file) {
    BufferedImage image = decode(file);
    return image.getRaster().getNumBands() >= 3;
  }

  private static BufferedImage decode(Path file) {
    try {
      ImageIO.setUseCache(false);
      BufferedImage image = ImageIO.read(file.toFile());
      if (image != null) {
        return image;
      }
    } catch (IOException | IndexOutOfBoundsException e) {
      throw new InvalidInput(
          "%s: is damaged or no PNG or JPEG: %s".formatted(file, e.getMessage()), e);
    }
    throw new InvalidInput("%s: must be a PNG or JPEG; it is neither".formatted(file));
  }

  private static Images part(
      Path folder, List<String> classes, boolean colour, @Nullable Shape known) {
    Shape shape = known;
    List<byte[]> pixels = new ArrayList<>();
    List<Byte> labels = new ArrayList<>();
    for (int c = 0; c < classes.size(); c++) {
      Path own = folder.resolve(classes.get(c));
      for (Path file : Files.isDirectory(own) ? files(own) : List.<Path>of()) {
        BufferedImage image = decode(file);
        Shape found = Shape.image(colour ? 3 : 1, image.getHeight(), image.getWidth());
        shape = shape == null ? found : shape;
        if (!shape.equals(found)) {
          throw new InvalidInput(
              "%s: must have %d x %d pixels like the first; got %d x %d"
                  .formatted(file, shape.height(), shape.width(), found.height(), found.width()));
        }
        pixels.add(bytes(image, colour));
        labels.add((byte) c);
      }
    }
    if (shape == null || pixels.isEmpty()) {
      throw new InvalidInput(
          "%s: must hold PNG or JPEG files in its folders; got none".formatted(folder));
    }
    byte[] all = new byte[Math.multiplyExact(pixels.size(), shape.size())];
    byte[] classOf = new byte[pixels.size()];
    for (int i = 0; i < classOf.length; i++) {
      System.arraycopy(pixels.get(i), 0, all, i * shape.size(), shape.size());
      classOf[i] = labels.get(i);
    }
    return new Images(folder.toString(), shape, classes, all, classOf);
  }

  private static byte[] bytes(BufferedImage image, boolean colour) {
    int w = image.getWidth();
    int h = image.getHeight();
    byte[] bytes = new byte[(colour ? 3 : 1) * w * h];
    boolean grey = image.getRaster().getNumBands() < 3;
    for (int y = 0; y < h; y++) {
      for (int x = 0; x < w; x++) {
        int at = y * w + x;
        // A grey image's own samples: getRGB would pass them through a colour profile.
        int rgb = grey ? image.getRaster().getSample(x, y, 0) * 0x010101 : image.getRGB(x, y);
        if (colour) {
          bytes[at] = (byte) (rgb >> 16);
          bytes[w * h + at] = (byte) (rgb >> 8);
          bytes[2 * w * h + at] = (byte) rgb;
        } else {
          bytes[at] = (byte) rgb;
        }
      }
    }
    return bytes;
  }
}
