package ngd.app.window;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import ngd.core.InvalidInput;

/**
 * Complaints in the words of a form: whoever reads them sees labels on a page, and has given no
 * flags.
 *
 * @param labels the label of each option, by the option's name
 */
record FormWords(Map<String, String> labels) {
  /** An option at the beginning of a line, as a flag anywhere, or in quotes. */
  private static final Pattern OPTION =
      Pattern.compile("^(?:--)?([a-z][a-z-]*)(?=:)|--([a-z][a-z-]*)|`([a-z][a-z-]*)`");

  FormWords {
    labels = Map.copyOf(labels);
  }

  /** The same with one label more. */
  FormWords and(String name, String label) {
    Map<String, String> more = new HashMap<>(labels);
    more.put(name, label);
    return new FormWords(more);
  }

  /** What an option is called on the page. */
  String label(String name) {
    return labels.getOrDefault(name, name);
  }

  /** Does something whose complaints a page shows. */
  <T> T asking(Supplier<T> step) {
    try {
      return step.get();
    } catch (NotFound e) {
      throw e;
    } catch (InvalidInput e) {
      throw new InvalidInput(inForm(String.valueOf(e.getMessage())), e);
    }
  }

  /** A complaint, line by line. */
  String inForm(String message) {
    return message.lines().map(this::line).collect(Collectors.joining("\n"));
  }

  private String line(String line) {
    return OPTION.matcher(line).replaceAll(found -> Matcher.quoteReplacement(said(found)));
  }

  private String said(MatchResult found) {
    if (found.group(1) != null) {
      return label(found.group(1));
    }
    String name = found.group(2) != null ? found.group(2) : found.group(3);
    String label = labels.get(name);
    return label != null
        ? "“" + label + "”"
        : found.group(2) != null ? "“" + name + "”" : found.group();
  }
}
