package ngd.app.terminal;

import picocli.CommandLine.ITypeConverter;

/** Where data are: a file, a pattern of files, or a {@code jdbc:} URL. */
public record Location(String text) {

  /** Reads the word as it is. */
  public static final class Reader implements ITypeConverter<Location> {
    @Override
    public Location convert(String word) {
      return new Location(word);
    }
  }

  /** Files in a configuration are relative to it; databases are not. */
  static boolean isFile(String text) {
    return !text.startsWith("jdbc:");
  }
}
