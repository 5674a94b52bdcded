package ngd.peer.faults;

import java.io.IOException;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.LinkOption;
import java.nio.file.NotDirectoryException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.FileOwnerAttributeView;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.nio.file.spi.FileSystemProvider;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What {@link java.nio.file.Files} asks of a {@link SimulatedDisk}. */
final class DiskProvider extends FileSystemProvider {
  /** Whoever runs the simulation owns its files. */
  private static final GroupPrincipal OWNER = () -> System.getProperty("user.name");

  private final SimulatedDisk disk;

  DiskProvider(SimulatedDisk disk) {
    this.disk = disk;
  }

  private static Set<PosixFilePermission> mode(String usual, FileAttribute<?>... attributes) {
    for (FileAttribute<?> attribute : attributes) {
      if (attribute.name().equals("posix:permissions")) {
        @SuppressWarnings("unchecked") // What an attribute of this name has.
        Set<PosixFilePermission> given = (Set<PosixFilePermission>) attribute.value();
        return given;
      }
    }
    return PosixFilePermissions.fromString(usual);
  }

  @Override
  public FileChannel newFileChannel(
      Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
      throws IOException {
    DiskPath place = DiskPath.in(path);
    return new DiskChannel(
        disk, place, disk.open(place, options, mode("rw-r--r--", attributes)), options);
  }

  @Override
  public SeekableByteChannel newByteChannel(
      Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
      throws IOException {
    return newFileChannel(path, options, attributes);
  }

  @Override
  public DirectoryStream<Path> newDirectoryStream(
      Path folder, DirectoryStream.Filter<? super Path> filter) throws IOException {
    SimulatedDisk.Node node = disk.find(folder);
    if (!node.folder) {
      throw new NotDirectoryException(folder.toString());
    }
    List<Path> inside = new ArrayList<>();
    for (String name : node.entries.keySet()) {
      Path path = folder.resolve(name);
      if (filter.accept(path)) {
        inside.add(path);
      }
    }
    return new DirectoryStream<>() {
      @Override
      public Iterator<Path> iterator() {
        return inside.iterator();
      }

      @Override
      public void close() {}
    };
  }

  @Override
  public void createDirectory(Path folder, FileAttribute<?>... attributes) throws IOException {
    disk.makeFolder(DiskPath.in(folder), mode("rwxr-xr-x", attributes));
  }

  @Override
  public void delete(Path path) throws IOException {
    disk.delete(DiskPath.in(path));
  }

  @Override
  public void copy(Path from, Path to, CopyOption... options) {
    throw new UnsupportedOperationException("simulated disk: nothing is copied");
  }

  @Override
  public void move(Path from, Path to, CopyOption... options) throws IOException {
    Set<CopyOption> given = Set.of(options);
    disk.move(
        DiskPath.in(from),
        DiskPath.in(to),
        given.contains(StandardCopyOption.REPLACE_EXISTING)
            || given.contains(StandardCopyOption.ATOMIC_MOVE));
  }

  @Override
  public boolean isSameFile(Path one, Path two) {
    return one.toAbsolutePath().normalize().equals(two.toAbsolutePath().normalize());
  }

  @Override
  public boolean isHidden(Path path) {
    return false;
  }

  @Override
  public FileStore getFileStore(Path path) {
    throw new UnsupportedOperationException("simulated disk: no stores");
  }

  @Override
  public void checkAccess(Path path, AccessMode... modes) throws IOException {
    disk.find(path);
  }

  @Override
  public <V extends FileAttributeView> @Nullable V getFileAttributeView(
      Path path, Class<V> type, LinkOption... options) {
    return type == PosixFileAttributeView.class || type == FileOwnerAttributeView.class
        ? type.cast(new View(path))
        : null;
  }

  @Override
  public <A extends BasicFileAttributes> A readAttributes(
      Path path, Class<A> type, LinkOption... options) throws IOException {
    return type.cast(new Attributes(disk.find(path)));
  }

  @Override
  public Map<String, Object> readAttributes(Path path, String names, LinkOption... options)
      throws IOException {
    Attributes all = new Attributes(disk.find(path));
    return Map.of(
        "size", all.size(),
        "isDirectory", all.isDirectory(),
        "isRegularFile", all.isRegularFile(),
        "lastModifiedTime", all.lastModifiedTime(),
        "permissions", all.permissions(),
        "owner", all.owner());
  }

  @Override
  public void setAttribute(Path path, String name, Object value, LinkOption... options)
      throws IOException {
    disk.find(path);
  }

  private record Attributes(SimulatedDisk.Node node) implements PosixFileAttributes {
    @Override
    public FileTime lastModifiedTime() {
      return FileTime.fromMillis(node.modified);
    }

    @Override
    public FileTime lastAccessTime() {
      return lastModifiedTime();
    }

    @Override
    public FileTime creationTime() {
      return lastModifiedTime();
    }

    @Override
    public boolean isRegularFile() {
      return !node.folder;
    }

    @Override
    public boolean isDirectory() {
      return node.folder;
    }

    @Override
    public boolean isSymbolicLink() {
      return false;
    }

    @Override
    public boolean isOther() {
      return false;
    }

    @Override
    public long size() {
      return node.content.length;
    }

    @Override
    public Object fileKey() {
      return node;
    }

    @Override
    public UserPrincipal owner() {
      return OWNER;
    }

    @Override
    public GroupPrincipal group() {
      return OWNER;
    }

    @Override
    public Set<PosixFilePermission> permissions() {
      return node.mode;
    }
  }

  private final class View implements PosixFileAttributeView {
    private final Path path;

    View(Path path) {
      this.path = path;
    }

    @Override
    public String name() {
      return "posix";
    }

    @Override
    public PosixFileAttributes readAttributes() throws IOException {
      return new Attributes(disk.find(path));
    }

    @Override
    public void setTimes(
        @Nullable FileTime modified, @Nullable FileTime accessed, @Nullable FileTime created) {}

    @Override
    public UserPrincipal getOwner() {
      return OWNER;
    }

    @Override
    public void setOwner(UserPrincipal owner) {}

    @Override
    public void setPermissions(Set<PosixFilePermission> mode) throws IOException {
      disk.find(path).mode = mode;
    }

    @Override
    public void setGroup(GroupPrincipal group) {}
  }

  @Override
  public String getScheme() {
    return "simulated";
  }

  @Override
  public FileSystem newFileSystem(URI uri, Map<String, ?> settings) {
    throw new UnsupportedOperationException("simulated disk: made by a simulation alone");
  }

  @Override
  public FileSystem getFileSystem(URI uri) {
    return disk;
  }

  @Override
  public Path getPath(URI uri) {
    return DiskPath.of(disk, uri.getPath());
  }
}
