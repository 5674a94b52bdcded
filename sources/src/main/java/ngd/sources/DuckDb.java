package ngd.sources;

import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Properties;
import ngd.core.InvalidInput;
import org.jspecify.annotations.Nullable;

/**
 * DuckDB's driver with its native library in the {@link CacheFolder}. By itself the driver unpacks
 * its 71 MB into a temporary file at every start; a loader of its own, in which that resource
 * cannot be found, makes it ask the system for the library instead, and that is answered here.
 */
final class DuckDb {
  private static final String DRIVER = "org.duckdb.DuckDBDriver";
  private static final String RESOURCE = "libduckdb_java.so_";
  private static final String LIBRARY = "duckdb_java";

  private static @Nullable Driver driver;

  private DuckDb() {}

  static Connection connect(String url, Properties properties) throws SQLException {
    Connection connection = driver(CacheFolder.own()).connect(url, properties);
    if (connection == null) {
      throw new SQLException("DuckDB does not know the address " + url);
    }
    return connection;
  }

  private static synchronized Driver driver(CacheFolder cache) {
    Driver known = driver;
    if (known == null) {
      known = load(cache);
      driver = known;
    }
    return known;
  }

  static Driver load(CacheFolder cache) {
    try {
      Class<?> there = Class.forName(DRIVER, false, DuckDb.class.getClassLoader());
      URL jar = there.getProtectionDomain().getCodeSource().getLocation();
      Path library = unpacked(there, cache);
      requireLoadable(library, cache);
      Loader loader = new Loader(jar, library);
      return (Driver) loader.loadClass(DRIVER).getConstructor().newInstance();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("DuckDB's driver must be on the class path", e);
    }
  }

  /** The library of this machine's kind. */
  private static Path unpacked(Class<?> driver, CacheFolder cache) {
    String kind = kind();
    URL packed = driver.getResource("/" + RESOURCE + kind);
    if (packed == null) {
      throw new InvalidInput(
          "tables: DuckDB has no library for this machine, a %s".formatted(kind));
    }
    return cache.library(LIBRARY, packed);
  }

  private static String kind() {
    String system = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
    String machine = System.getProperty("os.arch", "").toLowerCase(Locale.ROOT);
    return (system.startsWith("windows") ? "windows" : system.startsWith("mac") ? "macos" : "linux")
        + "_"
        + switch (machine) {
          case "x86_64", "amd64" -> "amd64";
          case "aarch64", "arm64" -> "arm64";
          default -> machine;
        };
  }

  /** Tried here first: the driver would print a stack trace. */
  @SuppressWarnings("restricted") // It is what the driver loads next.
  private static void requireLoadable(Path library, CacheFolder cache) {
    try {
      SymbolLookup.libraryLookup(library, Arena.global());
    } catch (IllegalArgumentException e) {
      throw cache.unusable(
          "%s cannot be loaded: the folder may be mounted noexec, or the file is damaged (delete it)"
              .formatted(library.getFileName()),
          e);
    }
  }

  /** Finds the driver's classes and not the library in its jar. */
  private static final class Loader extends URLClassLoader {
    private final Path library;

    Loader(URL jar, Path library) {
      super("duckdb", new URL[] {jar}, ClassLoader.getPlatformClassLoader());
      this.library = library;
    }

    @Override
    public @Nullable URL getResource(String name) {
      return name.startsWith(RESOURCE) ? null : super.getResource(name);
    }

    @Override
    protected @Nullable String findLibrary(String name) {
      return name.equals(LIBRARY) ? library.toString() : super.findLibrary(name);
    }
  }
}
