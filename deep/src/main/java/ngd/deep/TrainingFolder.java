package ngd.deep;

import de.siegmar.fastcsv.writer.CsvWriter;
import de.siegmar.fastcsv.writer.LineDelimiter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import ngd.core.InvalidInput;
import ngd.core.run.JsonObject;
import ngd.core.run.Manifest;
import ngd.core.run.RunFolder;
import ngd.studies.training.TrainingResult;
import org.jspecify.annotations.Nullable;

/**
 * The folder of a training: {@code manifest.json}, {@code trace.csv}, {@code errors.csv} (every
 * client at every evaluation), {@code theta.safetensors} and {@code result.json}; while it is under
 * way, {@code checkpoint.bin}, each file written beside its place and then moved there.
 */
final class TrainingFolder {
  private static final String CHECKPOINT = "checkpoint.bin";
  private static final int FORMAT = 0x6e676431;

  private final Path folder;

  private TrainingFolder(Path folder) {
    this.folder = folder;
  }

  /** A new or empty folder. */
  static TrainingFolder fresh(Path folder) {
    if (Files.exists(folder.resolve(CHECKPOINT))) {
      throw new InvalidInput(
          "out: must be a new or empty folder; %s holds a training that was stopped (--resume goes on with it)"
              .formatted(folder));
    }
    RunFolder.at(folder);
    return new TrainingFolder(folder);
  }

  /** A folder with a checkpoint in it. */
  static TrainingFolder stopped(Path folder) {
    if (!Files.exists(folder.resolve(CHECKPOINT))) {
      throw new InvalidInput(
          "resume: %s must hold the checkpoint of a training; it holds none".formatted(folder));
    }
    return new TrainingFolder(folder);
  }

