package ngd.peer.privacy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.zip.CRC32C;
import ngd.core.InvalidInput;
import ngd.core.file.WholeFile;
import org.jspecify.annotations.Nullable;

/**
 * Every noised gradient of one run, on disk before it is used. A restarted peer comes to the same
 * points and finds what it said there: the noise is drawn once, and the budget spent once.
 *
 * <p>The file has a header (what it is, the numbers in a gradient, the noise, the limit) and
 * records of equal size: the hash of the point, the noised gradient, a checksum. A record that a
 * crash tore was never used, and is cut off.
 */
public final class PrivacyLog implements AutoCloseable {
  private static final long MAGIC = 0x4e47445052495631L;
  private static final int HEADER = 4 * Long.BYTES;
  private static final int HASH = 32;

  private final FileChannel channel;
  private final int parameters;
  private final Header header;
  private final Map<ByteBuffer, double[]> said = new HashMap<>();

  /**
   * @param multiplier σ in units of what one row can move
   * @param most how many gradients the budget pays for
   */
  record Header(int parameters, double multiplier, long most) {}

  private PrivacyLog(FileChannel channel, Header header) {
    this.channel = channel;
    this.parameters = header.parameters();
    this.header = header;
  }

  /** Opens the log of a run, or begins it. */
  static PrivacyLog open(Path file, Header wanted) {
    try {
      Path folder = file.toAbsolutePath().getParent();
      WholeFile.Access.PRIVATE.createFolders(folder);
      FileChannel channel =
          FileChannel.open(
              file,
              Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE),
              WholeFile.Access.PRIVATE.attributes(folder));
      if (channel.size() < HEADER) {
        // Nothing was said before the header was whole.
        channel.truncate(0);
        write(channel, header(wanted));
        channel.force(true);
      }
      Header found = header(channel, file);
      if (!found.equals(wanted)) {
        channel.close();
        throw new InvalidInput(
            "%s: holds another run's noised gradients (%s, not %s)".formatted(file, found, wanted));
      }
      PrivacyLog log = new PrivacyLog(channel, found);
      log.readAll();
      return log;
    } catch (IOException e) {
      throw new UncheckedIOException("%s: cannot be used".formatted(file), e);
    }
  }

  /** μ² that the run of a log has spent so far. */
  static double spent(Path file) {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      if (channel.size() < HEADER) {
        return 0;
      }
      Header header = header(channel, file);
      PrivacyLog log = new PrivacyLog(channel, header);
      long count = (channel.size() - HEADER) / log.record();
      return (double) count / (header.multiplier() * header.multiplier());
    } catch (IOException e) {
      throw new UncheckedIOException("%s: cannot be read".formatted(file), e);
    }
  }

  private static ByteBuffer header(Header header) {
    return ByteBuffer.allocate(HEADER)
        .putLong(MAGIC)
        .putLong(header.parameters())
        .putDouble(header.multiplier())
        .putLong(header.most())
        .flip();
  }

  private static Header header(FileChannel channel, Path file) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(HEADER);
    read(channel, bytes, 0);
    bytes.flip();
    if (bytes.getLong() != MAGIC) {
      throw new InvalidInput("%s: is not a log of noised gradients".formatted(file));
    }
    return new Header((int) bytes.getLong(), bytes.getDouble(), bytes.getLong());
  }

  private int record() {
    return HASH + parameters * Double.BYTES + Integer.BYTES;
  }

  private void readAll() throws IOException {
    long at = HEADER;
    ByteBuffer bytes = ByteBuffer.allocate(record());
    while (at + record() <= channel.size()) {
      bytes.clear();
      read(channel, bytes, at);
      if (bytes.getInt(record() - Integer.BYTES) != checksum(bytes)) {
        break;
      }
      byte[] hash = new byte[HASH];
      bytes.rewind();
      bytes.get(hash);
      double[] gradient = new double[parameters];
      bytes.asDoubleBuffer().get(gradient);
      said.put(ByteBuffer.wrap(hash), gradient);
      at += record();
    }
    channel.truncate(at);
    channel.position(at);
  }

  private int checksum(ByteBuffer record) {
    CRC32C crc = new CRC32C();
    crc.update(record.duplicate().clear().limit(record() - Integer.BYTES));
    return (int) crc.getValue();
  }

  /** What was said at this point before, or null. */
  synchronized double @Nullable [] said(double[] point) {
    double[] before = said.get(hash(point));
    return before == null ? null : before.clone();
  }

  /** How many gradients were said. */
  synchronized long count() {
    return said.size();
  }

  /** Keeps what is about to be said; it is on disk when this returns. */
  synchronized void keep(double[] point, double[] noised) {
    if (said.size() >= header.most()) {
      throw new InvalidInput(
          "privacy: the budget covers %d gradients, all of which have been sent; the plan asks for more"
              .formatted(header.most()));
    }
    ByteBuffer hash = hash(point);
    ByteBuffer bytes = ByteBuffer.allocate(record()).put(hash.duplicate());
    for (double entry : noised) {
      bytes.putDouble(entry);
    }
    bytes.putInt(checksum(bytes)).flip();
    try {
      write(channel, bytes);
      channel.force(false);
    } catch (IOException e) {
      throw new UncheckedIOException(
          "privacy: a noised gradient could not be saved, so it is not sent", e);
    }
    said.put(hash, noised.clone());
  }

  private static ByteBuffer hash(double[] point) {
    ByteBuffer bytes = ByteBuffer.allocate(point.length * Double.BYTES);
    bytes.asDoubleBuffer().put(point);
    try {
      return ByteBuffer.wrap(MessageDigest.getInstance("SHA-256").digest(bytes.array()));
    } catch (NoSuchAlgorithmException absent) {
      throw new IllegalStateException("every Java has SHA-256", absent);
    }
  }

  private static void write(FileChannel channel, ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }

  private static void read(FileChannel channel, ByteBuffer bytes, long at) throws IOException {
    while (bytes.hasRemaining()) {
      if (channel.read(bytes, at + bytes.position()) < 0) {
        throw new IOException("ends too early");
      }
    }
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
