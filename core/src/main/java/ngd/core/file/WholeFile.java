package ngd.core.file;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Files that are there whole or not at all: written beside their place, forced to the disk, then
 * moved there over an older one.
 */
public final class WholeFile {
  /**
   * Tells drafts of this process from those of others that share a folder. The process's number
   * does not: in containers each may be number 1, also the one that continues after a crash.
   */
  private static final long PROCESS = UUID.randomUUID().getMostSignificantBits() >>> 1;

  private static final AtomicLong DRAFTS = new AtomicLong();

  private WholeFile() {}

  /** Who may read a file. */
  public enum Access {
    /** Its owner alone, from the first moment on. */
    PRIVATE("rw-------", "rwx------"),
    /** Whomever the system lets read new files. */
    USUAL("", "");

    private final String mode;
    private final String folderMode;

    Access(String mode, String folderMode) {
      this.mode = mode;
      this.folderMode = folderMode;
    }

    /** What a new file in a folder is made with. */
    public FileAttribute<?>[] attributes(Path folder) {
      return attributes(folder, mode);
    }

    /**
     * Makes a folder, and those above it that are missing; when this returns, their names are on
     * the disk. Else a power failure could take a folder away with all that was forced in it.
     */
    public void createFolders(Path folder) throws IOException {
      Path place = folder.toAbsolutePath();
      Path above = place.getParent();
      if (Files.notExists(place)) {
        if (above != null) {
          createFolders(above);
        }
        Files.createDirectories(place, attributes(place, folderMode));
        if (above != null) {
          forceFolder(above);
        }
      } else if (above != null && Files.isReadable(above)) {
        // Who made it may have ended before its name was on the disk.
        forceFolder(above);
      }
    }

    private static FileAttribute<?>[] attributes(Path folder, String mode) {
      boolean posix = folder.getFileSystem().supportedFileAttributeViews().contains("posix");
      return mode.isEmpty() || !posix
          ? new FileAttribute<?>[0]
          : new FileAttribute<?>[] {
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(mode))
          };
    }
  }

  /** What a file holds. */
  @FunctionalInterface
  public interface Content {
    void writeTo(OutputStream out) throws IOException;
  }

  /** Writes a text for everyone. */
  public static void write(Path file, String text) throws IOException {
    write(file, Access.USUAL, out -> out.write(text.getBytes(StandardCharsets.UTF_8)));
  }

  /** Writes a file; when this returns, it is on the disk under its name. */
  public static void write(Path file, Access access, Content content) throws IOException {
    Path folder = file.toAbsolutePath().getParent();
    Path draft =
        folder.resolve(
            ".%s.%d-%d.part".formatted(file.getFileName(), PROCESS, DRAFTS.incrementAndGet()));
    boolean made = false;
    try {
      try (FileChannel channel =
              FileChannel.open(
                  draft,
                  Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                  access.attributes(folder));
          OutputStream out = new BufferedOutputStream(Channels.newOutputStream(channel), 1 << 16)) {
        made = true;
        content.writeTo(out);
        out.flush();
        channel.force(true);
      }
      moveOver(draft, file);
    } catch (IOException | RuntimeException failed) {
      if (made) {
        Files.deleteIfExists(draft);
      }
      throw failed;
    }
    forceFolder(folder);
  }

  /** Whether this is a file that was being written: one that stays was left by a crash. */
  public static boolean isDraft(Path file) {
    Path name = file.getFileName();
    return name != null && name.toString().matches("\\..+\\.\\d+-\\d+\\.part");
  }

  /** Moves a file into a place, over what is there. */
  public static void moveOver(Path from, Path to) throws IOException {
    try {
      Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (AtomicMoveNotSupportedException other) {
      Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  /** Waits until what was written into a file is on the disk. */
  public static void force(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.force(true);
    }
  }

  /** A name is on the disk once its folder is; systems that cannot say so are left alone. */
  public static void forceFolder(Path folder) throws IOException {
    if (folder.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
        channel.force(true);
      }
    }
  }
}
