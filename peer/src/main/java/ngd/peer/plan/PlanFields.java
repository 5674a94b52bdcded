package ngd.peer.plan;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import ngd.core.InvalidInput;
import ngd.core.NearestName;
import ngd.core.file.YamlTree;
import ngd.core.formula.Dictionary;
import ngd.core.question.Key;
import org.jspecify.annotations.Nullable;

/**
 * The keys of a YAML file, a plan's or a site's own, and their values, with every problem found in
 * them on the way. A value that cannot be used is a problem and not an exception, so that all are
 * reported at once.
 */
final class PlanFields {
  private final List<String> problems = new ArrayList<>();
  private final Map<String, Integer> lines = new HashMap<>();
  private final Map<String, YamlTree.Entry> root = new HashMap<>();

  /** The fields of a text, of which only these keys are known. */
  static PlanFields of(String text, List<String> keys) {
    PlanFields fields = ofAny(text, keys);
    if (fields.root.isEmpty() && fields.areWell()) {
      fields.add(1, "a plan holds keys and values, such as `network: ring:1`");
    }
    return fields;
  }

  /** The same for a file in which every key may be left out. */
  static PlanFields ofAny(String text, List<String> keys) {
    PlanFields fields = new PlanFields();
    YamlTree tree = YamlTree.read(text, fields.problems);
    if (tree instanceof YamlTree.Keys(_, Map<String, YamlTree.Entry> entries)) {
      fields.root.putAll(entries);
      entries.forEach((key, entry) -> fields.checkKey(key, entry, keys));
    } else if (!(tree instanceof YamlTree.Scalar(_, String nothing) && nothing.isEmpty())) {
      fields.add(1, "the file must hold keys and values, such as `key: value`");
    }
    return fields;
  }

  private void checkKey(String key, YamlTree.Entry entry, List<String> keys) {
    if (keys.contains(key)) {
      lines.put(key, entry.line());
    } else {
      add(
          entry.line(),
          "unknown key `%s`%s; there are: %s"
              .formatted(key, NearestName.hint(key, keys), String.join(", ", keys)));
    }
  }

  /** Whether there is nothing to read at all. */
  boolean unreadable() {
    return !problems.isEmpty() && root.isEmpty();
  }

  boolean areWell() {
    return problems.isEmpty();
  }

  /** All problems so far, as one. */
  InvalidInput refusal() {
    return new InvalidInput(String.join("\n", new LinkedHashSet<>(problems)));
  }

  /** Where each key of the canonical form stands in the file. */
  Map<String, Integer> lines() {
    return lines;
  }

  /** A line of the canonical form stands here, unless one of its key stood before. */
  void stands(String key, int line) {
    lines.putIfAbsent(key, line);
  }

  boolean has(String key) {
    return root.containsKey(key);
  }

  YamlTree.@Nullable Entry entry(String key) {
    return root.get(key);
  }

  /** A problem that says its line itself. */
  void add(String problem) {
    problems.add(problem);
  }

  /** What a key says, one value or, where it may be one, a list; nothing where it is not there. */
  List<String> words(String key, Key.Form form) {
    YamlTree.Entry entry = root.get(key);
    boolean list = form == Key.Form.LIST || form == Key.Form.REPEATED;
    if (entry == null) {
      return List.of();
    }
    if (list && entry.value() instanceof YamlTree.Items(_, List<YamlTree> items)) {
      List<String> words = new ArrayList<>();
      for (YamlTree item : items) {
        if (item instanceof YamlTree.Scalar(_, String text) && !text.isBlank()) {
          words.add(text.strip());
        } else {
          add(item.line(), "`%s` must be a list of values".formatted(key));
        }
      }
      return words;
    }
    String text = text(key, entry, entry.line());
    return text == null ? List.of() : List.of(text);
  }

  /** What columns hold; nothing where it is not said. */
  Dictionary dictionary(String key) {
    YamlTree.Entry entry = root.get(key);
    if (entry == null) {
      return Dictionary.NONE;
    }
    if (entry.value() instanceof YamlTree.Keys(_, Map<String, YamlTree.Entry> columns)) {
      columns.forEach((name, at) -> stands("column " + YamlTree.quoted(name), at.line()));
    }
    return Dictionary.of(entry.value(), problems);
  }

  void add(int line, String problem) {
    problems.add("line %d: %s".formatted(line, problem));
  }

  /** Where a key stands; the first line where it does not. */
  int line(String key) {
    YamlTree.Entry entry = root.get(key);
    return entry == null ? 1 : entry.line();
  }

  void require(boolean holds, String key, String problem) {
    if (!holds) {
      add(line(key), problem);
    }
  }

  /** A value that must be given. */
  <T> @Nullable T required(String key, String what, Function<String, T> read) {
    YamlTree.Entry entry = root.get(key);
    if (entry == null) {
      add(1, "`%s` must be given: %s".formatted(key, what));
      return null;
    }
    String text = text(key, entry, entry.line());
    return text == null ? null : attempt(entry.line(), () -> read.apply(text));
  }

  /** A value that may be left out. */
  <T> T optional(String key, T standard, Function<String, T> read) {
    YamlTree.Entry entry = root.get(key);
    String text = entry == null ? null : text(key, entry, entry.line());
    T value = entry == null || text == null ? null : attempt(entry.line(), () -> read.apply(text));
    return value == null ? standard : value;
  }

  /** The one line that a key holds. */
  @Nullable String text(String key, YamlTree.@Nullable Entry entry, int line) {
    if (entry == null) {
      add(line, "`%s` must be given".formatted(key));
      return null;
    }
    if (entry.value() instanceof YamlTree.Scalar(_, String text)) {
      if (!text.isBlank() && text.lines().count() == 1) {
        return text.strip();
      }
      add(entry.line(), "`%s` must have a value on one line".formatted(key));
    } else {
      add(entry.line(), "`%s` takes one value".formatted(key));
    }
    return null;
  }

  /** What a step gives; null, and a problem, where it refuses. */
  <T> @Nullable T attempt(int line, Supplier<T> step) {
    try {
      return step.get();
    } catch (InvalidInput e) {
      add(line, String.valueOf(e.getMessage()));
      return null;
    }
  }
}
