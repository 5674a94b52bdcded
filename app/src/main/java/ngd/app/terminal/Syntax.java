package ngd.app.terminal;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import ngd.core.InvalidInput;
import ngd.core.NearestName;
import ngd.core.Problems;
import ngd.core.question.Key;
import ngd.core.question.Question;
import ngd.core.question.Words;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.OverwrittenOptionException;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The command line's words: parsed, and where they are wrong, explained all at once. */
public final class Syntax {
  private final CommandLine root;
  private @Nullable ConfigFile config;
  private @Nullable ParseResult parsed;
  private Words words = new Words(Words.Style.FLAGS);

  /**
   * @param rootCommand what all others stand below
   * @param commands the classes of those that stand directly below it
   */
  public Syntax(Object rootCommand, List<Class<?>> commands, Console console) {
    root = new CommandLine(rootCommand);
    commands.forEach(root::addSubcommand);
    root.setOut(console.out());
    root.setErr(console.err());
    root.registerConverter(Integer.class, Syntax::integer);
    root.registerConverter(Long.class, Syntax::longInteger);
    root.registerConverter(Double.class, Syntax::real);
    complete(root);
  }

  private static void complete(CommandLine line) {
    line.getCommandSpec().parser().collectErrors(true);
    if (line.getCommand() instanceof AsksQuestion asking) {
      QuestionOptions.add(line.getCommandSpec(), asking.keys(), asking.keysFirst());
    }
    line.getSubcommands().values().forEach(Syntax::complete);
  }

  /** Parses twice where a configuration file is named: its values stand where no flag does. */
  public ParseResult parse(String[] args) {
    ParseResult first = root.parseArgs(args);
    parsed = first;
    if (command().getCommand() instanceof ConfigFile.Reader reader
        && reader.configFile() != null
        && unmatched().isEmpty()) {
      ConfigFile file =
          ConfigFile.read(
              reader.configFile(),
              command().getCommandSpec(),
              keys(),
              command().getCommand() instanceof AsksQuestion asking
                  ? asking.elsewhere()
                  : Set.of());
      config = file;
      command().setDefaultValueProvider(file);
      parsed = root.parseArgs(args);
    }
    if (command().getCommand() instanceof AsksQuestion asking) {
      words = config == null ? new Words(Words.Style.FLAGS) : config.words();
      QuestionOptions.read(command().getParseResult(), asking.keys(), words);
      asking.asked(words);
    }
    return parsed();
  }

  private ParseResult parsed() {
    if (parsed == null) {
      throw new IllegalStateException("nothing was parsed");
    }
    return parsed;
  }

  private List<Key<?>> keys() {
    return command().getCommand() instanceof AsksQuestion asking ? asking.keys() : List.of();
  }

  /** The command that all others stand below. */
  public CommandLine root() {
    return root;
  }

  /** The command that was named last, the one to run. */
  public CommandLine command() {
    return parsed().asCommandLineList().getLast();
  }

  /** The name of that command in full, such as {@code ngd bench rounds}. */
  public String name() {
    return parsed == null ? "ngd" : command().getCommandSpec().qualifiedName();
  }

  private List<String> unmatched() {
    return parsed().asCommandLineList().stream()
        .flatMap(line -> line.getUnmatchedArguments().stream())
        .toList();
  }

  /** Throws once, with every error of the words in a line of its own. */
  public void refuseErrors() {
    Set<String> lines = new java.util.LinkedHashSet<>();
    for (CommandLine line : parsed().asCommandLineList()) {
      for (Exception error : line.getParseResult().errors()) {
        lines.addAll(explain(error));
      }
    }
    if (!lines.isEmpty() && command().getCommand() instanceof AsksQuestion asking) {
      // Problems of the question itself are reported at the same time.
      Problems problems = new Problems();
      var _ = Question.read(asking.keys(), words, problems);
      problems.each(lines::add);
    }
    if (!lines.isEmpty()) {
      throw new InvalidInput(String.join("\n", lines));
    }
  }

  private List<String> explain(Exception error) {
    return switch (error) {
      case UnmatchedArgumentException unmatched -> explainUnmatched(unmatched.getUnmatched());
      case MissingParameterException missing ->
          missing.getMissing().stream()
              .map(spec -> "%s: needs a value, %s".formatted(name(spec), spec.paramLabel()))
              .toList();
      case OverwrittenOptionException twice ->
          List.of(name(twice.getOverwritten()) + ": may be given once");
      case ParameterException wrong
          when wrong.getArgSpec() != null
              && wrong.getCause() instanceof TypeConversionException cause ->
          List.of(name(wrong.getArgSpec()) + ": " + cause.getMessage());
      default -> List.of(String.valueOf(error.getMessage()));
    };
  }

  private List<String> explainUnmatched(List<String> words) {
    CommandSpec spec = command().getCommandSpec();
    List<String> lines = new ArrayList<>();
    for (String word : words) {
      String bare = word.split("=", 2)[0];
      if (bare.startsWith("-")) {
        lines.add("unknown option `%s`%s".formatted(bare, NearestName.hint(bare, options(spec))));
      } else if (!spec.subcommands().isEmpty()) {
        lines.add(
            "unknown command `%s`%s (there are: %s)"
                .formatted(
                    bare,
                    NearestName.hint(bare, spec.subcommands().keySet()),
                    String.join(", ", spec.subcommands().keySet())));
        break;
      } else if (lines.isEmpty()) {
        lines.add("unexpected argument `%s`".formatted(word));
      }
    }
    return lines;
  }

  /** The long names of a command's options. */
  static Set<String> options(CommandSpec spec) {
    Set<String> names = new TreeSet<>();
    spec.options().forEach(option -> names.add(option.longestName()));
    return names;
  }

  /** The option as the person wrote it: a flag, or a key of the configuration file. */
  private String name(ArgSpec spec) {
    if (!(spec instanceof OptionSpec option)) {
      return spec.paramLabel();
    }
    boolean flag = command().getParseResult().hasMatchedOption(option);
    String key = config == null || flag ? null : config.place(option);
    return key == null ? option.longestName() : key;
  }

  private static Integer integer(String text) {
    try {
      return Integer.valueOf(text);
    } catch (NumberFormatException e) {
      throw new TypeConversionException(
          "must be a whole number up to %d; got `%s`".formatted(Integer.MAX_VALUE, text));
    }
  }

  private static Long longInteger(String text) {
    try {
      return Long.valueOf(text);
    } catch (NumberFormatException e) {
      throw new TypeConversionException("must be a whole number; got `%s`".formatted(text));
    }
  }

  private static Double real(String text) {
    try {
      return Double.valueOf(text);
    } catch (NumberFormatException e) {
      throw new TypeConversionException("must be a number; got `%s`".formatted(text));
    }
  }
}
