package ngd.core.privacy;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import ngd.core.InvalidInput;
import ngd.core.NearestName;

/**
 * The budget of (ε, δ) differential privacy that a site may spend over the whole run.
 *
 * @param epsilon ε: neighbouring data change no probability by more than a factor e^ε …
 * @param delta … but for δ
 * @param clip the largest norm that one row's gradient keeps
 * @param noise who adds it, and against whom it holds
 */
public record Privacy(double epsilon, double delta, double clip, Noise noise) {
  private static final List<String> KEYS =
      List.of("epsilon", "delta", "clip", "noise", "colluders", "own", "bound", "steps");
  private static final String FORM =
      "epsilon=E,delta=D[,clip=C][,noise=local|correlated|central][,colluders=Q][,own=S][,bound=B][,steps=T]";

  /** Who adds the noise, and against whom it holds. */
  public sealed interface Noise {
    /** Every site hides its own rows, whatever all others do together. */
    record Local() implements Noise {}

    /**
     * Most of the noise cancels over neighbours; it holds as long as no more sites collude.
     *
     * @param colluders how many sites may put together what they know
     * @param own the variance of the noise that does not cancel, as a share of what local noise
     *     needs; empty for a choice by the network
     */
    record Correlated(int colluders, OptionalDouble own) implements Noise {
      public Correlated {
        require(
            "colluders",
            colluders,
            colluders >= 1,
            "at least 1: whoever is curious knows what it shares with its own neighbours");
        require(
            "own",
            own.orElse(1),
            own.orElse(1) > 0 && own.orElse(1) <= 1,
            "a share of the variance of local noise, above 0 and at most 1");
      }
    }

    /**
     * Sums over all sites have the noise, to which every site adds a share, and sums alone are
     * seen; it holds as long as no more sites collude.
     *
     * @param colluders how many sites may put together what they know
     * @param bound the largest norm that a row of predictors keeps, the intercept included
     * @param steps the totals of gradients after that of second moments
     */
    record Central(int colluders, double bound, int steps) implements Noise {
      /** Enough for the linear model, whose first step leads there but for clipping and noise. */
      static final int STEPS = 5;

      public Central {
        require(
            "colluders",
            colluders,
            colluders >= 1,
            "at least 1: whoever is curious knows its own share of the noise");
        require(
            "bound",
            bound,
            bound > 0 && bound < Double.POSITIVE_INFINITY,
            "given with noise=central, as the largest norm that a row of predictors keeps, and"
                + " positive");
        require("steps", steps, steps >= 1, "at least 1");
      }
    }
  }

  public Privacy {
    require("epsilon", epsilon, epsilon > 0 && epsilon < Double.POSITIVE_INFINITY, "positive");
    require("delta", delta, delta > 0 && delta < 1, "in (0, 1), well below 1 / rows");
    require("clip", clip, clip > 0 && clip < Double.POSITIVE_INFINITY, "positive");
  }

  /** With local noise. */
  public Privacy(double epsilon, double delta, double clip) {
    this(epsilon, delta, clip, new Noise.Local());
  }

  private static void require(String key, double value, boolean holds, String allowed) {
    if (!holds) {
      throw new InvalidInput("privacy: %s must be %s; got %s".formatted(key, allowed, value));
    }
  }

  /** Reads {@code epsilon=1,delta=1e-6}; the rest is optional, and {@code clip} is 1. */
  public static Privacy parse(String text) {
    Map<String, String> given = new LinkedHashMap<>();
    for (String part : text.strip().split(",", -1)) {
      String[] pair = part.strip().split("=", -1);
      String key = pair[0].strip();
      if (pair.length != 2 || !KEYS.contains(key)) {
        throw new InvalidInput(
            "privacy: the form is `%s`%s; got `%s`"
                .formatted(FORM, NearestName.hint(key, KEYS), text));
      }
      if (given.put(key, pair[1].strip()) != null) {
        throw new InvalidInput("privacy: %s may be given once; got `%s`".formatted(key, text));
      }
    }
    if (!given.containsKey("epsilon") || !given.containsKey("delta")) {
      throw new InvalidInput(
          "privacy: both epsilon and delta must be given, as `epsilon=E,delta=D`; got `%s`"
              .formatted(text));
    }
    return new Privacy(
        number(given, "epsilon", 0),
        number(given, "delta", 0),
        number(given, "clip", 1),
        noise(given));
  }

  private static Noise noise(Map<String, String> given) {
    String kind = given.getOrDefault("noise", "local");
    return switch (kind) {
      case "local" -> {
        only(given, kind, List.of());
        yield new Noise.Local();
      }
      case "correlated" -> {
        only(given, kind, List.of("colluders", "own"));
        yield new Noise.Correlated(
            whole(given, "colluders", 1),
            given.containsKey("own")
                ? OptionalDouble.of(number(given, "own", 1))
                : OptionalDouble.empty());
      }
      case "central" -> {
        only(given, kind, List.of("colluders", "bound", "steps"));
        yield new Noise.Central(
            whole(given, "colluders", 1),
            number(given, "bound", Double.NaN),
            whole(given, "steps", Noise.Central.STEPS));
      }
      default ->
          throw new InvalidInput(
              "privacy: noise must be local, correlated or central; got `%s`".formatted(kind));
    };
  }

  /** Refuses what a kind of noise has no use for. */
  private static void only(Map<String, String> given, String kind, List<String> used) {
    for (String key : KEYS.subList(KEYS.indexOf("noise") + 1, KEYS.size())) {
      if (given.containsKey(key) && !used.contains(key)) {
        throw new InvalidInput("privacy: %s does not go with noise=%s".formatted(key, kind));
      }
    }
  }

  private static double number(Map<String, String> given, String key, double standard) {
    String word = given.get(key);
    try {
      return word == null ? standard : Double.parseDouble(word);
    } catch (NumberFormatException notANumber) {
      throw new InvalidInput(
          "privacy: %s must be a number; got `%s`".formatted(key, word), notANumber);
    }
  }

  private static int whole(Map<String, String> given, String key, int standard) {
    String word = given.get(key);
    try {
      return word == null ? standard : Integer.parseInt(word);
    } catch (NumberFormatException notWhole) {
      throw new InvalidInput(
          "privacy: %s must be a whole number; got `%s`".formatted(key, word), notWhole);
    }
  }

  /** The words in the plan. */
  public String spec() {
    String budget = "epsilon=%s,delta=%s,clip=%s".formatted(epsilon, delta, clip);
    return switch (noise) {
      case Noise.Local() -> budget;
      case Noise.Correlated(int colluders, OptionalDouble own) ->
          "%s,noise=correlated,colluders=%d%s"
              .formatted(budget, colluders, own.isPresent() ? ",own=" + own.getAsDouble() : "");
      case Noise.Central(int colluders, double bound, int steps) ->
          "%s,noise=central,colluders=%d,bound=%s,steps=%d"
              .formatted(budget, colluders, bound, steps);
    };
  }
}
