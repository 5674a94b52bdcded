package ngd.peer.identity;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import ngd.core.InvalidInput;
import ngd.core.file.WholeFile;
import ngd.peer.durable.FileFailure;

/** Public files, written whole or not at all. */
final class Written {
  private Written() {}

  /** Puts a file in place, over an older one of that name. */
  static void replace(Path file, byte[] content) {
    try {
      WholeFile.Access.USUAL.createFolders(file.toAbsolutePath().getParent());
      WholeFile.write(file, WholeFile.Access.USUAL, out -> out.write(content));
    } catch (IOException e) {
      throw new InvalidInput(
          "%s: must be a file that can be written; it cannot: %s"
              .formatted(file, FileFailure.reason(e)),
          e);
    }
  }

  /** Refuses what is no folder and cannot become one, before anything is written. */
  static void requireFolder(Path folder) {
    Path there = folder.toAbsolutePath().normalize();
    while (there != null && Files.notExists(there)) {
      there = there.getParent();
    }
    if (there == null || !Files.isDirectory(there) || !Files.isWritable(there)) {
      throw new InvalidInput(
          "%s: must be a folder, or one that can be made; %s is %s"
              .formatted(
                  folder,
                  there,
                  there != null && Files.isDirectory(there) ? "not writable" : "a file"));
    }
  }

  static void replace(Path file, String content) {
    replace(file, content.getBytes(java.nio.charset.StandardCharsets.UTF_8));
  }
}
