package ngd.app.terminal;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import ngd.core.Problems;
import ngd.core.question.Key;
import ngd.core.question.Question;
import ngd.core.question.Words;
import ngd.core.question.WordsFile;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * A file that says what flags say; a flag that is given too wins. What is asked in it are words of
 * a question; its other keys are the options that say how to work, such as {@code out}.
 */
public final class ConfigFile implements IDefaultValueProvider {
  /** A command that takes a configuration file. */
  public interface Reader {
    @Nullable Path configFile();
  }

  /** Options that say how to run the program, not what to do. */
  private static final Set<String> NOT_KEYS = Set.of("help", "version", "debug");

  private final Path file;
  private final Words words;
  private final Map<String, Words.Said> others = new LinkedHashMap<>();

  private ConfigFile(Path file, Words words) {
    this.file = file;
    this.words = words;
  }

  static ConfigFile read(Path path, CommandSpec command, List<Key<?>> keys, Set<String> elsewhere) {
    Problems problems = new Problems();
    Map<String, OptionSpec> known = new LinkedHashMap<>();
    for (OptionSpec option : command.options()) {
      String name = key(option);
      boolean asked = keys.stream().anyMatch(key -> key.name().equals(name));
      if (!asked && !NOT_KEYS.contains(name)) {
        known.put(name, option);
      }
    }
    Map<String, Boolean> lists = new LinkedHashMap<>();
    known.forEach((name, option) -> lists.put(name, option.isMultiValue()));
    Words rest = new Words(Words.Style.FLAGS);
    ConfigFile config =
        new ConfigFile(path, WordsFile.read(path, keys, lists, elsewhere, rest, problems));
    known.forEach(
        (name, option) -> {
          Words.Said said = rest.find(name);
          if (said != null) {
            config.others.put(name, said);
            String text = said.words().getFirst();
            boolean flag = option.arity().max() == 0;
            problems.require(
                !flag || text.equals("true") || text.equals("false"),
                "%s: %s: must be true or false".formatted(said.where(), name));
          }
        });
    if (problems.any()) {
      // Problems of the values themselves are reported at the same time.
      var _ = Question.read(keys, config.words, problems);
    }
    problems.throwIfAny();
    return config;
  }

  /** What it asks. */
  Words words() {
    return words;
  }

  @Override
  public @Nullable String defaultValue(ArgSpec spec) {
    if (!(spec instanceof OptionSpec option) || !others.containsKey(key(option))) {
      return null;
    }
    List<String> said = others.get(key(option)).words();
    if (option.type() == Path.class) {
      return file.resolveSibling(said.getFirst()).toString();
    }
    return String.join(option.splitRegex().isEmpty() ? "," : option.splitRegex(), said);
  }

  /** Where the file gives this option, as an error names it; null where it does not. */
  @Nullable String place(OptionSpec option) {
    Words.Said said = others.get(key(option));
    return said == null ? null : "%s: %s".formatted(said.where(), key(option));
  }

  private static String key(OptionSpec option) {
    return option.longestName().replaceFirst("^-+", "");
  }
}
