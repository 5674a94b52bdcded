package ngd.deep;

import de.siegmar.fastcsv.writer.CsvWriter;
import de.siegmar.fastcsv.writer.LineDelimiter;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.zip.CRC32C;
import java.util.zip.CheckedOutputStream;
import ngd.core.InvalidInput;
import ngd.core.file.WholeFile;
import ngd.core.run.JsonObject;
import ngd.core.run.Manifest;
import ngd.core.run.RunFolder;
import ngd.core.training.TrainingResult;
import ngd.deep.model.Safetensors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The folder of a training: {@code manifest.json}, {@code trace.csv}, {@code errors.csv} (every
 * client at every evaluation), {@code theta.safetensors} and {@code result.json}; while it is under
 * way, {@code checkpoint.bin}, each file written beside its place and then moved there.
 */
final class TrainingFolder {
  private static final String CHECKPOINT = "checkpoint.bin";
  private static final String MANIFEST = "manifest.json";

  /** What a name ends in while the file is being written; a process that was killed leaves it. */
  private static final String DRAFT = ".new";

  private static final int FORMAT = 0x6e676432;

  private final Path folder;

  private TrainingFolder(Path folder) {
    this.folder = folder;
  }

  /** A new or empty folder. */
  static TrainingFolder fresh(Path folder) {
    if (Files.exists(folder.resolve(CHECKPOINT))) {
      throw new InvalidInput(
          "out: must be a new or empty folder; %s holds an interrupted training (--resume continues it)"
              .formatted(folder));
    }
    delete(folder.resolve(CHECKPOINT + DRAFT));
    RunFolder.at(folder);
    return new TrainingFolder(folder);
  }

  /** A folder with a checkpoint in it. */
  static TrainingFolder stopped(Path folder) {
    if (!Files.exists(folder.resolve(CHECKPOINT))) {
      boolean ended = Files.exists(folder.resolve(MANIFEST));
      throw new InvalidInput(
          "resume: %s must hold the checkpoint of a training; %s"
              .formatted(folder, ended ? "the training there has finished" : "it holds none"));
    }
    return new TrainingFolder(folder);
  }

  /** Keeps all that it takes to go on, and the request that must then be the same. */
  void checkpoint(String request, List<TrainingResult.Point> points, Training training) {
    write(
        CHECKPOINT,
        file -> {
          try (FileOutputStream bytes = new FileOutputStream(file.toFile())) {
            CheckedOutputStream summed =
                new CheckedOutputStream(new BufferedOutputStream(bytes, 1 << 20), new CRC32C());
            DataOutputStream out = new DataOutputStream(summed);
            out.writeInt(FORMAT);
            byte[] text = request.getBytes(StandardCharsets.UTF_8);
            out.writeInt(text.length);
            out.write(text);
            write(out, points);
            training.write(out);
            out.writeLong(summed.getChecksum().getValue());
            out.flush();
            // The checkpoint before it is about to be replaced: this one must be on the disk.
            bytes.getFD().sync();
          }
        });
  }

  private static void write(DataOutputStream out, List<TrainingResult.Point> points)
      throws IOException {
    out.writeInt(points.size());
    for (TrainingResult.Point point : points) {
      out.writeInt(point.round());
      out.writeDouble(point.epoch());
      out.writeInt(point.errors().size());
      for (double err : point.errors()) {
        out.writeDouble(err);
      }
    }
  }

  /** Sets the training back to where the checkpoint was made; gives the evaluations until then. */
  List<TrainingResult.Point> restore(String request, Training training) {
    Path file = folder.resolve(CHECKPOINT);
    try {
      requireWhole(file);
      try (DataInputStream in = open(file)) {
        in.readInt();
        String asked = new String(in.readNBytes(in.readInt()), StandardCharsets.UTF_8);
        if (!asked.equals(request)) {
          throw new InvalidInput(
              "resume: the options must be those of the interrupted training: %s"
                  .formatted(difference(asked, request)));
        }
        List<TrainingResult.Point> points = points(in);
        training.restore(in, Files.size(file));
        return points;
      }
    } catch (IOException e) {
      throw damaged(file, e);
    }
  }

  private static DataInputStream open(Path file) throws IOException {
    return new DataInputStream(new BufferedInputStream(Files.newInputStream(file), 1 << 20));
  }

  /** Reads it all once before anything is believed. */
  private static void requireWhole(Path file) throws IOException {
    long content = Files.size(file) - Long.BYTES;
    CRC32C sum = new CRC32C();
    try (DataInputStream in = open(file)) {
      byte[] chunk = new byte[1 << 16];
      for (long at = 0; at < content; ) {
        int count = (int) Math.min(chunk.length, content - at);
        in.readFully(chunk, 0, count);
        if (at == 0 && (count < Integer.BYTES || ByteBuffer.wrap(chunk).getInt() != FORMAT)) {
          throw damaged(file, null);
        }
        sum.update(chunk, 0, count);
        at += count;
      }
      if (in.readLong() != sum.getValue()) {
        throw damaged(file, null);
      }
    }
  }

  private static List<TrainingResult.Point> points(DataInputStream in) throws IOException {
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
    return points;
  }

  /** The choices in which two requests differ. */
  private static String difference(String before, String now) {
    Map<String, String> was = choices(before);
    Map<String, String> is = choices(now);
    Set<String> names = new LinkedHashSet<>(was.keySet());
    names.addAll(is.keySet());
    return names.stream()
        .filter(name -> !Objects.equals(was.get(name), is.get(name)))
        .map(
            name ->
                "%s was %s, now it is %s"
                    .formatted(
                        name,
                        was.getOrDefault(name, "not given"),
                        is.getOrDefault(name, "not given")))
        .collect(Collectors.joining("; "));
  }

  private static Map<String, String> choices(String request) {
    Map<String, String> choices = new LinkedHashMap<>();
    JsonMapper.shared()
        .readTree(request)
        .properties()
        .forEach(
            entry -> {
              JsonNode value = entry.getValue();
              choices.put(
                  entry.getKey(),
                  value.isNull()
                      ? "not given"
                      : value.isString() ? value.asString() : value.toString());
            });
    return choices;
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
                training.statistics().values(),
                training.plan().precision().equals("float64")));
    write("result.json", file -> Files.writeString(file, result + "\n"));
    write(MANIFEST, file -> Files.writeString(file, manifest.json(folder) + "\n"));
    delete(folder.resolve(CHECKPOINT));
    delete(folder.resolve(CHECKPOINT + DRAFT));
  }

  private static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new UncheckedIOException("%s: cannot be removed: %s".formatted(file, e), e);
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

  private void write(String name, RunFolder.Content content) {
    try {
      Files.createDirectories(folder);
      Path draft = folder.resolve(name + DRAFT);
      content.writeTo(draft);
      WholeFile.moveOver(draft, folder.resolve(name));
    } catch (IOException e) {
      throw new UncheckedIOException(
          "%s: cannot be written: %s".formatted(folder.resolve(name), e.getMessage()), e);
    }
  }
}
