package ngd.sources;

import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Map;
import java.util.Set;
import ngd.core.InvalidInput;
import ngd.core.file.WholeFile;

/**
 * The folder in which native libraries of engines are unpacked once for all processes of a user.
 * Unpacked into the temporary folder by each process, they stay there whenever one is killed.
 */
record CacheFolder(Path path) {
  static final String VARIABLE = "NGD_CACHE";

  /** The user's: {@code $NGD_CACHE}, else {@code ngd} in the system's folder for caches. */
  static CacheFolder of(Map<String, String> environment, String home) {
    String own = environment.getOrDefault(VARIABLE, "");
    if (!own.isBlank()) {
      return new CacheFolder(Path.of(own));
    }
    String caches = environment.getOrDefault("XDG_CACHE_HOME", "");
    return new CacheFolder(
        (caches.startsWith("/") ? Path.of(caches) : Path.of(home, ".cache")).resolve("ngd"));
  }

  static CacheFolder own() {
    return of(System.getenv(), System.getProperty("user.home", "."));
  }

  /** A file of this name and size in it; written whole where it is not there. */
  Path file(String name, long size, WholeFile.Content content) {
    Path file = path.resolve(name).toAbsolutePath();
    try {
      WholeFile.Access.PRIVATE.createFolders(path);
      requireOwn();
      if (!Files.isRegularFile(file) || Files.size(file) != size) {
        WholeFile.write(file, WholeFile.Access.PRIVATE, content);
      }
      return file;
    } catch (IOException e) {
      throw unusable("%s needs %d MB there: %s".formatted(name, (size >> 20) + 1, e), e);
    }
  }

  /**
   * A library out of a jar, under a name that another release of it does not have.
   *
   * @param name what its name begins with
   */
  Path library(String name, URL packed) {
    try {
      JarURLConnection entry = (JarURLConnection) packed.openConnection();
      return file(
          "%s-%08x.so".formatted(name, entry.getJarEntry().getCrc()),
          entry.getJarEntry().getSize(),
          out -> {
            try (InputStream in = packed.openStream()) {
              in.transferTo(out);
            }
          });
    } catch (IOException e) {
      throw new IllegalStateException("%s's jar cannot be read".formatted(name), e);
    }
  }

  /** Whether it is there, or can be made, for this user alone. */
  boolean canBeUsed() {
    try {
      WholeFile.Access.PRIVATE.createFolders(path);
      requireOwn();
      return Files.isWritable(path);
    } catch (IOException e) {
      return false;
    }
  }

  /** What others may write would be loaded as a program. */
  private void requireOwn() throws IOException {
    if (!path.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      return;
    }
    Set<PosixFilePermission> allowed = Files.getPosixFilePermissions(path);
    if (allowed.contains(PosixFilePermission.GROUP_WRITE)
        || allowed.contains(PosixFilePermission.OTHERS_WRITE)) {
      throw new IOException("others may write it (chmod go-w %s)".formatted(path));
    }
  }

  InvalidInput unusable(String why, Throwable cause) {
    return new InvalidInput(
        "cache: %s must be a folder that this user can write and that programs may be loaded from (%s names another); %s"
            .formatted(path, VARIABLE, why),
        cause);
  }
}
