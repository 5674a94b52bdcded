package ngd.peer.identity;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;
import java.util.TreeSet;
import ngd.core.InvalidInput;

/** Files and folders that only their owner may read. */
final class PrivateFile {
  private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");
  private static final Set<PosixFilePermission> FOLDER =
      PosixFilePermissions.fromString("rwx------");

  private PrivateFile() {}

  /**
   * Access lists say it otherwise, and would have to be read otherwise: rather none than wrongly.
   */
  private static void requireModes(Path path) {
    if (!path.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      throw new InvalidInput(
          "%s: private keys need a file system with modes for owner, group and others (Linux, macOS, WSL); this one knows %s"
              .formatted(path, new TreeSet<>(path.getFileSystem().supportedFileAttributeViews())));
    }
  }

  /** Writes a new file that was never readable by others, not even for a moment. */
  static void create(Path file, String text) {
    requireModes(file);
    try (var channel =
        Files.newByteChannel(
            file,
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
            PosixFilePermissions.asFileAttribute(FILE))) {
      var bytes = java.nio.ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
    } catch (FileAlreadyExistsException e) {
      throw new InvalidInput(
          "%s: already exists and holds a key; keys are never overwritten".formatted(file), e);
    } catch (IOException e) {
      throw new UncheckedIOException("%s: cannot be written".formatted(file), e);
    }
  }

  static void createFolder(Path folder) {
    requireModes(folder);
    try {
      if (folder.toAbsolutePath().getParent() != null) {
        Files.createDirectories(folder.toAbsolutePath().getParent());
      }
      Files.createDirectory(folder, PosixFilePermissions.asFileAttribute(FOLDER));
    } catch (FileAlreadyExistsException e) {
      throw new InvalidInput("%s: already exists".formatted(folder), e);
    } catch (IOException e) {
      throw new UncheckedIOException("%s: cannot be made".formatted(folder), e);
    }
  }

  /**
   * The text of a file that is private to its owner, who must be the one who asks; refused else.
   */
  static String read(Path file) {
    requireModes(file);
    try {
      Set<PosixFilePermission> allowed = Files.getPosixFilePermissions(file);
      Set<PosixFilePermission> others = EnumSet.copyOf(allowed);
      others.removeAll(FOLDER);
      if (!others.isEmpty()) {
        throw new InvalidInput(
            "%s: holds a private key and must be readable by its owner alone (chmod 600 %s); its mode is %s"
                .formatted(file, file, PosixFilePermissions.toString(allowed)));
      }
      String owner = Files.getOwner(file).getName();
      String user = System.getProperty("user.name", owner);
      if (!owner.equals(user)) {
        throw new InvalidInput(
            "%s: holds a private key and must belong to %s, who runs this; it belongs to %s"
                .formatted(file, user, owner));
      }
      return Files.readString(file);
    } catch (NoSuchFileException e) {
      throw new InvalidInput("%s: must be a key file; it does not exist".formatted(file), e);
    } catch (IOException e) {
      throw new InvalidInput("%s: cannot be read: %s".formatted(file, e), e);
    }
  }
}
