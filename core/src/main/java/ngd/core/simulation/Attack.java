package ngd.core.simulation;

import java.util.List;
import ngd.core.InvalidInput;
import ngd.core.Vocabulary;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;

/** What a bad client sends instead of its parameters. */
public sealed interface Attack {
  /** The words on the command line. */
  String spec();

  /** Writes the lie over the honest numbers, those at [from, to). */
  void corrupt(double[] values, int from, int to, UniformRandomProvider draw);

  /** Minus {@code factor} times the truth. */
  record SignFlip(double factor) implements Attack {
    @Override
    public String spec() {
      return "sign-flip:" + factor;
    }

    @Override
    public void corrupt(double[] values, int from, int to, UniformRandomProvider draw) {
      for (int i = from; i < to; i++) {
        values[i] *= -factor;
      }
    }
  }

  /** The truth plus normal noise of this standard deviation. */
  record Noise(double sd) implements Attack {
    @Override
    public String spec() {
      return "noise:" + sd;
    }

    @Override
    public void corrupt(double[] values, int from, int to, UniformRandomProvider draw) {
      var normal = ZigguratSampler.NormalizedGaussian.of(draw);
      for (int i = from; i < to; i++) {
        values[i] += sd * normal.sample();
      }
    }
  }

  /** Always the same number. */
  record Constant(double value) implements Attack {
    @Override
    public String spec() {
      return "constant:" + value;
    }

    @Override
    public void corrupt(double[] values, int from, int to, UniformRandomProvider draw) {
      java.util.Arrays.fill(values, from, to, value);
    }
  }

  /** What is not a number. */
  record NotANumber() implements Attack {
    @Override
    public String spec() {
      return "nan";
    }

    @Override
    public void corrupt(double[] values, int from, int to, UniformRandomProvider draw) {
      java.util.Arrays.fill(values, from, to, Double.NaN);
    }
  }

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
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      throw new InvalidInput("attack %s: must have a number; got `%s`".formatted(spec, text), e);
    }
  }
}
