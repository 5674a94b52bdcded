package ngd.peer.faults;

import java.io.IOException;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.StandardOpenOption;
import java.nio.file.WatchService;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.nio.file.spi.FileSystemProvider;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.commons.rng.UniformRandomProvider;
import org.jspecify.annotations.Nullable;

/**
 * The disk of one site, in memory. What was forced survives a crash. Of what was not, the seed
 * decides: of a file's bytes none, some or all, of the changes to a folder those before some
 * moment, as POSIX permits and no more.
 *
 * <p>Every change asks {@link Faults} first, which may refuse it or end the machine there.
 */
final class SimulatedDisk extends FileSystem {
  /** What may go wrong with a change. */
  interface Faults {
    /** No faults. */
    Faults NONE = what -> {};

    /** Comes before every change; may end the machine, and does not return then. */
    void change(String what) throws IOException;
  }

  /** A file or a folder. */
  static final class Node {
    final boolean folder;
    Set<PosixFilePermission> mode = PosixFilePermissions.fromString("rw-r--r--");
    long modified;
    boolean locked;

    byte[] content = {};
    byte[] forced = {};

    /** Whether the content has changed since it was forced. */
    boolean loose;

    /** The shortest that it was since then: what is written over does not shorten a file. */
    int shortest;

    Map<String, Node> entries = new TreeMap<>();
    private Map<String, Node> forcedEntries = new TreeMap<>();

    /** What has become of the entries since they were forced, one change after another. */
    private final List<Map<String, Node>> since = new ArrayList<>();

    Node(boolean folder) {
      this.folder = folder;
    }

    void entriesChanged() {
      since.add(new TreeMap<>(entries));
    }

    void force() {
      if (folder) {
        forcedEntries = new TreeMap<>(entries);
        since.clear();
      } else {
        forced = content;
        shortest = content.length;
        loose = false;
      }
    }

    /** Whatever the seed leaves of it. */
    void crash(UniformRandomProvider draw) {
      locked = false;
      if (folder) {
        int kept = draw.nextInt(since.size() + 1);
        entries = new TreeMap<>(kept == 0 ? forcedEntries : since.get(kept - 1));
        entries.values().forEach(node -> node.crash(draw));
      } else if (loose) {
        content = torn(draw);
      }
      force();
    }

    private byte[] torn(UniformRandomProvider draw) {
      return switch (draw.nextInt(4)) {
        case 0 -> forced;
        case 1 -> content;
        case 2 -> {
          int least = Math.min(shortest, content.length);
          yield Arrays.copyOf(content, least + draw.nextInt(content.length - least + 1));
        }
        default -> {
          // Pages of the end were written, those before were not: they read as zeros.
          byte[] holes = content.clone();
          int from = Math.min(shortest, holes.length);
          Arrays.fill(holes, from, from + draw.nextInt(holes.length - from + 1), (byte) 0);
          yield holes;
        }
      };
    }

    long bytes() {
      return content.length + entries.values().stream().mapToLong(Node::bytes).sum();
    }

    int files() {
      return folder ? entries.values().stream().mapToInt(Node::files).sum() : 1;
    }
  }

  private final DiskProvider provider = new DiskProvider(this);
  private Node root = new Node(true);
  private Faults faults = Faults.NONE;
  private long changes;

  /** The root of the disk. */
  Path root() {
    return new DiskPath(this, true, List.of());
  }

  void faults(Faults now) {
    faults = now;
  }

  /** How often it was changed. */
  long changes() {
    return changes;
  }

  long bytes() {
    return root.bytes();
  }

  int files() {
    return root.files();
  }

  /** All is on the disk for good. */
  void settle() {
    forceAll(root);
  }

  private static void forceAll(Node node) {
    node.force();
    node.entries.values().forEach(SimulatedDisk::forceAll);
  }

  /** What the machine leaves when its power fails. */
  void crash(UniformRandomProvider draw) {
    root.crash(draw);
  }

  /** What the process leaves when it alone ends: all that it wrote. */
  void kill() {
    unlock(root);
  }

  private static void unlock(Node node) {
    node.locked = false;
    node.entries.values().forEach(SimulatedDisk::unlock);
  }

  /** A copy of a folder as it is now, to be put back later or elsewhere. */
  Node copy(Path folder) throws IOException {
    return copy(find(folder));
  }

  private static Node copy(Node node) {
    Node copied = new Node(node.folder);
    copied.content = node.content;
    copied.mode = node.mode;
    node.entries.forEach((name, inside) -> copied.entries.put(name, copy(inside)));
    copied.force();
    return copied;
  }

  /** Puts a copy in the place of a folder. */
  void put(Path folder, Node copied) throws IOException {
    DiskPath path = DiskPath.in(folder);
    if (path.names().isEmpty()) {
      root = copy(copied);
    } else {
      parent(path).entries.put(path.names().getLast(), copy(copied));
    }
    settle();
  }

