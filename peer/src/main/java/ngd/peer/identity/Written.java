package ngd.peer.identity;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import ngd.core.file.WholeFile;

/** Public files, written whole or not at all. */
final class Written {
  private Written() {}

  /** Puts a file in place, over an older one of that name. */
  static void replace(Path file, byte[] content) {
    try {
      WholeFile.Access.USUAL.createFolders(file.toAbsolutePath().getParent());
      WholeFile.write(file, WholeFile.Access.USUAL, out -> out.write(content));
    } catch (IOException e) {
      throw new UncheckedIOException("%s: cannot be written".formatted(file), e);
    }
  }

  static void replace(Path file, String content) {
    replace(file, content.getBytes(java.nio.charset.StandardCharsets.UTF_8));
  }
}
