package ngd.peer.faults;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.OpenOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Set;

/** An open file or folder of a {@link SimulatedDisk}. */
final class DiskChannel extends FileChannel {
  private final SimulatedDisk disk;
  private final DiskPath path;
  private final SimulatedDisk.Node node;
  private final boolean appends;
  private long position;
  private boolean locked;

  DiskChannel(
      SimulatedDisk disk,
      DiskPath path,
      SimulatedDisk.Node node,
      Set<? extends OpenOption> options) {
    this.disk = disk;
    this.path = path;
    this.node = node;
    appends = options.contains(StandardOpenOption.APPEND);
  }

  @Override
  public int read(ByteBuffer into) {
    int count = read(into, position);
    position += Math.max(0, count);
    return count;
  }

  @Override
  public int read(ByteBuffer into, long at) {
    if (at >= node.content.length) {
      return into.hasRemaining() ? -1 : 0;
    }
    int count = (int) Math.min(into.remaining(), node.content.length - at);
    into.put(node.content, (int) at, count);
    return count;
  }

  @Override
  public long read(ByteBuffer[] into, int offset, int length) {
    long count = 0;
    for (ByteBuffer one : Arrays.copyOfRange(into, offset, offset + length)) {
      count += Math.max(0, read(one));
    }
    return count;
  }

  @Override
  public int write(ByteBuffer from) throws IOException {
    int count = write(from, appends ? node.content.length : position);
    position = (appends ? node.content.length : position + count);
    return count;
  }

  /** Contents are replaced, never changed, so that what was forced needs no copy. */
  @Override
  public int write(ByteBuffer from, long at) throws IOException {
    disk.change("write", path);
    int count = from.remaining();
    byte[] next =
        Arrays.copyOf(node.content, Math.max(node.content.length, Math.toIntExact(at + count)));
    from.get(next, (int) at, count);
    node.content = next;
    node.loose = true;
    node.modified++;
    return count;
  }

  @Override
  public long write(ByteBuffer[] from, int offset, int length) throws IOException {
    long count = 0;
    for (ByteBuffer one : Arrays.copyOfRange(from, offset, offset + length)) {
      count += write(one);
    }
    return count;
  }

  @Override
  public long position() {
    return position;
  }

  @Override
  public FileChannel position(long to) {
    position = to;
    return this;
  }

  @Override
  public long size() {
    return node.content.length;
  }

  @Override
  public FileChannel truncate(long size) throws IOException {
    if (size < node.content.length) {
      disk.change("truncate", path);
      node.content = Arrays.copyOf(node.content, (int) size);
      node.shortest = Math.min(node.shortest, (int) size);
      node.loose = true;
    }
    position = Math.min(position, size);
    return this;
  }

  @Override
  public void force(boolean metaData) throws IOException {
    disk.change("force", path);
    node.force();
  }

  @Override
  public long transferTo(long from, long count, WritableByteChannel to) throws IOException {
    int length = (int) Math.max(0, Math.min(count, node.content.length - from));
    return to.write(ByteBuffer.wrap(node.content, (int) from, length));
  }

  @Override
  public long transferFrom(ReadableByteChannel from, long at, long count) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(Math.toIntExact(count));
    from.read(buffer);
    return write(buffer.flip(), at);
  }

  @Override
  public MappedByteBuffer map(MapMode mode, long from, long size) {
    throw new UnsupportedOperationException("simulated disk: nothing is mapped");
  }

  @Override
  public FileLock lock(long from, long size, boolean shared) {
    return tryLock(from, size, shared);
  }

  @Override
  public FileLock tryLock(long from, long size, boolean shared) {
    SimulatedDisk.lock(node);
    locked = true;
    return new FileLock(this, from, size, shared) {
      @Override
      public boolean isValid() {
        return locked;
      }

      @Override
      public void release() {
        unlock();
      }
    };
  }

  private void unlock() {
    if (locked) {
      locked = false;
      node.locked = false;
    }
  }

  @Override
  protected void implCloseChannel() {
    unlock();
  }
}
