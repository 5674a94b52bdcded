package ngd.app;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import ngd.core.InvalidInput;
import ngd.core.WorkFailed;
import ngd.studies.figure.Figure;
import ngd.studies.figure.FigureFormat;

/** A file that a figure is written to, as its name says, whole or not at all. */
record Picture(Path file, FigureFormat format) {
  /**
   * The file; refused where its name does not say what it is, or where it cannot be written.
   *
   * @param option the option that names it
   */
  static Picture at(String option, Path file) {
    FigureFormat format =
        FigureFormat.of(String.valueOf(file.getFileName()))
            .orElseThrow(
                () ->
                    new InvalidInput(
                        "%s: must end with %s; got `%s`"
                            .formatted(option, FigureFormat.endings("."), file)));
    Path folder = file.toAbsolutePath().getParent();
    if (folder == null || !Files.isDirectory(folder) || !Files.isWritable(folder)) {
      throw new InvalidInput(
          "%s: must lie in a folder that can be written; %s does not".formatted(option, file));
    }
    if (Files.isDirectory(file)) {
      throw new InvalidInput("%s: must be a file; %s is a folder".formatted(option, file));
    }
    return new Picture(file, format);
  }

  void write(Figure figure) {
    byte[] bytes = format.bytes(figure, "figure");
    try {
      Path part = Files.createTempFile(file.toAbsolutePath().getParent(), ".ngd", ".part");
      try {
        Files.write(part, bytes);
        Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
      } finally {
        Files.deleteIfExists(part);
      }
    } catch (IOException e) {
      throw new WorkFailed("%s: cannot be written: %s".formatted(file, e.getMessage()), e);
    }
  }
}
