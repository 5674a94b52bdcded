package ngd.core.question;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import ngd.core.InvalidInput;
import ngd.core.NearestName;

/**
 * One of several methods with what is its own: {@code choco:0.3@0.05+codec=top:2} is the algorithm
 * {@code choco:0.3} with the step size 0.05 and a codec.
 *
 * @param text the whole, by which it is called
 */
record MethodWord(
    String text, String algorithm, Optional<String> step, SequencedMap<Key<?>, String> options) {
  /** What may differ from method to method: neither data nor network. */
  private static final List<Key<?>> OWN =
      List.of(MethodKeys.BATCH, MethodKeys.LOCAL_STEPS, MethodKeys.MIX, MethodKeys.CODEC);

  static MethodWord parse(String text) {
    String[] parts = text.strip().split("[+](?=[a-z-]+=)", -1);
    int at = parts[0].indexOf('@');
    SequencedMap<Key<?>, String> options = new LinkedHashMap<>();
    for (int i = 1; i < parts.length; i++) {
      String[] pair = parts[i].split("=", 2);
      if (options.put(key(pair[0], text), pair[1]) != null) {
        throw new InvalidInput("algorithms: `%s` gives %s twice".formatted(text, pair[0]));
      }
    }
    return new MethodWord(
        text,
        at < 0 ? parts[0] : parts[0].substring(0, at),
        at < 0 ? Optional.empty() : Optional.of(parts[0].substring(at + 1)),
        options);
  }

  private static Key<?> key(String name, String text) {
    List<String> names = OWN.stream().map(Key::name).toList();
    return OWN.stream()
        .filter(key -> key.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new InvalidInput(
                    "algorithms: a method may have its own %s; got `%s` in `%s`%s"
                        .formatted(
                            String.join(", ", names), name, text, NearestName.hint(name, names))));
  }

  /**
   * Words between commas as methods: one that begins with a digit goes on with the one before it,
   * as the cuts of a step size do.
   */
  static List<String> joined(List<String> words) {
    List<String> joined = new ArrayList<>();
    for (String word : words) {
      String before = joined.isEmpty() ? "" : joined.getLast();
      if (before.contains("@") && word.strip().matches("[0-9.].*")) {
        joined.set(joined.size() - 1, before + "," + word.strip());
      } else {
        joined.add(word.strip());
      }
    }
    return joined;
  }

  /** What everybody is asked, with what is this method's own. */
  Words in(Words common) {
    String where = "%s `%s`".formatted(common.name(CompareKeys.ALGORITHMS), text);
    Words own = common.but(MethodKeys.ALGORITHM, algorithm);
    if (step.isPresent()) {
      own = own.but(MethodKeys.ALPHA, step.get(), where);
    }
    for (Key<?> key : options.sequencedKeySet()) {
      own = own.but(key, options.getOrDefault(key, ""), where);
    }
    return own;
  }
}
