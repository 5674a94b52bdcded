package ngd.core.question;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import ngd.core.InvalidInput;
import ngd.core.NumberText;
import org.jspecify.annotations.Nullable;

/**
 * One thing that a question may say: an option of the command line, a key of a YAML file, a line of
 * a plan and of a manifest.
 *
 * @param <T> what its words mean
 */
public final class Key<T> {
  /** How it is written. */
  public enum Form {
    /** One value. */
    VALUE,
    /** Values with commas between them; a list in a file. */
    LIST,
    /** Said once for each value; a list in a file. */
    REPEATED,
    /** There or not. */
    FLAG
  }

  private final String name;
  private final String label;
  private final Form form;
  private final Function<List<String>, T> reader;
  private final Function<T, List<String>> writer;
  private final Function<T, Object> json;
  private String help = "";
  private List<String> offered = List.of();
  private Function<Question, Optional<String>> standard = _ -> Optional.empty();
  private @Nullable String unsaid;
  private Predicate<Question> applies = _ -> true;
  private Function<Question, String> otherwise = _ -> "";
  private Relocation relocation = (words, _) -> words;
  private UnaryOperator<String> stored = words -> words;

  /** Moves the files that some words name. */
  @FunctionalInterface
  private interface Relocation {
    String apply(String words, UnaryOperator<String> path);
  }

  private Key(
      String name,
      String label,
      Form form,
      Function<List<String>, T> reader,
      Function<T, List<String>> writer,
      Function<T, Object> json) {
    this.name = name;
    this.label = label;
    this.form = form;
    this.reader = reader;
    this.writer = writer;
    this.json = json;
  }

  /** A value with words of its own. */
  public static <T> Key<T> of(
      String name, String label, Function<String, T> reader, Function<T, String> writer) {
    return new Key<>(
        name,
        label,
        Form.VALUE,
        words -> reader.apply(words.getFirst()),
        value -> List.of(writer.apply(value)),
        writer::apply);
  }

  /** A text that means itself. */
  public static Key<String> text(String name, String label) {
    return of(name, label, text -> text, text -> text);
  }

  /** A whole number from a least one on. */
  public static Key<Integer> whole(String name, String label, int least) {
    return new Key<>(
        name,
        label,
        Form.VALUE,
        words -> wholeOf(name, least, words.getFirst()),
        value -> List.of(Integer.toString(value)),
        value -> value);
  }

  /** A number. */
  public static Key<Double> number(String name, String label) {
    return new Key<>(
        name,
        label,
        Form.VALUE,
        words -> numberOf(name, words.getFirst()),
        value -> List.of(Double.toString(value)),
        value -> value);
  }

  /** A list whose words mean themselves; with commas between them. */
  public static Key<List<String>> list(String name, String label) {
    return list(name, label, Form.LIST);
  }

  /** Texts that are said one by one. */
  public static Key<List<String>> repeated(String name, String label) {
    return list(name, label, Form.REPEATED);
  }

  /** The same, where each text is looked at; the reader throws where it may not be. */
  public static Key<List<String>> repeated(String name, String label, Consumer<String> checked) {
    return new Key<>(
        name,
        label,
        Form.REPEATED,
        words -> {
          words.forEach(checked);
          return List.copyOf(words);
        },
        words -> words,
        words -> words);
  }

  /** Values with words of their own that are said one by one, or several at once. */
  public static <T> Key<List<T>> repeated(
      String name, String label, Function<String, List<T>> reader, Function<T, String> writer) {
    return new Key<>(
        name,
        label,
        Form.REPEATED,
        words -> words.stream().flatMap(word -> reader.apply(word).stream()).toList(),
        values -> values.stream().map(writer).toList(),
        values -> values.stream().map(writer).toList());
  }

  private static Key<List<String>> list(String name, String label, Form form) {
    return new Key<>(name, label, form, List::copyOf, words -> words, words -> words);
  }

  /** A list with a meaning of its own. */
  public static <T> Key<T> listed(
      String name,
      String label,
      Function<List<String>, T> reader,
      Function<T, List<String>> writer) {
    return new Key<>(name, label, Form.LIST, reader, writer, writer::apply);
  }

