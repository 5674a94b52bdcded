package ngd.core.simulation;

import java.util.List;
import ngd.core.InvalidInput;
import ngd.core.NumberText;
import ngd.core.Vocabulary;

/** What a bad client does. */
public sealed interface Attack {
  /** The words on the command line. */
  default String spec() {
    return switch (this) {
      case SignFlip(double factor) -> "sign-flip:" + factor;
      case Noise(double sd) -> "noise:" + sd;
      case Constant(double value) -> "constant:" + value;
      case Drift(double rate) -> "drift:" + rate;
      case NotANumber _ -> "nan";
      case LittleIsEnough(double deviations) ->
          Double.isNaN(deviations) ? "alie" : "alie:" + deviations;
      case InnerProduct(double factor) -> "inner-product:" + factor;
      case Dissensus(double factor) -> "dissensus:" + factor;
      case LabelFlip _ -> "label-flip";
    };
  }

  /** A lie that is made of the liar's own row. */
  sealed interface Alone extends Attack {}

  /** A lie that is made of all honest clients' rows, which the attackers know. */
  sealed interface Knowing extends Attack {}

  /** Minus {@code factor} times the truth. */
  record SignFlip(double factor) implements Alone {}

  /** The truth plus normal noise of this standard deviation. */
  record Noise(double sd) implements Alone {}

  /** Always the same number. */
  record Constant(double value) implements Alone {}

  /** The truth plus {@code rate} times the number of the message: a lie that grows slowly. */
  record Drift(double rate) implements Alone {}

  /** What is not a number. */
  record NotANumber() implements Alone {}

  /**
   * A little is enough: the honest clients' mean less so many of their standard deviations,
   * coefficient by coefficient (Baruch, Baruch and Goldberg 2019).
   *
   * @param deviations NaN for their choice, with which a majority still looks farther away
   */
  record LittleIsEnough(double deviations) implements Knowing {}

  /**
   * Inner-product manipulation: minus {@code factor} times the honest mean (Xie, Koyejo, Gupta
   * 2019).
   */
  record InnerProduct(double factor) implements Knowing {}

  /**
   * Dissensus: each listener hears what moves it away from its honest neighbours, {@code factor}
   * times as far as they would pull it (He, Karimireddy and Jaggi 2022).
   */
  record Dissensus(double factor) implements Knowing {}

  /**
   * Data poisoning: attackers follow the rules on false responses, 1 − y, or −y of a linear model.
   */
  record LabelFlip() implements Attack {}

  static Attack parse(String spec) {
    Vocabulary words =
        new Vocabulary(
            "attack",
            List.of(
                "sign-flip",
                "sign-flip:F",
                "noise:SD",
                "constant:C",
                "drift:D",
                "nan",
                "alie",
                "alie:Z",
                "inner-product",
                "inner-product:F",
                "dissensus",
                "dissensus:F",
                "label-flip"));
    List<String> given = words.parameters(spec);
    double number = given.isEmpty() ? 1 : number(spec, given.getFirst());
    return switch (spec.strip().split(":", 2)[0]) {
      case "sign-flip" -> new SignFlip(number);
      case "noise" -> new Noise(number);
      case "constant" -> new Constant(number);
      case "drift" -> new Drift(number);
      case "alie" -> new LittleIsEnough(given.isEmpty() ? Double.NaN : number);
      case "inner-product" -> new InnerProduct(number);
      case "dissensus" -> new Dissensus(number);
      case "label-flip" -> new LabelFlip();
      default -> new NotANumber();
    };
  }

  /** Refuses lies about averages where something else is said. */
  default void requireAlone(String what) {
    if (this instanceof Knowing) {
      throw new InvalidInput(
          "attack %s: lies in averages alone, not in %s; use an algorithm that averages, such as ngd or diging"
              .formatted(spec(), what));
    }
  }

  private static double number(String spec, String text) {
    double number =
        NumberText.read(
            text,
            Double::parseDouble,
            () -> "attack %s: must have a number; got `%s`".formatted(spec, text));
    if (!Double.isFinite(number)) {
      throw new InvalidInput("attack %s: must have a finite number; got %s".formatted(spec, text));
    }
    return number;
  }
}
