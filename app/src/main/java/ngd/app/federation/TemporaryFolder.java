package ngd.app.federation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** A folder that is gone, with all that is in it, when the work that it was made for is done. */
record TemporaryFolder(Path path) implements AutoCloseable {
  @Override
  public void close() {
    try (Stream<Path> all = Files.walk(path)) {
      all.sorted(Comparator.reverseOrder()).forEach(TemporaryFolder::delete);
    } catch (IOException | UncheckedIOException left) {
      // What lies among temporary files and cannot be deleted stays there.
    }
  }

  private static void delete(Path path) {
    try {
      Files.deleteIfExists(path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