  // ---- What the provider needs

  void change(String what, Path path) throws IOException {
    changes++;
    faults.change(what + " " + path.getFileName());
  }

  @Nullable Node look(Path path) {
    Node now = root;
    for (String name : ((DiskPath) DiskPath.in(path).normalize()).names()) {
      Node next = now.folder ? now.entries.get(name) : null;
      if (next == null) {
        return null;
      }
      now = next;
    }
    return now;
  }

  Node find(Path path) throws IOException {
    Node found = look(path);
    if (found == null) {
      throw new NoSuchFileException(path.toString());
    }
    return found;
  }

  private Node parent(DiskPath path) throws IOException {
    Node folder = root;
    for (String name : path.names().subList(0, path.names().size() - 1)) {
      Node next = folder.entries.get(name);
      if (next == null) {
        throw new NoSuchFileException(path.toString());
      }
      if (!next.folder) {
        throw new NotDirectoryException(path.toString());
      }
      folder = next;
    }
    return folder;
  }

  void makeFolder(DiskPath path, Set<PosixFilePermission> mode) throws IOException {
    if (look(path) != null) {
      throw new FileAlreadyExistsException(path.toString());
    }
    Node folder = parent(path);
    change("mkdir", path);
    Node made = new Node(true);
    made.mode = mode;
    folder.entries.put(path.names().getLast(), made);
    folder.entriesChanged();
  }

  /** Opens a file, which is made where that is asked for. */
  Node open(DiskPath path, Set<? extends OpenOption> options, Set<PosixFilePermission> mode)
      throws IOException {
    Node found = look(path);
    boolean writes =
        options.contains(StandardOpenOption.WRITE) || options.contains(StandardOpenOption.APPEND);
    if (found != null && options.contains(StandardOpenOption.CREATE_NEW)) {
      throw new FileAlreadyExistsException(path.toString());
    }
    if (found == null) {
      boolean makes =
          options.contains(StandardOpenOption.CREATE)
              || options.contains(StandardOpenOption.CREATE_NEW);
      if (!writes || !makes) {
        throw new NoSuchFileException(path.toString());
      }
      Node folder = parent(path);
      change("create", path);
      found = new Node(false);
      found.mode = mode;
      folder.entries.put(path.names().getLast(), found);
      folder.entriesChanged();
    } else if (writes && options.contains(StandardOpenOption.TRUNCATE_EXISTING)) {
      change("truncate", path);
      found.content = new byte[0];
      found.shortest = 0;
      found.loose = true;
    }
    return found;
  }

  void delete(DiskPath path) throws IOException {
    Node gone = find(path);
    if (gone.folder && !gone.entries.isEmpty()) {
      throw new DirectoryNotEmptyException(path.toString());
    }
    change("delete", path);
    Node folder = parent(path);
    folder.entries.remove(path.names().getLast());
    folder.entriesChanged();
  }

  void move(DiskPath from, DiskPath to, boolean replaces) throws IOException {
    Node moved = find(from);
    Node there = look(to);
    if (there != null && !replaces) {
      throw new FileAlreadyExistsException(to.toString());
    }
    Node source = parent(from);
    Node target = parent(to);
    change("move", to);
    source.entries.remove(from.names().getLast());
    target.entries.put(to.names().getLast(), moved);
    if (source != target) {
      source.entriesChanged();
    }
    target.entriesChanged();
  }

  static void lock(Node node) {
    if (node.locked) {
      throw new OverlappingFileLockException();
    }
    node.locked = true;
  }

  // ---- As a file system

  @Override
  public FileSystemProvider provider() {
    return provider;
  }

  @Override
  public void close() {}

  @Override
  public boolean isOpen() {
    return true;
  }

  @Override
  public boolean isReadOnly() {
    return false;
  }

  @Override
  public String getSeparator() {
    return "/";
  }

  @Override
  public Iterable<Path> getRootDirectories() {
    return List.of(root());
  }

  @Override
  public Iterable<FileStore> getFileStores() {
    return List.of();
  }

  @Override
  public Set<String> supportedFileAttributeViews() {
    return Set.of("basic", "owner", "posix");
  }

  @Override
  public Path getPath(String first, String... more) {
    return DiskPath.of(this, String.join("/", first, String.join("/", more)));
  }

  @Override
  public PathMatcher getPathMatcher(String pattern) {
    throw new UnsupportedOperationException("simulated disk: no patterns");
  }

  @Override
  public UserPrincipalLookupService getUserPrincipalLookupService() {
    throw new UnsupportedOperationException("simulated disk: no users");
  }

  @Override
  public WatchService newWatchService() {
    throw new UnsupportedOperationException("simulated disk: nothing is watched");
  }
}
