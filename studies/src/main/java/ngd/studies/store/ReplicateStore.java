package ngd.studies.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.zip.CRC32C;
import ngd.core.InvalidInput;

/**
 * The finished replicates of one study in one file, appended as they come.
 *
 * <p>The file is a header and records of equal size: the replicate's index, its numbers, a
 * checksum. A process that is killed can leave at most a torn record at the end; the first record
 * that is not whole, and all after it, are cut off on opening and computed again. Numbers are read
 * where they lie, so memory holds only where each replicate is.
 */
public final class ReplicateStore implements AutoCloseable {
  /** Where they lie in the folder of their study. */
  static final String FOLDER = "replicates";

  private static final long MAGIC = 0x6e67642d73747564L;
  private static final int HEADER = 3 * Long.BYTES;

  /** Records between two forced writes: a crash of the machine, not of the process, costs these. */
  private static final int FORCE_EVERY = 32;

  private final FileChannel file;
  private final int width;
  private final ByteBuffer record;

  /** The record of each replicate, or −1. */
  private int[] recordOf = new int[0];

  private int records;
  private int finished;

  private ReplicateStore(FileChannel file, int width) {
    this.file = file;
    this.width = width;
    record = ByteBuffer.allocate(Math.toIntExact((width + 2L) * Long.BYTES));
  }

  /** The replicates of a study in its folder. */
  public static ReplicateStore in(Path folder, String study, int width) {
    try {
      return open(Files.createDirectories(folder.resolve(FOLDER)).resolve(study + ".bin"), width);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  static ReplicateStore open(Path path, int width) {
    try {
      ReplicateStore store =
          new ReplicateStore(
              FileChannel.open(
                  path,
                  StandardOpenOption.CREATE,
                  StandardOpenOption.READ,
                  StandardOpenOption.WRITE),
              width);
      store.recover(path);
      return store;
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private void recover(Path path) throws IOException {
    ByteBuffer header = ByteBuffer.allocate(HEADER);
    header.putLong(MAGIC).putLong(width).putLong(checksum(header.array(), 2 * Long.BYTES)).flip();
    if (file.size() < HEADER) {
      file.truncate(0);
      writeFully(header, 0);
      file.force(false);
      return;
    }
    ByteBuffer found = ByteBuffer.allocate(HEADER);
    readFully(found, 0);
    if (!Arrays.equals(found.array(), header.array())) {
      throw new InvalidInput(
          "%s: must be the stored replicates of this study, %d numbers each; it is something else"
              .formatted(path, width));
    }
    long whole = (file.size() - HEADER) / record.capacity();
    for (int i = 0; i < whole; i++) {
      readFully(record.clear(), at(i));
      if (record.getLong(record.capacity() - Long.BYTES)
          != checksum(record.array(), record.capacity() - Long.BYTES)) {
        break;
      }
      note((int) record.getLong(0));
    }
    file.truncate(at(records));
  }

  private long at(long number) {
    return HEADER + number * record.capacity();
  }

  private void note(int replicate) {
    if (replicate >= recordOf.length) {
      int known = recordOf.length;
      recordOf = Arrays.copyOf(recordOf, Math.max(replicate + 1, 2 * known));
      Arrays.fill(recordOf, known, recordOf.length, -1);
    }
    if (recordOf[replicate] < 0) {
      finished++;
    }
    recordOf[replicate] = records++;
  }

  /** How many different replicates are here. */
  public int finished() {
    return finished;
  }

  public boolean has(int replicate) {
    return replicate < recordOf.length && recordOf[replicate] >= 0;
  }

  /** Adds a replicate; one that is here already stays as it is. */
  public void append(int replicate, double[] values) {
    if (values.length != width) {
      throw new IllegalArgumentException(
          "replicate: must have %d numbers; got %d".formatted(width, values.length));
    }
    if (has(replicate)) {
      return;
    }
    record.clear().putLong(replicate);
    for (double value : values) {
      record.putDouble(value);
    }
    record.putLong(checksum(record.array(), record.position())).flip();
    try {
      writeFully(record, at(records));
      note(replicate);
      if (records % FORCE_EVERY == 0) {
        file.force(false);
      }
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** Reads {@code count} numbers of a replicate, the first at {@code from}. */
  public void read(int replicate, int from, double[] into, int at, int count) {
    ByteBuffer part = ByteBuffer.allocate(count * Double.BYTES);
    try {
      readFully(part, at(recordOf[replicate]) + (1L + from) * Long.BYTES);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
    part.flip().asDoubleBuffer().get(into, at, count);
  }

  private void writeFully(ByteBuffer bytes, long position) throws IOException {
    while (bytes.hasRemaining()) {
      position += file.write(bytes, position);
    }
  }

  private void readFully(ByteBuffer bytes, long position) throws IOException {
    while (bytes.hasRemaining()) {
      int read = file.read(bytes, position);
      if (read < 0) {
        throw new IOException("the stored replicates end too soon");
      }
      position += read;
    }
  }

  private static long checksum(byte[] bytes, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, length);
    return crc.getValue();
  }

  @Override
  public void close() {
    try {
      file.force(false);
      file.close();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }
}
