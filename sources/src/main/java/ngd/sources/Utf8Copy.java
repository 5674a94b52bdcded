package ngd.sources;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import ngd.core.InvalidInput;

/**
 * Copies of text files in UTF-8, the only encoding that DuckDB reads in full. They lie in a folder
 * that only its owner can read, and are deleted with the table.
 */
final class Utf8Copy implements AutoCloseable {
  private static final int BUFFER = 1 << 16;
  private static final int BYTE_ORDER_MARK = '\ufeff';

  private final Path folder;

  private Utf8Copy(Path folder) {
    this.folder = folder;
  }

  static Utf8Copy of(List<String> files, Charset encoding) {
    Utf8Copy copy;
    try {
      copy = new Utf8Copy(Files.createTempDirectory("ngd-utf8-"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    for (int i = 0; i < files.size(); i++) {
      String file = files.get(i);
      try {
        copy(Path.of(file), encoding, copy.folder.resolve("%08d.csv".formatted(i)));
      } catch (CharacterCodingException e) {
        copy.close();
        throw new InvalidInput(
            "%s: must be %s text (--encoding); it is not".formatted(file, encoding.name()), e);
      } catch (IOException e) {
        copy.close();
        throw new InvalidInput("%s: cannot be read: %s".formatted(file, e.getMessage()), e);
      }
    }
    return copy;
  }

  private static void copy(Path from, Charset encoding, Path to) throws IOException {
    boolean packed = from.toString().toLowerCase(Locale.ROOT).endsWith(".gz");
    try (InputStream bytes = Files.newInputStream(from);
        InputStream plain = packed ? new GZIPInputStream(bytes, BUFFER) : bytes;
        Reader in =
            new BufferedReader(new InputStreamReader(plain, encoding.newDecoder()), BUFFER);
        Writer out = Files.newBufferedWriter(to, StandardCharsets.UTF_8)) {
      in.mark(1);
      if (in.read() != BYTE_ORDER_MARK) {
        in.reset();
      }
      in.transferTo(out);
    }
  }

  /** The pattern of the copies, in the order of the files. */
  String location() {
    return folder.resolve("*.csv").toString();
  }

  @Override
  public void close() {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.deleteIfExists(file);
      }
      Files.deleteIfExists(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
