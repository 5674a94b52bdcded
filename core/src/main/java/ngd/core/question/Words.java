package ngd.core.question;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/** What somebody said: words for keys, and where each of them stands. */
public final class Words {
  /** How a key is called where these words come from. */
  public enum Style {
    /** {@code --alpha}. */
    FLAGS("--"),
    /** {@code alpha}. */
    KEYS("");

    private final String prefix;

    Style(String prefix) {
      this.prefix = prefix;
    }
  }

  /**
   * The words for one key.
   *
   * @param where where they stand, such as {@code fit.yaml, line 3}; empty on the command line
   */
  public record Said(List<String> words, String where) {
    public Said {
      words = List.copyOf(words);
    }
  }

  private final Style style;
  private final SequencedMap<String, Said> said = new LinkedHashMap<>();

  public Words(Style style) {
    this.style = style;
  }

  /** Flags or keys with one value each. */
  public static Words of(Style style, Map<String, String> values) {
    Words words = new Words(style);
    values.forEach((key, value) -> words.put(key, new Said(List.of(value), "")));
    return words;
  }

  /** Says something; what was said for the key before no longer holds. */
  public Words put(String key, Said words) {
    said.put(key, words);
    return this;
  }

  /** Says something as it stands on a command line: a list with commas. */
  public Words say(Key<?> key, String text) {
    return put(key.name(), new Said(key.split(text), ""));
  }

  /** The same words with others for a key. */
  public Words but(Key<?> key, String text) {
    return but(key, text, "");
  }

  /** The same with where those others stand. */
  Words but(Key<?> key, String text, String where) {
    Words changed = new Words(style);
    changed.said.putAll(said);
    return changed.put(key.name(), new Said(key.split(text), where));
  }

  /** The same with nothing said for a key. */
  public Words without(Key<?> key) {
    Words changed = new Words(style);
    changed.said.putAll(said);
    changed.said.remove(key.name());
    return changed;
  }

  public Optional<Said> find(Key<?> key) {
    return Optional.ofNullable(said.get(key.name()));
  }

  /** The same by name; null where nothing was said. */
  public @Nullable Said find(String key) {
    return said.get(key);
  }

  public boolean says(Key<?> key) {
    return said.containsKey(key.name());
  }

  /** The key as the person knows it. */
  public String name(Key<?> key) {
    Said there = said.get(key.name());
    return there == null || there.where().isEmpty() ? style.prefix + key.name() : key.name();
  }

  /** A problem with what was said for a key, or with its absence. */
  public String problem(Key<?> key, String problem) {
    return placed(key, name(key) + ": " + named(problem));
  }

  /** A sentence that names options, as they are called here. */
  String named(String sentence) {
    return style == Style.FLAGS ? sentence : sentence.replaceAll("--([a-z])", "$1");
  }

  /** A problem that begins with the name of its key, as people know it here. */
  String prefixed(String problem) {
    return style.prefix + problem;
  }

  /** The same for a problem that names its subject itself. */
  String placed(Key<?> key, String problem) {
    Said there = said.get(key.name());
    return there == null || there.where().isEmpty() ? problem : there.where() + ": " + problem;
  }
}
