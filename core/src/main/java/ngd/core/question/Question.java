package ngd.core.question;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import ngd.core.InvalidInput;
import ngd.core.Problems;
import org.jspecify.annotations.Nullable;

/**
 * What is asked. Two questions are equal where their words are, and the words are canonical: what
 * was said in another form, or is the standard, is written alike.
 *
 * {@snippet file="ngd/library/ExamplesTest.java" region="question"}
 */
public final class Question {
  private final List<Key<?>> keys;
  private final SequencedMap<Key<?>, Object> values;

  private Question(List<Key<?>> keys, SequencedMap<Key<?>, Object> values) {
    this.keys = List.copyOf(keys);
    this.values = values;
  }

  /**
   * What these words mean; every problem is collected.
   *
   * @param keys all that may be said, in the order in which it is written
   */
  public static Question read(List<Key<?>> keys, Words words, Problems problems) {
    SequencedMap<Key<?>, Object> values = new LinkedHashMap<>();
    for (Key<?> key : keys) {
      words
          .find(key)
          .ifPresent(
              said -> {
                Object value = value(key, said.words(), words, problems);
                if (value != null) {
                  values.put(key, value);
                }
              });
    }
    Question question = new Question(keys, values);
    Set<Key<?>> unread = keys.stream().filter(words::says).collect(Collectors.toSet());
    unread.removeAll(values.keySet());
    for (Key<?> key : List.copyOf(values.keySet())) {
      Watched watched = new Watched(values, unread);
      Question seen = new Question(keys, watched);
      // A word may need another that could not be read; what is said of that is enough.
      if (seen.says(key) && !key.applies(seen) && !watched.missed) {
        problems.add(words.problem(key, key.otherwise(question)));
      }
    }
    return question;
  }

  /** Values of which it is known whether one was looked for that could not be read. */
  private static final class Watched extends LinkedHashMap<Key<?>, Object> {
    private static final long serialVersionUID = 1;

    private final transient Set<Key<?>> unread;
    private transient boolean missed;

    Watched(Map<Key<?>, Object> values, Set<Key<?>> unread) {
      super(values);
      this.unread = unread;
    }

    @Override
    public @Nullable Object get(@Nullable Object key) {
      missed |= unread.contains(key);
      return super.get(key);
    }

    @Override
    public boolean containsKey(@Nullable Object key) {
      missed |= unread.contains(key);
      return super.containsKey(key);
    }
  }

  private static @Nullable Object value(
      Key<?> key, List<String> said, Words words, Problems problems) {
    try {
      return key.read(said);
    } catch (InvalidInput e) {
      String message = words.named(String.valueOf(e.getMessage()));
      boolean plain = message.startsWith(key.name() + ":");
      problems.add(
          words.placed(
              key, plain ? words.name(key) + message.substring(key.name().length()) : message));
      return null;
    }
  }

  /** The same words, where nothing can be wrong with them. */
  public static Question of(List<Key<?>> keys, Map<String, String> words) {
    Problems problems = new Problems();
    Question question = read(keys, Words.of(Words.Style.KEYS, words), problems);
    problems.throwIfAny();
    return question;
  }

  /** What may be said. */
  public List<Key<?>> keys() {
    return keys;
  }

  /** What was said for a key, or what holds where nothing was. */
  public <T> T get(Key<T> key) {
    return find(key).orElseThrow(() -> new InvalidInput("%s: must be given".formatted(key.name())));
  }

  /** The same where something was said or holds anyway. */
  @SuppressWarnings("unchecked") // Values are put with the key that read them.
  public <T> Optional<T> find(Key<T> key) {
    T value = (T) values.get(key);
    return value != null
        ? Optional.of(value)
        : key.standard(this).map(words -> key.read(List.of(words)));
  }

  /** Whether something was said that does not hold anyway. */
  public boolean says(Key<?> key) {
    return values.containsKey(key) && !isStandard(key);
  }

  private boolean isStandard(Key<?> key) {
    return key.standard(this).filter(words -> written(key).equals(List.of(words))).isPresent();
  }

