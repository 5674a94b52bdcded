package ngd.core.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.GeneralSecurityException;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import javax.crypto.Cipher;
import javax.crypto.KeyGenerator;
import javax.crypto.SecretKey;
import javax.crypto.spec.IvParameterSpec;
import ngd.core.WorkFailed;

/**
 * Numbers in a file that is of no use to anybody else: sealed by AES in counter mode under a key
 * that is in this process's memory alone, open to its owner alone, and without a name from the
 * start where the system allows that, so that nothing stays behind, whatever ends the process.
 *
 * <p>Several threads may read at once, also while another appends.
 */
public final class SealedNumbers implements AutoCloseable {
  /** The bytes that one key stream block seals. */
  private static final int SEALED_AT_ONCE = 16;

  private static final int CHUNK = 1 << 16;

  private final Path folder;
  private final FileChannel channel;
  private final SecretKey key;
  private final AtomicLong size = new AtomicLong();

  private SealedNumbers(Path folder, FileChannel channel, SecretKey key) {
    this.folder = folder;
    this.channel = channel;
    this.key = key;
  }

  /** An empty file in a folder. */
  public static SealedNumbers in(Path folder) {
    Path file = folder.resolve(".ngd-rows-" + UUID.randomUUID());
    try {
      WholeFile.Access.PRIVATE.createFolders(folder);
      FileChannel channel =
          FileChannel.open(
              file,
              Set.of(
                  StandardOpenOption.CREATE_NEW,
                  StandardOpenOption.READ,
                  StandardOpenOption.WRITE,
                  StandardOpenOption.DELETE_ON_CLOSE),
              WholeFile.Access.PRIVATE.attributes(folder));
      try {
        Files.deleteIfExists(file);
      } catch (IOException held) {
        // Elsewhere than on POSIX systems an open file keeps its name until it is closed.
      }
      return new SealedNumbers(folder, channel, newKey());
    } catch (IOException e) {
      throw failed(folder, e);
    }
  }

  private static SecretKey newKey() {
    try {
      KeyGenerator keys = KeyGenerator.getInstance("AES");
      keys.init(128);
      return keys.generateKey();
    } catch (GeneralSecurityException absent) {
      throw new IllegalStateException("every Java has AES", absent);
    }
  }

  private static WorkFailed failed(Path folder, IOException e) {
    return new WorkFailed(
        "%s: rows that do not fit memory cannot be kept in a file there: %s"
            .formatted(folder, e.getMessage()),
        e);
  }

  /**
   * Adds numbers at the end.
   *
   * @param count an even number of them
   * @return the place of the first
   */
  public long append(double[] numbers, int from, int count) {
    if (count % 2 != 0) {
      throw new IllegalArgumentException("an even count of numbers is sealed; got " + count);
    }
    long place = size.getAndAdd(count);
    Cipher cipher = cipher(place);
    byte[] plain = new byte[Math.min(CHUNK, count * Double.BYTES)];
    byte[] sealed = new byte[plain.length];
    try {
      for (int done = 0; done < count; done += CHUNK / Double.BYTES) {
        int length = Math.min(CHUNK / Double.BYTES, count - done);
        ByteBuffer.wrap(plain)
            .order(ByteOrder.LITTLE_ENDIAN)
            .asDoubleBuffer()
            .put(numbers, from + done, length);
        cipher.update(plain, 0, length * Double.BYTES, sealed, 0);
        ByteBuffer out = ByteBuffer.wrap(sealed, 0, length * Double.BYTES);
        long at = (place + done) * Double.BYTES;
        while (out.hasRemaining()) {
          at += channel.write(out, at);
        }
      }
    } catch (IOException e) {
      throw failed(folder, e);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("room for as many bytes as come in", e);
    }
    return place;
  }

  /** Reads numbers from a place that {@link #append} returned, or an even number after it. */
  public void read(long place, double[] into, int from, int count) {
    Cipher cipher = cipher(place);
    byte[] sealed = new byte[Math.min(CHUNK, count * Double.BYTES)];
    byte[] plain = new byte[sealed.length];
    try {
      for (int done = 0; done < count; done += CHUNK / Double.BYTES) {
        int length = Math.min(CHUNK / Double.BYTES, count - done);
        ByteBuffer in = ByteBuffer.wrap(sealed, 0, length * Double.BYTES);
        long at = (place + done) * Double.BYTES;
        while (in.hasRemaining()) {
          int got = channel.read(in, at);
          if (got < 0) {
            throw new IOException("it ends before the numbers that were written");
          }
          at += got;
        }
        cipher.update(sealed, 0, length * Double.BYTES, plain, 0);
        ByteBuffer.wrap(plain)
            .order(ByteOrder.LITTLE_ENDIAN)
            .asDoubleBuffer()
            .get(into, from + done, length);
      }
    } catch (IOException e) {
      throw failed(folder, e);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("room for as many bytes as come in", e);
    }
  }

  /** The key stream from a place on: the same to seal and to open. */
  private Cipher cipher(long place) {
    ByteBuffer counter = ByteBuffer.allocate(SEALED_AT_ONCE);
    counter.putLong(Long.BYTES, place * Double.BYTES / SEALED_AT_ONCE);
    try {
      Cipher cipher = Cipher.getInstance("AES/CTR/NoPadding");
      cipher.init(Cipher.ENCRYPT_MODE, key, new IvParameterSpec(counter.array()));
      return cipher;
    } catch (GeneralSecurityException absent) {
      throw new IllegalStateException("every Java has AES in counter mode", absent);
    }
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException gone) {
      // Nothing in it is needed any more.
    }
  }
}
