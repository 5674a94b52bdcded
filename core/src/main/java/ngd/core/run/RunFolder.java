package ngd.core.run;

import de.siegmar.fastcsv.writer.CsvWriter;
import de.siegmar.fastcsv.writer.LineDelimiter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.Set;
import java.util.function.Consumer;
import ngd.core.InvalidInput;
import ngd.core.file.WholeFile;
import ngd.core.rows.Rows;
import ngd.core.simulation.Trace;

/**
 * The folder of one run: {@code manifest.json}, {@code result.json} and the tables of its kind,
 * such as {@code theta.csv} and {@code trace.csv}.
 *
 * <p>{@link #at} refuses a folder that is in use or cannot be written, before the work and without
 * a trace on the disk; {@link #write} writes all files or none. What is written stays, also where
 * the power fails afterwards.
 */
public final class RunFolder {
  private static final String MANIFEST = "manifest.json";

  /** Clients whose coefficients are made a text in one go. */
  static final int CLIENTS_AT_ONCE = 8192;

  private final Path folder;

  private RunFolder(Path folder) {
    this.folder = folder;
  }

  /** The folder to be written, new or empty. */
  public static RunFolder at(Path folder) {
    try {
      if (Files.isDirectory(folder)) {
        requireEmpty(folder);
      }
      // Permissions are not enough (read-only disks, quotas, names too long): try it.
      List<Path> made = create(folder);
      try {
        Files.delete(Files.createTempFile(folder, "ngd", null));
      } finally {
        delete(made);
      }
    } catch (IOException e) {
      throw refusal(folder, e);
    }
    return new RunFolder(folder);
  }

  public Path path() {
    return folder;
  }

  /** What one file holds. */
  @FunctionalInterface
  public interface Content {
    void writeTo(Path file) throws IOException;
  }

  /** A JSON object as a file. */
  public static Content text(JsonObject object) {
    return file -> Files.writeString(file, object + "\n");
  }

  /** A CSV file of these lines, the first its header. */
  public static Content csv(List<List<String>> lines) {
    return lines(csv -> lines.forEach(csv::writeRecord));
  }

  /** Writes all these files by their names, with slashes between folders, and the manifest last. */
  public void write(Manifest manifest, SequencedMap<String, Content> files) {
    SequencedMap<String, Content> all = new LinkedHashMap<>(files);
    all.put(MANIFEST, text(manifest.json(folder)));
    List<Path> made = new ArrayList<>();
    try {
      // Whose entries are new, and must be forced.
      Set<Path> changed = new LinkedHashSet<>();
      made.addAll(create(folder, changed));
      Path draft = Files.createTempDirectory(folder, ".writing");
      made.add(draft);
      List<Path> drafts = new ArrayList<>(List.of(draft));
      for (Map.Entry<String, Content> file : all.entrySet()) {
        Path to = draft.resolve(file.getKey());
        List<Path> folders = create(Objects.requireNonNull(to.getParent()));
        drafts.addAll(folders);
        made.addAll(folders);
        made.add(to);
        file.getValue().writeTo(to);
        WholeFile.force(to);
      }
      for (String name : all.keySet()) {
        Path target = folder.resolve(name);
        Path place = Objects.requireNonNull(target.getParent());
        made.addAll(create(place, changed));
        Files.move(draft.resolve(name), target);
        made.add(target);
        changed.add(place);
      }
      delete(drafts);
      for (Path one : changed) {
        WholeFile.forceFolder(one);
      }
    } catch (IOException e) {
      try {
        delete(made);
      } catch (IOException alsoFailed) {
        e.addSuppressed(alsoFailed);
      }
      throw new UncheckedIOException("%s: cannot be written: %s".formatted(folder, reason(e)), e);
    }
  }

  /** {@code theta.csv}: a line of coefficients for each client, however many. */
  public static Content theta(List<String> coefficients, Rows theta, int firstClient) {
    List<String> names = new ArrayList<>(List.of("client"));
    names.addAll(coefficients);
    return file -> {
      lines(csv -> csv.writeRecord(names)).writeTo(file);
      try (OutputStream out = Files.newOutputStream(file, StandardOpenOption.APPEND)) {
        // A text for each core at a time, written in the order of the clients.
        byte[][] texts = new byte[Runtime.getRuntime().availableProcessors()][];
        long wave = (long) texts.length * CLIENTS_AT_ONCE;
        for (long next = 0; next < theta.rows(); next += wave) {
          long first = next;
          Arrays.parallelSetAll(
              texts, i -> text(theta, firstClient, first + (long) i * CLIENTS_AT_ONCE));
          for (byte[] text : texts) {
            out.write(text);
          }
        }
      }
    };
  }

