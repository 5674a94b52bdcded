package ngd.app.terminal;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import ngd.core.data.TableProvider;
import ngd.core.run.RunFolder;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** How a table that other programs read is written. */
public enum TableFormat {
  CSV,
  PARQUET;

  /** The word on the command line, and the end of the file's name. */
  public String spec() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** A CSV file in this format. */
  public RunFolder.Content of(RunFolder.Content csv) {
    return this == CSV
        ? csv
        : file -> {
          Path text = Files.createTempFile(file.getParent(), "table", ".csv");
          try {
            csv.writeTo(text);
            TableProvider.first().writeParquet(text, file);
          } finally {
            Files.deleteIfExists(text);
          }
        };
  }

  /** Reads the words. */
  public static final class Words implements ITypeConverter<TableFormat> {
    @Override
    public TableFormat convert(String word) {
      for (TableFormat format : values()) {
        if (format.spec().equals(word)) {
          return format;
        }
      }
      throw new TypeConversionException("must be csv or parquet; got `%s`".formatted(word));
    }
  }
}
