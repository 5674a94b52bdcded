package ngd.peer.durable;

import static java.lang.System.Logger.Level.WARNING;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import java.util.zip.CheckedOutputStream;
import ngd.core.InvalidInput;
import ngd.core.file.WholeFile;
import org.jspecify.annotations.Nullable;

/**
 * The snapshots of one peer in one folder. A snapshot is written beside the others, forced to the
 * disk and then named, so that it is there whole or not at all; the one before it stays, for the
 * case that the newest cannot be read again.
 *
 * <p>A folder belongs to one plan, and to one process at a time.
 */
public final class Checkpoints implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger("ngd.peer");
  private static final long MAGIC = 0x4e47445f534e4150L;
  private static final String UNFINISHED = "snapshot.unfinished";

  private final Path folder;
  private final String plan;
  private final FileChannel locked;
  private final FileLock lock;
  private long generation;

  /**
   * Opens a folder, which is made where it is missing.
   *
   * @param plan whose snapshots these are: the plan's hash and the site
   */
  public Checkpoints(Path folder, String plan) throws IOException {
    this.folder = folder;
    this.plan = plan;
    WholeFile.Access.PRIVATE.createFolders(folder);
    locked =
        FileChannel.open(
            folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    lock = locked(locked);
  }

  private FileLock locked(FileChannel channel) throws IOException {
    @Nullable FileLock own = null;
    try {
      own = channel.tryLock();
    } catch (OverlappingFileLockException here) {
      // By this very process.
    }
    if (own == null) {
      channel.close();
      throw new InvalidInput(
          "folder %s: must be used by one peer at a time; another one runs in it"
              .formatted(folder));
    }
    return own;
  }

  /** The newest snapshot that can be read whole, or none in a new folder. */
  public Optional<byte[]> newest() throws IOException {
    List<byte[]> all = chain();
    return all.isEmpty() ? Optional.empty() : Optional.of(all.getFirst());
  }

  /**
   * The newest snapshot that can be read whole, and those before it without a gap, newest first;
   * none in a new folder. Those that are torn or corrupt are named in the log; where no other is
   * left, that is an error and not a new start.
   */
  public List<byte[]> chain() throws IOException {
    List<Path> files = snapshots();
    List<byte[]> found = new ArrayList<>();
    for (Path file : files.reversed()) {
      if (!found.isEmpty() && number(file) != generation - found.size()) {
        break;
      }
      try {
        found.add(read(file));
      } catch (IOException unreadable) {
        LOG.log(WARNING, "snapshot-unreadable file={0} detail={1}", file, unreadable.getMessage());
        if (!found.isEmpty()) {
          break;
        }
        continue;
      }
      if (found.size() == 1) {
        generation = number(file);
        setAside(files.subList(files.indexOf(file) + 1, files.size()));
      }
    }
    if (found.isEmpty() && !files.isEmpty()) {
      throw new InvalidInput(
          "folder %s: must have a snapshot that can be read; all of %s are damaged. Put the newest intact copy of the folder back, or start a new run: a new word after `run` in the plan, and pack again"
              .formatted(folder, files.stream().map(Path::getFileName).toList()));
    }
    return found;
  }

  private static void setAside(List<Path> damaged) throws IOException {
    for (Path file : damaged) {
      Files.move(
          file,
          file.resolveSibling(file.getFileName() + ".damaged"),
          StandardCopyOption.REPLACE_EXISTING);
    }
  }

  /** The number of the newest snapshot; they are numbered from 1. */
  public long generation() {
    return generation;
  }

  private List<Path> snapshots() throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      List<Path> files = new ArrayList<>(all.filter(file -> number(file) > 0).toList());
      Collections.sort(files);
      return files;
    }
  }

  private static long number(Path file) {
    String name = file.getFileName().toString();
    return name.matches("snapshot-\\d{12}") ? Long.parseLong(name.substring(9)) : 0;
  }

  private byte[] read(Path file) throws IOException {
    byte[] all = Files.readAllBytes(file);
    if (all.length < Integer.BYTES) {
      throw new IOException("it is cut short");
    }
    CRC32C sum = new CRC32C();
    sum.update(all, 0, all.length - Integer.BYTES);
    if (ByteBuffer.wrap(all).getInt(all.length - Integer.BYTES) != (int) sum.getValue()) {
      throw new IOException("its checksum does not match");
    }
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(all))) {
      if (in.readLong() != MAGIC) {
        throw new IOException("it is not a snapshot");
      }
      String whose = in.readUTF();
      byte[] content = in.readNBytes(in.available() - Integer.BYTES);
      if (!whose.equals(plan)) {
        throw new InvalidInput(
            "folder %s: must belong to %s; its snapshots belong to %s. Every site keeps its own state folder: put the right one back"
                .formatted(folder, plan, whose));
      }
      return content;
    }
  }

  /**
   * Writes a snapshot; when this returns, it is on the disk.
   *
   * @param needed the oldest snapshot that is still needed; the one before the newest always stays
   */
  public void write(WholeFile.Content content, long needed) throws IOException {
    Path unfinished = folder.resolve(UNFINISHED);
    Path file = folder.resolve("snapshot-%012d".formatted(generation + 1));
    try {
      try (FileChannel channel =
          FileChannel.open(
              unfinished,
              Set.of(
                  StandardOpenOption.CREATE,
                  StandardOpenOption.TRUNCATE_EXISTING,
                  StandardOpenOption.WRITE),
              WholeFile.Access.PRIVATE.attributes(folder))) {
        CheckedOutputStream out =
            new CheckedOutputStream(
                new java.io.BufferedOutputStream(Channels.newOutputStream(channel), 1 << 16),
                new CRC32C());
        DataOutputStream data = new DataOutputStream(out);
        data.writeLong(MAGIC);
        data.writeUTF(plan);
        content.writeTo(data);
        data.writeInt((int) out.getChecksum().getValue());
        data.flush();
        channel.force(true);
      }
      Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException failed) {
      Files.deleteIfExists(unfinished);
      throw failed;
    }
    generation++;
    WholeFile.forceFolder(folder);
    for (Path old : snapshots()) {
      if (number(old) < Math.min(needed, generation - 1)) {
        Files.delete(old);
      }
    }
  }

  /** Deletes all snapshots: the run is as if it had never begun. */
  public void forget() throws IOException {
    for (Path old : snapshots()) {
      Files.delete(old);
    }
    WholeFile.forceFolder(folder);
  }

  @Override
  public void close() throws IOException {
    lock.release();
    locked.close();
  }
}
