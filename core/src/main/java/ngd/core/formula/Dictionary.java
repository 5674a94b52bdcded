package ngd.core.formula;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import ngd.core.InvalidInput;
import ngd.core.NearestName;
import ngd.core.Problems;
import ngd.core.file.YamlTree;

/**
 * What sites have agreed that their columns hold: types, units and levels. A table that writes the
 * same otherwise, 1 for true or a number for a level, is read as the dictionary says; one that
 * holds something else is refused at its own site.
 */
public record Dictionary(List<Entry> entries) {
  /** Nothing is agreed. */
  public static final Dictionary NONE = new Dictionary(List.of());

  private static final List<String> KEYS = List.of("type", "unit", "levels");

  public Dictionary {
    entries = List.copyOf(entries);
  }

  /** What a column may hold. */
  public enum Type {
    NUMBER("number", ColumnType.NUMBER),
    /** A number without fraction. */
    INTEGER("integer", ColumnType.NUMBER),
    TEXT("text", ColumnType.TEXT),
    BOOLEAN("boolean", ColumnType.BOOLEAN),
    DATE("date", ColumnType.DATE),
    TIME("time", ColumnType.TIME);

    private final String word;
    private final ColumnType column;

    Type(String word, ColumnType column) {
      this.word = word;
      this.column = column;
    }

    public String word() {
      return word;
    }

    /** As formulas know it. */
    public ColumnType column() {
      return column;
    }

    static Type parse(String word) {
      List<String> words = Arrays.stream(values()).map(Type::word).toList();
      int place = words.indexOf(word);
      if (place < 0) {
        throw new InvalidInput(
            "type: must be one of %s%s; got `%s`"
                .formatted(String.join(", ", words), NearestName.hint(word, words), word));
      }
      return values()[place];
    }
  }

  /**
   * One column.
   *
   * @param unit in which numbers are, for people; empty where it does not matter
   * @param levels all that it may hold, the reference level first; empty where anything
   */
  public record Entry(String name, Type type, String unit, List<String> levels) {
    public Entry {
      levels = List.copyOf(levels);
    }

    /** Its line in what is signed. */
    private String canonical() {
      StringBuilder line =
          new StringBuilder("column: %s %s".formatted(YamlTree.quoted(name), type.word()));
      if (!unit.isEmpty()) {
        line.append(" unit ").append(YamlTree.quoted(unit));
      }
      if (!levels.isEmpty()) {
        line.append(" levels ")
            .append(String.join(",", levels.stream().map(YamlTree::quoted).toList()));
      }
      return line.toString();
    }

    /** Itself in words. */
    public String words() {
      return type.word()
          + (unit.isEmpty() ? "" : " in " + unit)
          + (levels.isEmpty() ? "" : ", one of " + String.join(", ", levels));
    }
  }

  /** What it says of a column. */
  public Optional<Entry> find(String column) {
    return entries.stream().filter(entry -> entry.name().equals(column)).findFirst();
  }

  public boolean isEmpty() {
    return entries.isEmpty();
  }

  /** A line for each column: what is signed and hashed. */
  public List<String> canonical() {
    return entries.stream().map(Entry::canonical).toList();
  }

  /** The same as YAML, indented. */
  public String text(String indent) {
    StringBuilder text = new StringBuilder();
    for (Entry entry : entries) {
      text.append(indent)
          .append(YamlTree.quoted(entry.name()))
          .append(": {type: ")
          .append(entry.type().word());
      if (!entry.unit().isEmpty()) {
        text.append(", unit: ").append(YamlTree.quoted(entry.unit()));
      }
      if (!entry.levels().isEmpty()) {
        text.append(", levels: [")
            .append(String.join(", ", entry.levels().stream().map(YamlTree::quoted).toList()))
            .append(']');
      }
      text.append("}\n");
    }
    return text.toString();
  }

