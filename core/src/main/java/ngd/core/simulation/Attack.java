package ngd.core.simulation;

import java.util.Arrays;
import java.util.List;
import ngd.core.NumberText;
import ngd.core.Vocabulary;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;

/** What a bad client sends instead of its parameters. */
public sealed interface Attack {
  /** The words on the command line. */
  default String spec() {
    return switch (this) {
      case SignFlip(double factor) -> "sign-flip:" + factor;
      case Noise(double sd) -> "noise:" + sd;
      case Constant(double value) -> "constant:" + value;
      case NotANumber _ -> "nan";
    };
  }

  /** Writes the lie over the honest numbers, those at [from, to). */
  default void corrupt(double[] values, int from, int to, UniformRandomProvider draw) {
    switch (this) {
      case SignFlip(double factor) -> {
        for (int i = from; i < to; i++) {
          values[i] *= -factor;
        }
      }
      case Noise(double sd) -> {
        var normal = ZigguratSampler.NormalizedGaussian.of(draw);
        for (int i = from; i < to; i++) {
          values[i] += sd * normal.sample();
        }
      }
      case Constant(double value) -> Arrays.fill(values, from, to, value);
      case NotANumber _ -> Arrays.fill(values, from, to, Double.NaN);
    }
  }

  /** Minus {@code factor} times the truth. */
  record SignFlip(double factor) implements Attack {}

  /** The truth plus normal noise of this standard deviation. */
  record Noise(double sd) implements Attack {}

  /** Always the same number. */
  record Constant(double value) implements Attack {}

  /** What is not a number. */
  record NotANumber() implements Attack {}

  static Attack parse(String spec) {
    Vocabulary words =
        new Vocabulary(
            "attack", List.of("sign-flip", "sign-flip:F", "noise:SD", "constant:C", "nan"));
    List<String> given = words.parameters(spec);
    double number = given.isEmpty() ? 1 : number(spec, given.getFirst());
    return switch (spec.strip().split(":", 2)[0]) {
      case "sign-flip" -> new SignFlip(number);
      case "noise" -> new Noise(number);
      case "constant" -> new Constant(number);
      default -> new NotANumber();
    };
  }

  private static double number(String spec, String text) {
    return NumberText.read(
        text,
        Double::parseDouble,
        () -> "attack %s: must have a number; got `%s`".formatted(spec, text));
  }
}
