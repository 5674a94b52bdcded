package ngd.peer.faults;

import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.ProviderMismatchException;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A path on a {@link SimulatedDisk}.
 *
 * @param names of folders and file, from the root or from wherever it is resolved
 */
record DiskPath(SimulatedDisk disk, boolean isAbsolute, List<String> names) implements Path {
  DiskPath {
    names = List.copyOf(names);
  }

  static DiskPath of(SimulatedDisk disk, String text) {
    return new DiskPath(
        disk,
        text.startsWith("/"),
        Stream.of(text.split("/")).filter(name -> !name.isEmpty()).toList());
  }

  static DiskPath in(Path path) {
    if (path instanceof DiskPath own) {
      return own;
    }
    throw new ProviderMismatchException("simulated disk: not a path of it: " + path);
  }

  private DiskPath with(boolean absolute, List<String> others) {
    return new DiskPath(disk, absolute, others);
  }

  @Override
  public FileSystem getFileSystem() {
    return disk;
  }

  @Override
  public @Nullable Path getRoot() {
    return isAbsolute ? with(true, List.of()) : null;
  }

  @Override
  public @Nullable Path getFileName() {
    return names.isEmpty() ? null : with(false, List.of(names.getLast()));
  }

  @Override
  public @Nullable Path getParent() {
    return names.isEmpty() || (names.size() == 1 && !isAbsolute)
        ? null
        : with(isAbsolute, names.subList(0, names.size() - 1));
  }

  @Override
  public int getNameCount() {
    return names.size();
  }

  @Override
  public Path getName(int index) {
    return with(false, List.of(names.get(index)));
  }

  @Override
  public Path subpath(int from, int to) {
    return with(false, names.subList(from, to));
  }

  @Override
  public boolean startsWith(Path other) {
    DiskPath start = in(other);
    return start.isAbsolute == isAbsolute
        && start.names.size() <= names.size()
        && names.subList(0, start.names.size()).equals(start.names);
  }

  @Override
  public boolean endsWith(Path other) {
    DiskPath end = in(other);
    return end.isAbsolute
        ? equals(end)
        : end.names.size() <= names.size()
            && names.subList(names.size() - end.names.size(), names.size()).equals(end.names);
  }

  @Override
  public Path normalize() {
    List<String> plain = new ArrayList<>();
    for (String name : names) {
      if (name.equals("..") && !plain.isEmpty()) {
        plain.removeLast();
      } else if (!name.equals(".")) {
        plain.add(name);
      }
    }
    return with(isAbsolute, plain);
  }

  @Override
  public Path resolve(Path other) {
    DiskPath below = in(other);
    if (below.isAbsolute) {
      return below;
    }
    List<String> all = new ArrayList<>(names);
    all.addAll(below.names);
    return with(isAbsolute, all);
  }

  @Override
  public Path relativize(Path other) {
    DiskPath below = in(other);
    if (!below.startsWith(this)) {
      throw new IllegalArgumentException("simulated disk: %s is not in %s".formatted(other, this));
    }
    return with(false, below.names.subList(names.size(), below.names.size()));
  }

  @Override
  public URI toUri() {
    return URI.create("simulated:" + toAbsolutePath());
  }

  @Override
  public Path toAbsolutePath() {
    return with(true, names);
  }

  @Override
  public Path toRealPath(LinkOption... options) {
    return toAbsolutePath().normalize();
  }

  @Override
  public WatchKey register(
      WatchService watcher, WatchEvent.Kind<?>[] events, WatchEvent.Modifier... modifiers) {
    throw new UnsupportedOperationException("simulated disk: nothing is watched");
  }

  @Override
  public int compareTo(Path other) {
    return toString().compareTo(other.toString());
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof DiskPath path
        && path.disk == disk
        && path.isAbsolute == isAbsolute
        && path.names.equals(names);
  }

  @Override
  public int hashCode() {
    return names.hashCode();
  }

  @Override
  public String toString() {
    return (isAbsolute ? "/" : "") + String.join("/", names);
  }
}
