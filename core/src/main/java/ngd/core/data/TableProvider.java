package ngd.core.data;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ServiceLoader;
import ngd.core.InvalidInput;

/**
 * Opens tables, and writes them for other programs; found by {@link ServiceLoader}, as the engines
 * that read them are heavy.
 */
public interface TableProvider {
  SiteTable open(TableAddress address);

  /** Writes the rows of a CSV file with a header as a Parquet file, in their order. */
  void writeParquet(Path csv, Path parquet) throws IOException;

  /** The provider on the class path. */
  static TableProvider first() {
    return ServiceLoader.load(TableProvider.class)
        .findFirst()
        .orElseThrow(
            () ->
                new InvalidInput(
                    "sources: reading tables and writing Parquet need ngd-sources on the class path, which ./ngd puts there; it is not"));
  }
}
