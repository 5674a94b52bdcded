package ngd.studies.report;

import de.siegmar.fastcsv.writer.CsvWriter;
import de.siegmar.fastcsv.writer.LineDelimiter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import ngd.studies.figure.Figure;
import ngd.studies.store.StudyFolder;

/** The files that a finished study leaves in its folder, each written whole or not at all. */
public final class Output {
  private final StudyFolder folder;
  private final List<String> files = new ArrayList<>();

  public Output(StudyFolder folder) {
    this.folder = folder;
  }

  public void write(String name, byte[] content) {
    folder.write(name, bytes -> bytes.write(content));
    files.add(name);
  }

  /** Where the rows of a table go, one after the other. */
  @FunctionalInterface
  public interface Rows {
    void add(List<String> row);
  }

  /** Writes a table, row by row: however long it is, it is never held whole. */
  public void csv(String name, List<String> header, Consumer<Rows> rows) {
    folder.write(
        name,
        bytes -> {
          CsvWriter writer =
              CsvWriter.builder()
                  .lineDelimiter(LineDelimiter.LF)
                  .build(bytes, StandardCharsets.UTF_8);
          writer.writeRecord(header);
          rows.accept(writer::writeRecord);
          writer.flush();
        });
    files.add(name);
  }

  /** Writes a figure as SVG, PNG and PDF and gives the SVG for the report. */
  public String figure(String name, Figure figure) {
    String svg = figure.svg(name);
    write(name + ".svg", svg.getBytes(StandardCharsets.UTF_8));
    write(name + ".png", figure.png());
    write(name + ".pdf", figure.pdf());
    return svg;
  }

  /** The names of what was written, in that order. */
  public List<String> files() {
    return List.copyOf(files);
  }
}
