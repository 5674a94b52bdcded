package ngd.peer.durable;

import static java.lang.System.Logger.Level.WARNING;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import ngd.core.InvalidInput;

/**
 * An append-only list of entries that is on the disk before anybody acts on it: what a restarted
 * peer must repeat and could not compute again, such as noise that was drawn.
 *
 * <p>An entry whose writing was cut short is the last one and never happened. Damage anywhere else
 * is refused: what followed would silently be something else.
 */
public final class Journal implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger("ngd.peer");
  private static final int HEAD = 2 * Integer.BYTES;

  private final Path file;
  private final FileChannel channel;
  private final List<byte[]> entries = new ArrayList<>();

  /** Opens a journal, which is made where it is missing, for the plan with this hash. */
  public Journal(Path file, String plan) throws IOException {
    this.file = file;
    channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    List<byte[]> found = read();
    byte[] title = ("ngd journal " + plan).getBytes(StandardCharsets.UTF_8);
    if (found.isEmpty()) {
      channel.truncate(0);
      write(title);
      return;
    }
    if (!java.util.Arrays.equals(found.getFirst(), title)) {
      channel.close();
      throw new InvalidInput(
          "journal %s: must belong to the plan %s; it begins with `%s`"
              .formatted(file, plan, new String(found.getFirst(), StandardCharsets.UTF_8)));
    }
    entries.addAll(found.subList(1, found.size()));
  }

  private List<byte[]> read() throws IOException {
    List<byte[]> found = new ArrayList<>();
    long size = channel.size();
    long at = 0;
    while (at < size) {
      ByteBuffer head = ByteBuffer.allocate(HEAD);
      boolean whole = size - at >= HEAD && fill(head, at);
      int length = whole ? head.getInt(0) : 0;
      if (!whole || length < 0 || length > size - at - HEAD) {
        break;
      }
      ByteBuffer entry = ByteBuffer.allocate(length);
      fill(entry, at + HEAD);
      long end = at + HEAD + length;
      if (sum(entry.array()) != head.getInt(Integer.BYTES)) {
        if (end < size) {
          channel.close();
          throw new InvalidInput(
              "journal %s: must be whole; its entry %d, at byte %d, is damaged. Restore the file from a backup"
                  .formatted(file, found.size(), at));
        }
        break;
      }
      found.add(entry.array());
      at = end;
    }
    if (at < size) {
      LOG.log(WARNING, "journal-torn file={0} bytes={1}", file, size - at);
      channel.truncate(at);
      channel.force(true);
    }
    channel.position(at);
    return found;
  }

  private boolean fill(ByteBuffer into, long from) throws IOException {
    while (into.hasRemaining()) {
      if (channel.read(into, from + into.position()) < 0) {
        return false;
      }
    }
    return true;
  }

  private static int sum(byte[] bytes) {
    CRC32C sum = new CRC32C();
    sum.update(bytes);
    return (int) sum.getValue();
  }

  /** All entries so far, oldest first. */
  public List<byte[]> entries() {
    return List.copyOf(entries);
  }

  /** Adds an entry; when this returns, it is on the disk. */
  public void append(byte[] entry) throws IOException {
    write(entry);
    entries.add(entry.clone());
  }

  private void write(byte[] entry) throws IOException {
    long before = channel.position();
    ByteBuffer bytes = ByteBuffer.allocate(HEAD + entry.length);
    bytes.putInt(entry.length).putInt(sum(entry)).put(entry).flip();
    try {
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(false);
    } catch (IOException failed) {
      channel.truncate(before);
      channel.position(before);
      throw failed;
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
