package ngd.app.shell;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;

/** The descriptions that the help shows, as plain text. */
final class Descriptions {
  private Descriptions() {}

  /** The first sentence about a command. */
  static String summary(CommandSpec command) {
    return paragraphs(command).stream().findFirst().orElse(command.name());
  }

  static List<String> paragraphs(CommandSpec command) {
    return Arrays.stream(command.usageMessage().description())
        .map(Descriptions::plain)
        .filter(line -> !line.isBlank())
        .toList();
  }

  static String text(ArgSpec argument) {
    return Arrays.stream(argument.description())
        .map(Descriptions::plain)
        .collect(Collectors.joining(" "))
        .replace(
            "${DEFAULT-VALUE}", argument.defaultValue() == null ? "" : argument.defaultValue());
  }

  /** The first sentence about an option. */
  static String sentence(ArgSpec argument) {
    String all = text(argument);
    int end = all.indexOf(". ");
    return end < 0 ? all : all.substring(0, end + 1);
  }

  /** What the help would print of it: {@code %%} is one sign. */
  private static String plain(String text) {
    return text.replace("%%", "%").replace("%n", " ").strip();
  }
}
