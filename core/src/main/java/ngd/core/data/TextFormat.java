package ngd.core.data;

import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import java.util.List;
import java.util.Locale;
import ngd.core.InvalidInput;

/**
 * How a text file is written: what each site's program and country make of it.
 *
 * @param decimal the sign between a number's whole part and its fraction
 * @param encoding how its characters are stored
 */
public record TextFormat(char decimal, Charset encoding) {
  /** A point, and UTF-8. */
  public static final TextFormat STANDARD = new TextFormat('.', StandardCharsets.UTF_8);

  /** Reads {@code .} or {@code ,}. */
  public static char decimal(String text) {
    if (!List.of(".", ",").contains(text)) {
      throw new InvalidInput(
          "decimal: must be . or , (the decimal sign); got `%s`".formatted(text));
    }
    return text.charAt(0);
  }

  /** Reads an encoding's name, such as {@code windows-1252}. */
  public static Charset encoding(String text) {
    String name = text.strip();
    // People and other tools write latin-1, which Java knows as latin1.
    String known =
        name.toLowerCase(Locale.ROOT).matches("latin-\\d+") ? name.replace("-", "") : name;
    try {
      return Charset.forName(known);
    } catch (IllegalCharsetNameException | UnsupportedCharsetException e) {
      throw new InvalidInput(
          "encoding: must be the name of a character encoding, such as utf-8, latin-1, windows-1252 or utf-16; got `%s`"
              .formatted(text),
          e);
    }
  }

  public boolean isUtf8() {
    return encoding.equals(StandardCharsets.UTF_8);
  }
}
