package ngd.peer.privacy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.zip.CRC32C;
import ngd.core.InvalidInput;
import ngd.core.file.WholeFile;
import ngd.core.privacy.GradientJournal;
import ngd.peer.machine.Machine;
import ngd.peer.machine.Monitor;
import org.jspecify.annotations.Nullable;

/**
 * Every noised gradient of one run, on disk before it is used. A restarted peer comes to the same
 * points and finds what it said there: the noise is drawn once, and the budget spent once.
 *
 * <p>The file has a header (what it is, the numbers in a gradient, the noise, the limit, a word
 * drawn when the file was made, from which the noise that sites have in common derives: without the
 * file there is no second run of the same noise) and records of equal size: the hash of the point,
 * the noised gradient, a checksum. A record that a crash tore was never used, and is cut off.
 */
public final class PrivacyLog implements GradientJournal, AutoCloseable {
  private static final long MAGIC = 0x4e47445052495632L;
  private static final long WITHOUT_WORD = 0x4e47445052495631L;
  private static final int NUMBERS = 4 * Long.BYTES;
  private static final int WORD = 16;
  private static final int HEADER = NUMBERS + WORD;
  private static final int HASH = 32;

  private final FileChannel channel;
  private final Monitor lock = new Monitor();
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
      FileChannel channel = begun(file);
      Header found = header(channel, file);
      if (found.parameters() == 0) {
        // Only the word was drawn.
        channel.write(header(wanted), 0);
        channel.force(true);
        found = wanted;
      }
      if (!found.equals(wanted)) {
        channel.close();
        throw new InvalidInput(
            "%s: holds another run's noised gradients (%s, not %s)".formatted(file, found, wanted));
      }
      PrivacyLog log = new PrivacyLog(channel, found);
      log.readAll(start(channel, file));
      return log;
    } catch (IOException e) {
      throw new UncheckedIOException("%s: cannot be used".formatted(file), e);
    }
  }

  /** The word of a run's log, in hexadecimal digits; it is on disk when this returns. */
  static String word(Path file) {
    try (FileChannel channel = begun(file)) {
      ByteBuffer word = ByteBuffer.allocate(start(channel, file) - NUMBERS);
      read(channel, word, NUMBERS);
      return HexFormat.of().formatHex(word.array());
    } catch (IOException e) {
      throw new UncheckedIOException("%s: cannot be used".formatted(file), e);
    }
  }

  /** A log with a header, which a new one has without numbers. */
  private static FileChannel begun(Path file) throws IOException {
    Path folder = file.toAbsolutePath().getParent();
    WholeFile.Access.PRIVATE.createFolders(folder);
    if (Files.notExists(file) || Files.size(file) < NUMBERS) {
      // Nothing was said before the header was whole, and its name on the disk: a log that a power
      // failure took away would let the same gradients be said again with other noise.
      byte[] word = new byte[WORD];
      Machine.here().random().nextBytes(word);
      byte[] begin = ByteBuffer.allocate(HEADER).put(header(new Header(0, 0, 0))).put(word).array();
      WholeFile.write(file, WholeFile.Access.PRIVATE, out -> out.write(begin));
    }
    return FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
  }

  /** μ² that the run of a log has spent so far. */
  static double spent(Path file) {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      if (channel.size() < NUMBERS) {
        return 0;
      }
      Header header = header(channel, file);
      if (header.parameters() == 0) {
        return 0;
      }
      PrivacyLog log = new PrivacyLog(channel, header);
      long count = (channel.size() - start(channel, file)) / log.record();
      return (double) count / (header.multiplier() * header.multiplier());
    } catch (IOException e) {
      throw new UncheckedIOException("%s: cannot be read".formatted(file), e);
    }
  }

  private static ByteBuffer header(Header header) {
    return ByteBuffer.allocate(NUMBERS)
        .putLong(MAGIC)
        .putLong(header.parameters())
        .putDouble(header.multiplier())
        .putLong(header.most())
        .flip();
  }

  private static Header header(FileChannel channel, Path file) throws IOException {
    ByteBuffer bytes = numbers(channel, file);
    return new Header((int) bytes.getLong(), bytes.getDouble(), bytes.getLong());
  }

  /** Where the records begin: logs of earlier versions have no word. */
  private static int start(FileChannel channel, Path file) throws IOException {
    return numbers(channel, file).getLong(0) == MAGIC ? HEADER : NUMBERS;
  }

  /** The header's numbers, at the one after what the file is. */
  private static ByteBuffer numbers(FileChannel channel, Path file) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(NUMBERS);
    read(channel, bytes, 0);
    bytes.flip();
    long kind = bytes.getLong();
    if (kind != MAGIC && kind != WITHOUT_WORD) {
      throw new InvalidInput("%s: is not a log of noised gradients".formatted(file));
    }
    return bytes;
  }

  private int record() {
    return HASH + parameters * Double.BYTES + Integer.BYTES;
  }

  private void readAll(long start) throws IOException {
    long at = start;
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
  @Override
  public double @Nullable [] said(double[] point) {
    try (var _ = lock.hold()) {
      double[] before = said.get(hash(point));
      return before == null ? null : before.clone();
    }
  }

  /** How many gradients were said. */
  @Override
  public long count() {
    try (var _ = lock.hold()) {
      return said.size();
    }
  }

  /** Keeps what is about to be said; it is on disk when this returns. */
  @Override
  public void keep(double[] point, double[] noised) {
    try (var _ = lock.hold()) {
      if (said.size() >= header.most()) {
        throw GradientJournal.exhausted(header.most());
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