  /** Something that holds where it is said. */
  public static Key<Boolean> flag(String name) {
    return new Key<>(
            name,
            "",
            Form.FLAG,
            words -> flagOf(name, words.getFirst()),
            value -> List.of(Boolean.toString(value)),
            value -> value)
        .standard("false");
  }

  /** What it means, for people who ask for help. */
  public Key<T> help(String words) {
    help = words;
    return this;
  }

  /** What holds where nothing is said. */
  public Key<T> standard(String words) {
    return standard(_ -> Optional.of(words));
  }

  /** What holds where nothing is said, as far as the rest of the question decides it. */
  public Key<T> standard(Function<Question, Optional<String>> words) {
    standard = words;
    return this;
  }

  /** What an option without a value says. */
  public Key<T> bare(String words) {
    unsaid = words;
    return this;
  }

  /**
   * When it may be said.
   *
   * @param why why not, where it may not
   */
  public Key<T> when(Predicate<Question> condition, String why) {
    return when(condition, _ -> why);
  }

  /** The same, where the reason depends on the question. */
  public Key<T> when(Predicate<Question> condition, Function<Question, String> why) {
    applies = condition;
    otherwise = why;
    return this;
  }

  /** Its words name a file, or something after a prefix such as {@code file:}. */
  public Key<T> files(Function<String, Integer> start) {
    relocation =
        (words, path) -> {
          int from = start.apply(words);
          return from < 0 ? words : words.substring(0, from) + path.apply(words.substring(from));
        };
    return this;
  }

  /** What of its words may be written down. */
  public Key<T> stored(UnaryOperator<String> without) {
    stored = without;
    return this;
  }

  /** Words of it as they may be written down. */
  public String storable(String words) {
    return stored.apply(words);
  }

  /** The name, as in a file; on the command line after two dashes. */
  public String name() {
    return name;
  }

  /** Values that a shell offers to complete; others may be allowed. */
  public Key<T> offering(List<String> values) {
    offered = List.copyOf(values);
    return this;
  }

  public List<String> offered() {
    return offered;
  }

  /** What stands for its value in help. */
  public String label() {
    return label;
  }

  public Form form() {
    return form;
  }

  public String help() {
    return help;
  }

  /** The words that hold in a question where nothing is said. */
  Optional<String> standard(Question question) {
    return standard.apply(question);
  }

  /** What the option means without a value, where it may stand without one. */
  public Optional<String> bare() {
    return Optional.ofNullable(unsaid);
  }

  /** Whether it may be said in this question. */
  boolean applies(Question question) {
    return applies.test(question);
  }

  /** Why it may not. */
  String otherwise(Question question) {
    return otherwise.apply(question);
  }

  /** The words that a text on the command line is. */
  public List<String> split(String text) {
    return form == Form.LIST ? List.of(text.split(",", -1)) : List.of(text);
  }

  T read(List<String> words) {
    return reader.apply(words);
  }

  List<String> write(T value) {
    return writer.apply(value);
  }

  /** The value for a manifest: without secrets. */
  Object json(T value) {
    return switch (json.apply(value)) {
      case String text -> stored.apply(text);
      case List<?> words -> words.stream().map(word -> stored.apply(word.toString())).toList();
      case Object other -> other;
    };
  }

  /** The same words with the files that they name moved. */
  public List<String> relocated(List<String> words, UnaryOperator<String> path) {
    return words.stream().map(word -> relocation.apply(word, path)).toList();
  }

  private static int wholeOf(String name, int least, String text) {
    int value =
        NumberText.read(
            text,
            Integer::parseInt,
            () ->
                "%s: must be a whole number up to %d; got `%s`"
                    .formatted(name, Integer.MAX_VALUE, text));
    if (value < least) {
      throw new InvalidInput("%s: must be at least %d; got %d".formatted(name, least, value));
    }
    return value;
  }

  private static double numberOf(String name, String text) {
    return NumberText.read(
        text, Double::parseDouble, () -> "%s: must be a number; got `%s`".formatted(name, text));
  }

  private static boolean flagOf(String name, String text) {
    if (!text.equals("true") && !text.equals("false")) {
      throw new InvalidInput("%s: must be true or false; got `%s`".formatted(name, text));
    }
    return text.equals("true");
  }

  @Override
  public String toString() {
    return name;
  }
}