  /** Keeps all that it takes to go on, and the request that must then be the same. */
  void checkpoint(String request, List<TrainingResult.Point> points, Training training) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      byte[] text = request.getBytes(java.nio.charset.StandardCharsets.UTF_8);
      out.writeInt(text.length);
      out.write(text);
      out.writeInt(points.size());
      for (TrainingResult.Point point : points) {
        out.writeInt(point.round());
        out.writeDouble(point.epoch());
        out.writeInt(point.errors().size());
        for (double err : point.errors()) {
          out.writeDouble(err);
        }
      }
      double[][] statistics = training.statisticValues();
      out.writeInt(statistics.length);
      out.writeInt(statistics[0].length);
      for (double[] row : statistics) {
        for (double value : row) {
          out.writeDouble(value);
        }
      }
      byte[] state = training.snapshot();
      out.writeInt(state.length);
      out.write(state);
    } catch (IOException impossible) {
      throw new IllegalStateException(impossible);
    }
    byte[] content = bytes.toByteArray();
    CRC32C sum = new CRC32C();
    sum.update(content);
    write(
        CHECKPOINT,
        file -> {
          try (DataOutputStream out =
              new DataOutputStream(
                  new java.io.BufferedOutputStream(Files.newOutputStream(file), 1 << 20))) {
            out.writeInt(FORMAT);
            out.writeLong(sum.getValue());
            out.write(content);
          }
        });
  }

  /** Sets the training back to where the checkpoint was made; gives the evaluations until then. */
  List<TrainingResult.Point> restore(String request, Training training) {
    Path file = folder.resolve(CHECKPOINT);
    try (DataInputStream head = new DataInputStream(Files.newInputStream(file))) {
      if (head.readInt() != FORMAT) {
        throw damaged(file, null);
      }
      long expected = head.readLong();
      byte[] content = head.readAllBytes();
      CRC32C sum = new CRC32C();
      sum.update(content);
      if (sum.getValue() != expected) {
        throw damaged(file, null);
      }
      try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(content))) {
        return restore(request, in, training);
      }
    } catch (IOException e) {
      throw damaged(file, e);
    }
  }

  private static List<TrainingResult.Point> restore(
      String request, DataInputStream in, Training training) throws IOException {
    String asked = new String(in.readNBytes(in.readInt()), java.nio.charset.StandardCharsets.UTF_8);
    if (!asked.equals(request)) {
      throw new InvalidInput(
          "resume: must be asked with the same choices as the training that was stopped: %s"
              .formatted(difference(asked, request)));
    }
    List<TrainingResult.Point> points = new ArrayList<>();
    int count = in.readInt();
    for (int i = 0; i < count; i++) {
      int round = in.readInt();
      double epoch = in.readDouble();
      List<Double> errors = new ArrayList<>();
      int clients = in.readInt();
      for (int m = 0; m < clients; m++) {
        errors.add(in.readDouble());
      }
      points.add(new TrainingResult.Point(round, epoch, errors));
    }
    double[][] statistics = new double[in.readInt()][];
    int width = in.readInt();
    for (int m = 0; m < statistics.length; m++) {
      statistics[m] = new double[width];
      for (int j = 0; j < width; j++) {
        statistics[m][j] = in.readDouble();
      }
    }
    training.restore(in.readNBytes(in.readInt()), statistics);
    return points;
  }

  /** The lines in which two requests differ. */
  private static String difference(String before, String now) {
    List<String> a = before.lines().map(String::strip).toList();
    List<String> b = now.lines().map(String::strip).toList();
    return "it was %s, now it is %s"
        .formatted(
            a.stream().filter(line -> !b.contains(line)).toList(),
            b.stream().filter(line -> !a.contains(line)).toList());
  }

  private static InvalidInput damaged(Path file, @Nullable Throwable cause) {
    String message = "%s: must be a whole checkpoint of a training; it is damaged".formatted(file);
    return cause == null ? new InvalidInput(message) : new InvalidInput(message, cause);
  }

  /** Writes what a finished training leaves, the manifest last, and removes the checkpoint. */
  void finish(
      Manifest manifest, Training training, List<TrainingResult.Point> points, JsonObject result) {
    write("trace.csv", file -> trace(file, points));
    write("errors.csv", file -> errors(file, points));
    write(
        "theta.safetensors",
        file ->
            Safetensors.write(
                file,
                training.net(),
                training.theta(),
                training.statisticValues(),
                training.plan().machine().precision().equals("float64")));
    write("result.json", file -> Files.writeString(file, result + "\n"));
    write("manifest.json", file -> Files.writeString(file, manifest.json() + "\n"));
    try {
      Files.deleteIfExists(folder.resolve(CHECKPOINT));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void trace(Path file, List<TrainingResult.Point> points) throws IOException {
    try (CsvWriter csv = CsvWriter.builder().lineDelimiter(LineDelimiter.LF).build(file)) {
      csv.writeRecord("round", "epoch", "mean_err", "log_sd");
      for (TrainingResult.Point point : points) {
        csv.writeRecord(
            Integer.toString(point.round()),
            Double.toString(point.epoch()),
            Double.toString(point.mean()),
            Double.toString(point.logSd()));
      }
    }
  }

  private static void errors(Path file, List<TrainingResult.Point> points) throws IOException {
    try (CsvWriter csv = CsvWriter.builder().lineDelimiter(LineDelimiter.LF).build(file)) {
      csv.writeRecord("round", "client", "err");
      for (TrainingResult.Point point : points) {
        for (int m = 0; m < point.errors().size(); m++) {
          csv.writeRecord(
              Integer.toString(point.round()),
              Integer.toString(m),
              Double.toString(point.errors().get(m)));
        }
      }
    }
  }

  private interface Content {
    void to(Path file) throws IOException;
  }

  private void write(String name, Content content) {
    try {
      Files.createDirectories(folder);
      Path draft = folder.resolve(name + ".new");
      content.to(draft);
      Path target = folder.resolve(name);
      try {
        Files.move(
            draft, target, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
      } catch (AtomicMoveNotSupportedException unsupported) {
        Files.move(draft, target, StandardCopyOption.REPLACE_EXISTING);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(
          "%s: cannot be written: %s".formatted(folder.resolve(name), e.getMessage()), e);
    }
  }
}
