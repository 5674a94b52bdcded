package ngd.app.terminal;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The option that says how a result is printed. */
public final class FormatOption {
  /** A page for people, or JSON for programs. */
  enum Format {
    TEXT,
    JSON
  }

  @Option(
      names = "--format",
      paramLabel = "WORD",
      defaultValue = "text",
      converter = Words.class,
      description = "Output format: text (the default) or json.")
  private Format format = Format.TEXT;

  public boolean isJson() {
    return format == Format.JSON;
  }

  /** Reads the words. */
  static final class Words implements ITypeConverter<Format> {
    @Override
    public Format convert(String word) {
      return switch (word) {
        case "text" -> Format.TEXT;
        case "json" -> Format.JSON;
        default ->
            throw new TypeConversionException("must be text or json; got `%s`".formatted(word));
      };
    }
  }
}
