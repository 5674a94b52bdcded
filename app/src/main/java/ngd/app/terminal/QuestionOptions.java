package ngd.app.terminal;

import java.util.List;
import ngd.core.question.Key;
import ngd.core.question.Words;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** A question's keys as options of a command. */
final class QuestionOptions {
  private QuestionOptions() {}

  /**
   * Adds them; help shows them in the order of the keys.
   *
   * @param first whether before the command's own options, or after
   */
  static void add(CommandSpec command, List<Key<?>> keys, boolean first) {
    int order = first ? -1000 : 1000;
    for (Key<?> key : keys) {
      OptionSpec.Builder option =
          OptionSpec.builder("--" + key.name())
              .description(key.help())
              .paramLabel(key.label())
              .order(order++);
      if (!key.offered().isEmpty()) {
        option.completionCandidates(key.offered());
      }
      switch (key.form()) {
        case FLAG -> option.type(boolean.class).arity("0");
        case REPEATED -> option.type(List.class).auxiliaryTypes(String.class).arity("1");
        case VALUE, LIST -> {
          option.type(String.class).arity(key.bare().isPresent() ? "0..1" : "1");
          key.bare().ifPresent(option::fallbackValue);
        }
      }
      command.addOption(option.build());
    }
  }

  /** What the command line says; over what was said before. */
  static void read(ParseResult parsed, List<Key<?>> keys, Words words) {
    for (Key<?> key : keys) {
      OptionSpec option = parsed.matchedOption("--" + key.name());
      if (option != null) {
        words.put(key.name(), new Words.Said(said(key, option), ""));
      }
    }
  }

  private static List<String> said(Key<?> key, OptionSpec option) {
    return switch (key.form()) {
      case FLAG -> List.of("true");
      case REPEATED -> option.<List<String>>getValue();
      case VALUE, LIST -> key.split(option.<String>getValue());
    };
  }
}
