package ngd.app.terminal;

import java.util.Iterator;
import java.util.List;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads the word that says how progress is shown. */
public final class ProgressWord implements ITypeConverter<Console.Progress> {
  /** What shells complete. */
  public static final class Offered implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return List.of("bar", "json", "none").iterator();
    }
  }

  @Override
  public Console.Progress convert(String word) {
    return switch (word) {
      case "bar" -> Console.Progress.BAR;
      case "json" -> Console.Progress.JSON;
      case "none" -> Console.Progress.NONE;
      default ->
          throw new TypeConversionException("must be bar, json or none; got `%s`".formatted(word));
    };
  }
}
