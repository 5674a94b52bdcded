package ngd.app.fit;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import ngd.core.InvalidInput;
import ngd.core.WorkFailed;

/** A file of predictions, written whole or not at all. */
record PredictionFile(Path path) {
  /** Refuses a file that exists, and a place that cannot be written. */
  static PredictionFile at(Path path) {
    if (Files.exists(path)) {
      throw new InvalidInput("--out: must be a new file; %s exists".formatted(path));
    }
    Path folder = path.toAbsolutePath().getParent();
    if (folder == null || !Files.isDirectory(folder) || !Files.isWritable(folder)) {
      throw new InvalidInput(
          "--out: must lie in a folder that exists and can be written; got " + path);
    }
    return new PredictionFile(path);
  }

  void write(Consumer<Consumer<String>> lines) {
    Path draft = path.resolveSibling("." + path.getFileName() + ".writing");
    try {
      try (BufferedWriter writer = Files.newBufferedWriter(draft);
          PrintWriter out = new PrintWriter(writer)) {
        lines.accept(out::println);
        if (out.checkError()) {
          throw new IOException("the disk may be full");
        }
      }
      Files.move(draft, path);
    } catch (IOException e) {
      throw new WorkFailed("%s: cannot be written: %s".formatted(path, e.getMessage()), e);
    } finally {
      try {
        Files.deleteIfExists(draft);
      } catch (IOException left) {
        // What is left is a draft, under a name that says so.
      }
    }
  }
}
