package ngd.app.shell;

import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** One command's page of the reference in Markdown, for the docs as a site. */
final class ReferencePage {
  private ReferencePage() {}

  static String of(CommandSpec command) {
    StringBuilder page = new StringBuilder("# %s%n%n".formatted(command.qualifiedName()));
    Descriptions.paragraphs(command).forEach(text -> page.append(escaped(text)).append("\n\n"));
    List<PositionalParamSpec> parameters =
        command.positionalParameters().stream().filter(one -> !one.hidden()).toList();
    List<OptionSpec> options = command.options().stream().filter(one -> !one.hidden()).toList();
    if (!parameters.isEmpty() || !options.isEmpty()) {
      page.append("| option | |\n|---|---|\n");
      parameters.forEach(one -> row(page, one.paramLabel(), Descriptions.text(one)));
      options.forEach(one -> row(page, names(one), Descriptions.text(one)));
      page.append('\n');
    }
    List<CommandSpec> below =
        command.subcommands().values().stream()
            .map(CommandLine::getCommandSpec)
            .filter(one -> !one.usageMessage().hidden())
            .toList();
    if (!below.isEmpty()) {
      page.append("| command | |\n|---|---|\n");
      for (CommandSpec one : below) {
        page.append(
            "| [%s](%s.md) | %s |%n"
                .formatted(
                    one.qualifiedName(), ManualPage.name(one), cell(Descriptions.summary(one))));
      }
    }
    return page.toString();
  }

  private static String names(OptionSpec option) {
    return String.join(", ", option.names())
        + (option.arity().max() == 0 ? "" : "=" + option.paramLabel());
  }

  private static void row(StringBuilder page, String head, String text) {
    page.append("| `%s` | %s |%n".formatted(head.replace("|", "\\|"), cell(text)));
  }

  private static String cell(String text) {
    return escaped(text).replace("|", "\\|");
  }

  /** Signs that Markdown or HTML would read as their own; text between backticks stays. */
  private static String escaped(String text) {
    StringBuilder out = new StringBuilder();
    boolean code = false;
    for (char sign : text.replace('\n', ' ').toCharArray()) {
      code ^= sign == '`';
      if (!code && "\\*_[]{}<>".indexOf(sign) >= 0) {
        out.append("&#%d;".formatted((int) sign));
      } else {
        out.append(sign);
      }
    }
    return out.toString();
  }
}