  /** The dictionary in a file: a key for each column. */
  public static Dictionary read(Path file) {
    List<String> wrong = new ArrayList<>();
    Problems problems = new Problems();
    YamlTree tree;
    try {
      tree = YamlTree.read(YamlTree.text(file), wrong);
    } catch (InvalidInput e) {
      String message = String.valueOf(e.getMessage());
      throw new InvalidInput(
          message.startsWith(file + ":") ? message : "%s, %s".formatted(file, message), e);
    }
    Dictionary dictionary = of(tree, wrong);
    wrong.forEach(problem -> problems.add("%s, %s".formatted(file, problem)));
    problems.throwIfAny();
    return dictionary;
  }

  /**
   * The dictionary that a part of a file states.
   *
   * @param problems takes what is wrong, each with its line
   */
  public static Dictionary of(YamlTree tree, List<String> problems) {
    if (!(tree instanceof YamlTree.Keys(_, Map<String, YamlTree.Entry> columns))) {
      problems.add(
          "line %d: the dictionary must hold columns, such as `sex: {type: text, levels: [f, m]}`"
              .formatted(tree.line()));
      return NONE;
    }
    List<Entry> entries = new ArrayList<>();
    columns.forEach((name, value) -> entries.addAll(entry(name, value, problems)));
    return new Dictionary(entries);
  }

  private static List<Entry> entry(String name, YamlTree.Entry value, List<String> problems) {
    Map<String, YamlTree.Entry> said = new LinkedHashMap<>();
    switch (value.value()) {
      case YamlTree.Scalar(int line, String type) ->
          said.put("type", new YamlTree.Entry(line, new YamlTree.Scalar(line, type)));
      case YamlTree.Keys(_, Map<String, YamlTree.Entry> keys) -> said.putAll(keys);
      case YamlTree.Items(int line, _) ->
          problems.add(
              "line %d: column %s: must be a type, or keys %s; it is a list"
                  .formatted(line, Expression.quoted(name), String.join(", ", KEYS)));
    }
    for (Map.Entry<String, YamlTree.Entry> one : said.entrySet()) {
      if (!KEYS.contains(one.getKey())) {
        problems.add(
            "line %d: column %s: unknown key `%s`%s; there are: %s"
                .formatted(
                    one.getValue().line(),
                    Expression.quoted(name),
                    one.getKey(),
                    NearestName.hint(one.getKey(), KEYS),
                    String.join(", ", KEYS)));
      }
    }
    try {
      return List.of(read(name, said));
    } catch (InvalidInput e) {
      problems.add(
          "line %d: column %s: %s"
              .formatted(value.line(), Expression.quoted(name), e.getMessage()));
      return List.of();
    }
  }

  private static Entry read(String name, Map<String, YamlTree.Entry> said) {
    List<String> levels = new ArrayList<>();
    YamlTree.Entry listed = said.get("levels");
    if (listed != null) {
      if (!(listed.value() instanceof YamlTree.Items(_, List<YamlTree> items))) {
        throw new InvalidInput("levels: must be a list, such as [f, m]");
      }
      for (YamlTree item : items) {
        if (!(item instanceof YamlTree.Scalar(_, String level)) || level.isEmpty()) {
          throw new InvalidInput("levels: must be a list of words");
        }
        levels.add(level);
      }
      if (levels.stream().distinct().count() < levels.size() || levels.size() < 2) {
        throw new InvalidInput(
            "levels: must be two or more, each once; got %s".formatted(String.join(", ", levels)));
      }
    }
    String word = scalar(said, "type", levels.isEmpty() ? "" : "text");
    if (word.isEmpty()) {
      throw new InvalidInput("type: must be given");
    }
    Type type = Type.parse(word);
    if (!levels.isEmpty() && type != Type.TEXT) {
      throw new InvalidInput(
          "levels: belong to type text, which takes numbers by their digits; the type is %s"
              .formatted(type.word()));
    }
    return new Entry(name, type, scalar(said, "unit", ""), levels);
  }

  private static String scalar(Map<String, YamlTree.Entry> said, String key, String standard) {
    YamlTree.Entry entry = said.get(key);
    if (entry == null) {
      return standard;
    }
    if (!(entry.value() instanceof YamlTree.Scalar(_, String text))
        || text.lines().count() > 1
        || text.isBlank()) {
      throw new InvalidInput("%s: takes one word".formatted(key));
    }
    return text.strip();
  }
}
