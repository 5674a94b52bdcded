package ngd.sources;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import ngd.core.InvalidInput;

/**
 * A JDBC URL and what of it may be shown: neither users nor passwords nor parameters. {@code
 * ${NAME}} in it stands for an environment variable, so that a file need not hold a password.
 */
final class Secrets {
  private static final Pattern VARIABLE = Pattern.compile("\\$\\{(\\w+)\\}");
  private static final Pattern CREDENTIALS = Pattern.compile("//([^/@]*)@");
  private static final Pattern PARAMETER = Pattern.compile("[?&;]([^=&;]+)=([^&;]*)");

  private final String url;
  private final String shown;
  private final List<String> hidden = new ArrayList<>();

  private Secrets(String template) {
    StringBuilder filled = new StringBuilder();
    Matcher variables = VARIABLE.matcher(template);
    while (variables.find()) {
      String value = System.getenv(variables.group(1));
      if (value == null) {
        throw new InvalidInput(
            "data: ${%s} must be set in the environment; it is not".formatted(variables.group(1)));
      }
      hidden.add(value);
      variables.appendReplacement(filled, Matcher.quoteReplacement(value));
    }
    variables.appendTail(filled);
    url = filled.toString();
    shown = CREDENTIALS.matcher(template.split("[?;]", 2)[0]).replaceAll("//");
    Matcher credentials = CREDENTIALS.matcher(url);
    if (credentials.find()) {
      hidden.add(credentials.group(1));
      hidden.addAll(List.of(credentials.group(1).split(":", 2)).reversed().subList(0, 1));
    }
    Matcher parameters = PARAMETER.matcher(url);
    while (parameters.find()) {
      if (parameters.group(1).toLowerCase(Locale.ROOT).matches(".*(pass|pwd|secret|token|key).*")) {
        hidden.add(parameters.group(2));
      }
    }
    hidden.add(url);
    hidden.removeIf(String::isBlank);
    hidden.sort(Comparator.comparingInt(String::length).reversed());
  }

  static Secrets of(String template) {
    return new Secrets(template);
  }

  String url() {
    return url;
  }

  /** The URL as messages may show it. */
  String shown() {
    return shown;
  }

  /** A message without what must not be shown. */
  String cleaned(String message) {
    String clean = message;
    for (String secret : hidden) {
      clean = clean.replace(secret, secret.equals(url) ? shown : "…");
    }
    return clean;
  }
}
