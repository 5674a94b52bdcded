package ngd.core.question;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import ngd.core.InvalidInput;
import ngd.core.NearestName;
import ngd.core.Problems;
import ngd.core.file.YamlTree;

/**
 * A YAML file that says what flags say: its keys are the options' names without dashes. A run's
 * {@code manifest.json} says it too, under {@code question}. Paths in it are relative to the folder
 * of the file, so that a file and its data can move together.
 */
public final class WordsFile {
  private static final String KIND = "kind";

  /** Where a manifest has its question. */
  public static final String QUESTION = "question";

  private final Path file;
  private final Problems problems;
  private final Set<String> elsewhere;

  /** What a manifest was written by; empty where the file is none. */
  private String command = "";

  private WordsFile(Path file, Set<String> elsewhere, Problems problems) {
    this.file = file;
    this.elsewhere = Set.copyOf(elsewhere);
    this.problems = problems;
  }

  /**
   * Reads the keys of a question, and hands over others that are known.
   *
   * @param others names of options that are none of a question, such as {@code out}
   */
  public static Words read(
      Path file, List<Key<?>> keys, Map<String, Boolean> others, Words rest, Problems problems) {
    return read(file, keys, others, Set.of(), rest, problems);
  }

  /**
   * The same.
   *
   * @param elsewhere keys that a manifest may have and that are settled elsewhere, such as where
   *     the data of a federation are
   */
  public static Words read(
      Path file,
      List<Key<?>> keys,
      Map<String, Boolean> others,
      Set<String> elsewhere,
      Words rest,
      Problems problems) {
    WordsFile reader = new WordsFile(file, elsewhere, problems);
    Words words = new Words(Words.Style.FLAGS);
    reader
        .root()
        .ifPresent(
            root -> {
              reader.read(root, keys, others, words, rest);
              reader.sayKind(keys, words);
            });
    return words;
  }

  /** A manifest's command says what was asked, where its question does not. */
  private void sayKind(List<Key<?>> keys, Words words) {
    keys.stream()
        .filter(key -> key.name().equals(KIND) && !words.says(key))
        .filter(_ -> command.equals("describe") || command.equals("check"))
        .forEach(key -> words.put(KIND, new Words.Said(List.of(command), file.toString())));
  }

  private Optional<YamlTree.Keys> root() {
    List<String> wrong = new ArrayList<>();
    YamlTree tree;
    try {
      tree = YamlTree.read(YamlTree.text(file), wrong);
    } catch (InvalidInput e) {
      String message = String.valueOf(e.getMessage());
      problems.add(
          message.startsWith(file + ":")
              ? message
              : "%s%s%s".formatted(file, message.startsWith("line ") ? ", " : ": ", message));
      return Optional.empty();
    }
    wrong.forEach(problem -> problems.add("%s, %s".formatted(file, problem)));
    if (tree instanceof YamlTree.Scalar(_, String text) && text.isEmpty()) {
      return Optional.empty();
    }
    if (!(tree instanceof YamlTree.Keys keys)) {
      problems.add("%s: must hold keys and values, such as `clients: 20`".formatted(file));
      return Optional.empty();
    }
    YamlTree.Entry question = keys.entries().get(QUESTION);
    YamlTree.Entry by = keys.entries().get("command");
    if (question != null && by != null && by.value() instanceof YamlTree.Scalar(_, String text)) {
      command = text;
    }
    return Optional.of(
        question != null && question.value() instanceof YamlTree.Keys inner ? inner : keys);
  }

  private void read(
      YamlTree.Keys root, List<Key<?>> keys, Map<String, Boolean> others, Words words, Words rest) {
    root.entries()
        .forEach(
            (name, entry) -> {
              String where = "%s, line %d".formatted(file, entry.line());
              Optional<Key<?>> key = keys.stream().filter(k -> k.name().equals(name)).findFirst();
              if (key.isPresent()) {
                boolean list =
                    key.get().form() == Key.Form.LIST || key.get().form() == Key.Form.REPEATED;
                values(name, entry, list, where)
                    .map(said -> key.get().relocated(split(key.get(), said), this::resolved))
                    .ifPresent(said -> words.put(name, new Words.Said(said, where)));
              } else if (others.containsKey(name)) {
                values(name, entry, others.get(name), where)
                    .ifPresent(said -> rest.put(name, new Words.Said(said, where)));
              } else if (command.isEmpty() || !elsewhere.contains(name)) {
                unknown(name, where, keys, others);
              }
            });
  }

  private void unknown(String name, String where, List<Key<?>> keys, Map<String, Boolean> others) {
    TreeSet<String> known = new TreeSet<>(others.keySet());
    keys.forEach(key -> known.add(key.name()));
    problems.add("%s: unknown key `%s`%s".formatted(where, name, NearestName.hint(name, known)));
  }

  /** A list may also stand as a flag would say it. */
  private static List<String> split(Key<?> key, List<String> said) {
    return said.size() == 1 ? key.split(said.getFirst()) : said;
  }

  private String resolved(String path) {
    return file.resolveSibling(path).toString();
  }

  private Optional<List<String>> values(
      String name, YamlTree.Entry entry, boolean list, String where) {
    return switch (entry.value()) {
      case YamlTree.Scalar(_, String text) when text.isEmpty() -> {
        problems.add("%s: %s: has no value".formatted(where, name));
        yield Optional.empty();
      }
      case YamlTree.Scalar(_, String text) -> Optional.of(List.of(text));
      case YamlTree.Items(_, List<YamlTree> items) when list -> {
        List<String> words = new ArrayList<>();
        items.forEach(
            item -> words.add(item instanceof YamlTree.Scalar(_, String text) ? text : ""));
        if (words.contains("")) {
          problems.add("%s: %s: must be a list of values".formatted(where, name));
          yield Optional.empty();
        }
        yield Optional.of(words);
      }
      case YamlTree.Items _ -> {
        problems.add("%s: %s: takes one value, not a list".formatted(where, name));
        yield Optional.empty();
      }
      case YamlTree.Keys _ -> {
        problems.add("%s: %s: takes a value, not keys of its own".formatted(where, name));
        yield Optional.empty();
      }
    };
  }
}
