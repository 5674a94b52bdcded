package ngd.deep.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;
import javax.imageio.ImageIO;
import ngd.core.InvalidInput;
import ngd.core.training.TrainingData;
import ngd.deep.model.Shape;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files made here, right and wrong. Oracle: what was put into them. */
final class SamplesTest {
  @TempDir private Path folder = Path.of("");

  @BeforeEach
  void mnist() throws IOException {
    for (String part : new String[] {"train", "t10k"}) {
      write(part + "-labels-idx1-ubyte", 0x801, new int[] {2}, new byte[] {3, 9});
      write(
          part + "-images-idx3-ubyte.gz",
          0x803,
          new int[] {2, 2, 3},
          new byte[] {0, 51, 102, -1, 0, 0, 7, 8, 9, 10, 11, 12});
    }
  }

  private void write(String name, int magic, int[] sizes, byte[] content) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out =
        new DataOutputStream(name.endsWith(".gz") ? new GZIPOutputStream(bytes) : bytes)) {
      out.writeInt(magic);
      for (int size : sizes) {
        out.writeInt(size);
      }
      out.write(content);
    }
    Files.write(folder.resolve(name), bytes.toByteArray());
  }

  private static DataSet read(String spec) {
    return DataSet.read(TrainingData.ImageFiles.parse(spec), Optional.empty(), _ -> {});
  }

  private void refused(String... parts) {
    assertThatThrownBy(() -> read("mnist:" + folder))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContainingAll(parts);
  }

  @Test
  void mnist_plainAndGzipped_givesPixelsAndLabels() {
    Samples train = read("mnist:" + folder).train();
    assertThat(train.shape()).isEqualTo(Shape.image(1, 2, 3));
    assertThat(train.size()).isEqualTo(2);
    assertThat(train.label(1)).isEqualTo(9);
    float[] pixels = new float[7];
    train.copy(0, pixels, 1);
    assertThat(pixels).containsExactly(0, 0, 0.2f, 0.4f, 1, 0, 0);
  }

  @Test
  void mnist_wrongFiles_areRefusedWithFileAndOffset() throws IOException {
    write("train-labels-idx1-ubyte", 0x803, new int[] {2}, new byte[] {3, 9});
    refused("train-labels-idx1-ubyte, offset 0", "0x00000801", "0x00000803");
    write("train-labels-idx1-ubyte", 0x801, new int[] {2}, new byte[] {3, 10});
    refused("offset 9", "a label from 0 to 9", "found 10");
    write("train-labels-idx1-ubyte", 0x801, new int[] {3}, new byte[] {3, 9});
    refused("offset 8: expected 3 bytes of labels", "ends after 2");
    write("train-labels-idx1-ubyte", 0x801, new int[] {1}, new byte[] {3, 9});
    refused("offset 9: expected the end of the file");
    write("train-labels-idx1-ubyte", 0x801, new int[] {2}, new byte[] {3, 9});
    write("train-images-idx3-ubyte.gz", 0x803, new int[] {3, 2, 3}, new byte[18]);
    refused("train-images-idx3-ubyte.gz, offset 4", "2 images, one per label", "found 3");
    Files.delete(folder.resolve("train-images-idx3-ubyte.gz"));
    refused("train-images-idx3-ubyte: no such file");
  }

  @Test
  void cifar_records_giveChannelsAndLabels() throws IOException {
    byte[] batch = new byte[3073 * 10_000];
    for (int i = 0; i < 10_000; i++) {
      batch[3073 * i] = (byte) (i % 10);
      batch[3073 * i + 1 + 1024] = (byte) 255;
    }
    for (int i = 1; i <= 5; i++) {
      Files.write(folder.resolve("data_batch_%d.bin".formatted(i)), batch);
    }
    Files.write(folder.resolve("test_batch.bin"), batch);
    Samples train = read("cifar10:" + folder).train();
    assertThat(train.size()).isEqualTo(50_000);
    assertThat(train.label(10_003)).isEqualTo(3);
    float[] pixels = new float[3072];
    train.copy(17, pixels, 0);
    assertThat(pixels[1023]).isZero();
    assertThat(pixels[1024]).isEqualTo(1);
    batch[3073] = 10;
    Files.write(folder.resolve("data_batch_2.bin"), batch);
    assertThatThrownBy(() -> read("cifar10:" + folder))
        .hasMessageContainingAll(
            "data_batch_2.bin, offset 3073", "a label from 0 to 9", "found 10");
    Files.write(folder.resolve("data_batch_2.bin"), java.util.Arrays.copyOf(batch, 5000));
    assertThatThrownBy(() -> read("cifar10:" + folder))
        .hasMessageContaining("data_batch_2.bin, offset");
  }

  @Test
  void images_foldersByClass_giveGreyAndColour() throws IOException {
    for (String part : new String[] {"train", "test"}) {
      for (String name : new String[] {"cat", "dog"}) {
        Path own = Files.createDirectories(folder.resolve(part).resolve(name));
        BufferedImage image = new BufferedImage(3, 2, BufferedImage.TYPE_BYTE_GRAY);
        image.getRaster().setSample(2, 1, 0, name.equals("cat") ? 51 : 255);
        ImageIO.write(image, "png", own.resolve("a.png").toFile());
      }
    }
    Samples train = read("images:" + folder).train();
    assertThat(train.shape()).isEqualTo(Shape.image(1, 2, 3));
    float[] pixels = new float[6];
    train.copy(0, pixels, 0);
    assertThat(pixels).containsExactly(0, 0, 0, 0, 0, 0.2f);
    assertThat(train.label(1)).isEqualTo(1);
    assertThat(train.classNames()).containsExactly("cat", "dog");
    BufferedImage colour = new BufferedImage(3, 2, BufferedImage.TYPE_INT_RGB);
    colour.setRGB(0, 0, 0xff0033);
    ImageIO.write(colour, "png", folder.resolve("train/dog/b.png").toFile());
    Samples three = read("images:" + folder).train();
    assertThat(three.shape()).isEqualTo(Shape.image(3, 2, 3));
    float[] all = new float[18];
    three.copy(2, all, 0);
    assertThat(all[0]).isEqualTo(1);
    assertThat(all[6]).isZero();
    assertThat(all[12]).isEqualTo(0.2f);
    ImageIO.write(
        new BufferedImage(4, 2, BufferedImage.TYPE_INT_RGB),
        "png",
        folder.resolve("train/dog/c.png").toFile());
    assertThatThrownBy(() -> read("images:" + folder))
        .hasMessageContainingAll("c.png", "2 x 3 pixels", "2 x 4");
  }
}
