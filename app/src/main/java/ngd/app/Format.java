package ngd.app;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** How a result is printed. */
enum Format {
  TEXT,
  JSON;

  /** Reads the word of the command line. */
  static final class Converter implements ITypeConverter<Format> {
    @Override
    public Format convert(String word) {
      return switch (word) {
        case "text" -> TEXT;
        case "json" -> JSON;
        default ->
            throw new TypeConversionException("must be text or json; got `%s`".formatted(word));
      };
    }
  }
}