  /** The lines of some rows, as far as there are any. */
  private static byte[] text(Rows theta, int firstClient, long from) {
    StringBuilder text = new StringBuilder();
    long end = Math.min(from + CLIENTS_AT_ONCE, theta.rows());
    for (int m = (int) Math.min(from, end); m < end; m++) {
      text.append(firstClient + m);
      for (int j = 0; j < theta.width(); j++) {
        text.append(',').append(theta.get(m, j));
      }
      text.append('\n');
    }
    return text.toString().getBytes(StandardCharsets.US_ASCII);
  }

  /** {@code trace.csv}: what was measured, a line for each time. */
  public static Content trace(Trace trace) {
    return lines(
        csv -> {
          List<String> line = new ArrayList<>(List.of("round"));
          line.addAll(trace.columns());
          csv.writeRecord(line);
          for (int i = 0; i < trace.size(); i++) {
            line.clear();
            line.add(Integer.toString(trace.round(i)));
            for (String column : trace.columns()) {
              line.add(Double.toString(trace.value(i, column)));
            }
            csv.writeRecord(line);
          }
        });
  }

  /** A CSV file that is written line by line. */
  public static Content lines(Consumer<CsvWriter> lines) {
    return file -> {
      try (CsvWriter csv = CsvWriter.builder().lineDelimiter(LineDelimiter.LF).build(file)) {
        lines.accept(csv);
      }
    };
  }

  /** Writes these files into a folder that is there, each over an older one, the manifest last. */
  public static void writeOver(
      Path folder, Manifest manifest, SequencedMap<String, Content> files) {
    SequencedMap<String, Content> all = new LinkedHashMap<>(files);
    all.put(MANIFEST, text(manifest.json(folder)));
    try {
      Path drafts = Files.createTempDirectory(folder, ".writing");
      try {
        for (Map.Entry<String, Content> file : all.entrySet()) {
          file.getValue().writeTo(drafts.resolve(file.getKey()));
          WholeFile.force(drafts.resolve(file.getKey()));
        }
        for (String name : all.keySet()) {
          WholeFile.moveOver(drafts.resolve(name), folder.resolve(name));
        }
      } finally {
        for (String name : all.keySet()) {
          Files.deleteIfExists(drafts.resolve(name));
        }
        Files.deleteIfExists(drafts);
      }
      WholeFile.forceFolder(folder);
    } catch (IOException e) {
      throw new UncheckedIOException("%s: cannot be written: %s".formatted(folder, reason(e)), e);
    }
  }

  /** Creates a folder and those above it; gives the ones that were not there, topmost first. */
  private static List<Path> create(Path folder) throws IOException {
    List<Path> made = new ArrayList<>();
    for (Path at = folder.toAbsolutePath().normalize();
        at != null && Files.notExists(at);
        at = at.getParent()) {
      made.addFirst(at);
    }
    Files.createDirectories(folder);
    return made;
  }

  private static List<Path> create(Path folder, Set<Path> changed) throws IOException {
    List<Path> made = create(folder);
    made.forEach(one -> changed.add(Objects.requireNonNull(one.getParent())));
    return made;
  }

  private static void delete(List<Path> made) throws IOException {
    for (Path path : made.reversed()) {
      Files.deleteIfExists(path);
    }
  }

  private static void requireEmpty(Path folder) throws IOException {
    if (Files.exists(folder.resolve(MANIFEST))) {
      throw new InvalidInput(
          "out: must be a new or empty folder; %s holds another run".formatted(folder));
    }
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
      for (Path entry : entries) {
        throw new InvalidInput(
            "out: must be a new or empty folder; %s holds `%s`"
                .formatted(folder, entry.getFileName()));
      }
    }
  }

  private static InvalidInput refusal(Path folder, IOException e) {
    return new InvalidInput(
        e instanceof FileAlreadyExistsException exists
            ? "out: must be a new or empty folder; %s is a file".formatted(exists.getFile())
            : "out: must be a folder that can be made and written; %s cannot: %s"
                .formatted(folder, reason(e)),
        e);
  }

  private static String reason(IOException e) {
    return switch (e) {
      case AccessDeniedException denied -> "permission denied";
      case NoSuchFileException missing -> "the system does not allow a folder there";
      case FileSystemException other when other.getReason() != null -> other.getReason();
      default -> String.valueOf(e.getMessage());
    };
  }
}
