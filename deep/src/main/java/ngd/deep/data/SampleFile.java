package ngd.deep.data;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import ngd.core.InvalidInput;

/** A binary file, gzipped or not, read front to back: complaints name file and offset. */
final class SampleFile implements AutoCloseable {
  private final Path file;
  private final InputStream bytes;
  private long offset;

  private SampleFile(Path file, InputStream bytes) {
    this.file = file;
    this.bytes = bytes;
  }

  /** The file of that name in a folder, or its gzipped twin. */
  static SampleFile in(Path folder, String name) {
    Path plain = folder.resolve(name);
    Path zipped = folder.resolve(name + ".gz");
    return open(Files.exists(plain) || !Files.exists(zipped) ? plain : zipped);
  }

  static SampleFile open(Path file) {
    try {
      BufferedInputStream raw = new BufferedInputStream(Files.newInputStream(file), 1 << 16);
      raw.mark(2);
      boolean zipped = raw.read() == 0x1f && raw.read() == 0x8b;
      raw.reset();
      return new SampleFile(file, zipped ? new GZIPInputStream(raw, 1 << 16) : raw);
    } catch (NoSuchFileException e) {
      throw new InvalidInput("%s: no such file, gzipped (.gz) or not".formatted(file), e);
    } catch (IOException e) {
      throw unreadable(file, e);
    }
  }

  Path file() {
    return file;
  }

  /** The next {@code count} bytes; {@code what} they are is for the error if there are fewer. */
  byte[] next(int count, String what) {
    byte[] read;
    try {
      read = bytes.readNBytes(count);
    } catch (ZipException | EOFException e) {
      throw new InvalidInput(
          "%s: the gzipped file is damaged or cut short after byte %d".formatted(file, offset), e);
    } catch (IOException e) {
      throw unreadable(file, e);
    }
    if (read.length < count) {
      throw new InvalidInput(
          "%s, offset %d: expected %d bytes of %s; the file ends after %d of them"
              .formatted(file, offset, count, what, read.length));
    }
    offset += count;
    return read;
  }

  /** A number of four bytes, the highest first. */
  int nextInt(String what) {
    return ByteBuffer.wrap(next(4, what)).getInt();
  }

  /** Refuses bytes after the last that were expected. */
  void requireEnd(String after) {
    try {
      if (bytes.read() >= 0) {
        throw new InvalidInput(
            "%s, offset %d: expected the end of the file after %s; more bytes follow"
                .formatted(file, offset, after));
      }
    } catch (IOException e) {
      throw unreadable(file, e);
    }
  }

  /** A complaint about bytes that lie so far before the place reached. */
  InvalidInput wrong(long before, String expected, Object found) {
    return new InvalidInput(
        "%s, offset %d: expected %s; found %s".formatted(file, offset - before, expected, found));
  }

  private static InvalidInput unreadable(Path file, IOException e) {
    return new InvalidInput("%s: cannot be read: %s".formatted(file, e.getMessage()), e);
  }

  @Override
  public void close() {
    try {
      bytes.close();
    } catch (IOException e) {
      throw unreadable(file, e);
    }
  }
}
