package ngd.app.shell;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Completion for fish: one {@code complete} line for each command and option. */
final class FishCompletion {
  private FishCompletion() {}

  static String of(CommandSpec root) {
    List<String> lines = new ArrayList<>();
    lines.add("# Completion of ngd for fish.");
    lines.add("complete -c ngd -f");
    add(root, List.of(), lines);
    return String.join("\n", lines) + "\n";
  }

  private static void add(CommandSpec command, List<String> path, List<String> lines) {
    String here = condition(path, command);
    for (CommandLine line : command.subcommands().values()) {
      CommandSpec sub = line.getCommandSpec();
      if (!sub.usageMessage().hidden()) {
        lines.add(
            "complete -c ngd -n '%s' -a %s -d '%s'"
                .formatted(here, sub.name(), quoted(Descriptions.summary(sub))));
      }
    }
    for (OptionSpec option : command.options()) {
      if (!option.hidden()) {
        lines.add(
            "complete -c ngd -n '%s' %s%s -d '%s'"
                .formatted(
                    here, names(option), takes(option), quoted(Descriptions.sentence(option))));
      }
    }
    for (CommandLine line : command.subcommands().values()) {
      CommandSpec sub = line.getCommandSpec();
      List<String> deeper = new ArrayList<>(path);
      deeper.add(sub.name());
      add(sub, deeper, lines);
    }
  }

  /** True below these commands, and not yet below one of theirs. */
  private static String condition(List<String> path, CommandSpec command) {
    String seen =
        path.stream()
            .map("__fish_seen_subcommand_from %s"::formatted)
            .collect(Collectors.joining("; and "));
    String notDeeper =
        command.subcommands().isEmpty()
            ? ""
            : "not __fish_seen_subcommand_from " + String.join(" ", command.subcommands().keySet());
    return seen.isEmpty() || notDeeper.isEmpty() ? seen + notDeeper : seen + "; and " + notDeeper;
  }

  private static String names(OptionSpec option) {
    return java.util.Arrays.stream(option.names())
        .map(name -> name.startsWith("--") ? "-l " + name.substring(2) : "-s " + name.substring(1))
        .collect(Collectors.joining(" "));
  }

  private static String takes(OptionSpec option) {
    if (option.arity().max() == 0) {
      return "";
    }
    if (option.completionCandidates() != null) {
      return " -x -a '%s'".formatted(String.join(" ", option.completionCandidates()));
    }
    boolean file = List.of("FILE", "DIR", "PLACE", "NAME=PLACE").contains(option.paramLabel());
    String required = option.arity().min() == 0 ? "" : file ? " -r" : " -x";
    return required + (file ? " -F" : "");
  }

  private static String quoted(String text) {
    return text.replace("\\", "\\\\").replace("'", "\\'");
  }
}
