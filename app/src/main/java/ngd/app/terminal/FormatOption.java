package ngd.app.terminal;

import java.util.Iterator;
import java.util.List;
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
      completionCandidates = Offered.class,
      description = "Output format: text (the default) or json.")
  private Format format = Format.TEXT;

  public boolean isJson() {
    return format == Format.JSON;
  }

  /** What shells complete. */
  static final class Offered implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return List.of("text", "json").iterator();
    }
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
