package ngd.app.shell;

import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** One command's manual page in the man macros of troff. */
final class ManualPage {
  private ManualPage() {}

  /** Such as {@code ngd-federation-ask}. */
  static String name(CommandSpec command) {
    return command.qualifiedName("-");
  }

  static String of(CommandSpec command, String version) {
    StringBuilder page = new StringBuilder();
    page.append(".TH \"%s\" 1 \"\" \"ngd %s\"%n".formatted(upper(name(command)), escaped(version)));
    page.append(
        ".SH NAME%n%s \\- %s%n"
            .formatted(escaped(name(command)), escaped(Descriptions.summary(command))));
    page.append(".SH SYNOPSIS%n.B %s%n".formatted(escaped(command.qualifiedName())));
    page.append(synopsis(command)).append('\n');
    page.append(".SH DESCRIPTION\n");
    Descriptions.paragraphs(command).forEach(text -> page.append(".PP\n").append(line(text)));
    List<PositionalParamSpec> parameters =
        command.positionalParameters().stream().filter(one -> !one.hidden()).toList();
    if (!parameters.isEmpty()) {
      page.append(".SH ARGUMENTS\n");
      parameters.forEach(
          one -> item(page, "\\fI" + escaped(one.paramLabel()) + "\\fR", Descriptions.text(one)));
    }
    page.append(".SH OPTIONS\n");
    for (OptionSpec option : command.options()) {
      if (!option.hidden()) {
        item(page, names(option), Descriptions.text(option));
      }
    }
    if (!command.subcommands().isEmpty()) {
      page.append(".SH COMMANDS\n");
      for (CommandLine sub : command.subcommands().values()) {
        CommandSpec one = sub.getCommandSpec();
        item(page, "\\fB" + escaped(name(one)) + "\\fR(1)", Descriptions.summary(one));
      }
    }
    page.append(".SH EXIT STATUS\n0 success, 1 failure, 2 invalid request.\n");
    return page.toString();
  }

  private static String synopsis(CommandSpec command) {
    StringBuilder words = new StringBuilder("[\\fIOPTIONS\\fR]");
    for (PositionalParamSpec one : command.positionalParameters()) {
      if (!one.hidden()) {
        boolean optional = one.arity().min() == 0;
        words.append(
            (optional ? " [\\fI%s\\fR]" : " \\fI%s\\fR").formatted(escaped(one.paramLabel())));
      }
    }
    return words.append(command.subcommands().isEmpty() ? "" : " \\fICOMMAND\\fR").toString();
  }

  private static String names(OptionSpec option) {
    String names = String.join(", ", option.names());
    String value = option.arity().max() == 0 ? "" : "=\\fI" + escaped(option.paramLabel()) + "\\fR";
    return "\\fB" + escaped(names) + "\\fR" + value;
  }

  private static void item(StringBuilder page, String head, String text) {
    page.append(".TP\n").append(head).append('\n').append(line(text));
  }

  /** A line of text; one that begins with a dot or quote would be a macro. */
  private static String line(String text) {
    String plain = escaped(text);
    return (plain.startsWith(".") || plain.startsWith("'") ? "\\&" : "") + plain + "\n";
  }

  private static String escaped(String text) {
    return text.replace("\\", "\\e").replace("-", "\\-").replace("\n", " ");
  }

  private static String upper(String text) {
    return text.toUpperCase(java.util.Locale.ROOT);
  }
}
