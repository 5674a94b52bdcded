package ngd.peer.identity;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Public files, written whole or not at all. */
final class Written {
  private Written() {}

  /** Puts a file in place, over an older one of that name. */
  static void replace(Path file, byte[] content) {
    Path folder = file.toAbsolutePath().getParent();
    try {
      Files.createDirectories(folder);
      Path draft = Files.createTempFile(folder, ".writing", null);
      try {
        Files.write(draft, content);
        Files.setPosixFilePermissions(
            draft, java.nio.file.attribute.PosixFilePermissions.fromString("rw-r--r--"));
        Files.move(
            draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      } finally {
        Files.deleteIfExists(draft);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("%s: cannot be written".formatted(file), e);
    }
  }

  static void replace(Path file, String content) {
    replace(file, content.getBytes(java.nio.charset.StandardCharsets.UTF_8));
  }
}
