package ngd.peer.plan;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import ngd.core.InvalidInput;
import ngd.core.NearestName;

/**
 * The budget of (ε, δ) differential privacy that a site may spend over the whole run.
 *
 * @param epsilon ε: neighbouring data change no probability by more than a factor e^ε …
 * @param delta … but for δ
 * @param clip the largest norm that one row's gradient keeps
 */
public record Privacy(double epsilon, double delta, double clip) {
  private static final List<String> KEYS = List.of("epsilon", "delta", "clip");

  public Privacy {
    require("epsilon", epsilon, epsilon > 0 && epsilon < Double.POSITIVE_INFINITY, "positive");
    require("delta", delta, delta > 0 && delta < 1, "in (0, 1), well below 1 / rows");
    require("clip", clip, clip > 0 && clip < Double.POSITIVE_INFINITY, "positive");
  }

  private static void require(String key, double value, boolean holds, String allowed) {
    if (!holds) {
      throw new InvalidInput("privacy: %s must be %s; got %s".formatted(key, allowed, value));
    }
  }

  /** Reads {@code epsilon=1,delta=1e-6}; {@code clip=1} may follow, and is 1 where it does not. */
  public static Privacy parse(String text) {
    Map<String, Double> given = new LinkedHashMap<>();
    for (String part : text.strip().split(",", -1)) {
      String[] pair = part.strip().split("=", -1);
      String key = pair[0].strip();
      if (pair.length != 2 || !KEYS.contains(key)) {
        throw new InvalidInput(
            "privacy: the form is `epsilon=E,delta=D[,clip=C]`%s; got `%s`"
                .formatted(NearestName.hint(key, KEYS), text));
      }
      try {
        if (given.put(key, Double.valueOf(pair[1].strip())) != null) {
          throw new InvalidInput("privacy: %s may be given once; got `%s`".formatted(key, text));
        }
      } catch (NumberFormatException notANumber) {
        throw new InvalidInput(
            "privacy: %s must be a number; got `%s`".formatted(key, pair[1]), notANumber);
      }
    }
    Double epsilon = given.get("epsilon");
    Double delta = given.get("delta");
    if (epsilon == null || delta == null) {
      throw new InvalidInput(
          "privacy: both epsilon and delta must be given, as `epsilon=E,delta=D`; got `%s`"
              .formatted(text));
    }
    return new Privacy(epsilon, delta, given.getOrDefault("clip", 1.0));
  }

  /** The words in the plan. */
  public String spec() {
    return "epsilon=%s,delta=%s,clip=%s".formatted(epsilon, delta, clip);
  }
}