  @SuppressWarnings("unchecked")
  private <T> List<String> written(Key<T> key) {
    T value = (T) values.get(key);
    return key.write(value == null ? key.read(List.of(key.standard(this).orElseThrow())) : value);
  }

  @SuppressWarnings("unchecked")
  private <T> Object json(Key<T> key) {
    T value = (T) values.get(key);
    return key.json(value == null ? key.read(List.of(key.standard(this).orElseThrow())) : value);
  }

  /** The same with something else said for a key. */
  public <T> Question with(Key<T> key, T value) {
    SequencedMap<Key<?>, Object> changed = new LinkedHashMap<>(values);
    changed.put(key, value);
    return new Question(keys, changed);
  }

  /** The same with nothing said for a key. */
  public Question without(Key<?> key) {
    SequencedMap<Key<?>, Object> changed = new LinkedHashMap<>(values);
    changed.remove(key);
    return new Question(keys, changed);
  }

  /**
   * The canonical words: every key that applies and holds something, said or not, in the order of
   * the keys.
   */
  public SequencedMap<String, List<String>> words() {
    SequencedMap<String, List<String>> words = new LinkedHashMap<>();
    for (Key<?> key : held()) {
      words.put(key.name(), written(key));
    }
    return words;
  }

  private List<Key<?>> held() {
    List<Key<?>> held = new ArrayList<>();
    for (Key<?> key : keys) {
      boolean holds = values.containsKey(key) || key.standard(this).isPresent();
      if (holds && (says(key) || key.applies(this))) {
        held.add(key);
      }
    }
    return held;
  }

  /** The same for a manifest: numbers and truth values as such, lists as lists. */
  public SequencedMap<String, Object> json() {
    SequencedMap<String, Object> json = new LinkedHashMap<>();
    for (Key<?> key : held()) {
      json.put(key.name(), json(key));
    }
    return json;
  }

  /** The same a line each, {@code key: words}: what is hashed and signed. */
  public List<String> lines() {
    return words().entrySet().stream()
        .map(entry -> "%s: %s".formatted(entry.getKey(), String.join(",", entry.getValue())))
        .toList();
  }

  /** The options that ask this on the command line; what holds anyway is left out. */
  public List<String> arguments() {
    List<String> arguments = new ArrayList<>();
    for (Key<?> key : keys) {
      if (says(key)) {
        List<String> words = written(key);
        switch (key.form()) {
          case FLAG -> arguments.add("--" + key.name());
          case VALUE, LIST -> {
            arguments.add("--" + key.name());
            arguments.add(String.join(",", words));
          }
          case REPEATED ->
              words.forEach(
                  word -> {
                    arguments.add("--" + key.name());
                    arguments.add(word);
                  });
        }
      }
    }
    return arguments;
  }

  /** The same as one line for a shell. */
  public String commandLine(String command) {
    return command
        + arguments().stream().map(word -> " " + quoted(word)).collect(Collectors.joining());
  }

  private static String quoted(String word) {
    return word.matches("[A-Za-z0-9_./:=,@%+-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
  }

  /** The same with the files that it names moved. */
  public Question relocated(UnaryOperator<String> path) {
    Question moved = this;
    for (Key<?> key : values.keySet()) {
      moved = moved.relocated(key, path);
    }
    return moved;
  }

  private <T> Question relocated(Key<T> key, UnaryOperator<String> path) {
    List<String> words = written(key);
    List<String> moved = key.relocated(words, path);
    return moved.equals(words) ? this : with(key, key.read(moved));
  }

  /** The keys on which two questions differ. */
  public List<String> differences(Question other) {
    Map<String, List<String>> own = words();
    Map<String, List<String>> theirs = other.words();
    List<String> differences = new ArrayList<>();
    for (Key<?> key : keys) {
      List<String> here = own.getOrDefault(key.name(), List.of());
      if (!here.equals(theirs.getOrDefault(key.name(), List.of()))) {
        differences.add(key.name());
      }
    }
    return differences;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Question question && words().equals(question.words());
  }

  @Override
  public int hashCode() {
    return words().hashCode();
  }

  @Override
  public String toString() {
    return words().toString();
  }
}
