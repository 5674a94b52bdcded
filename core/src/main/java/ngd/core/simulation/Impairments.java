package ngd.core.simulation;

import java.util.List;
import java.util.Locale;
import ngd.core.InvalidInput;
import ngd.core.NearestName;

/**
 * How imperfect the world of an asynchronous run is. Time is simulated: a second is what a client
 * of ordinary speed takes between two updates.
 *
 * @param clocks how clients keep time
 * @param delay the mean time that a letter takes; 0 for none
 * @param loss the share of letters that never arrive
 * @param up the mean time that a client stays before it goes; 0 where nobody ever goes
 * @param down the mean time that it is down; letters to it are lost meanwhile
 */
public record Impairments(Clocks clocks, double delay, double loss, double up, double down) {
  /** Equal clocks, no delay, no loss, nobody goes. */
  public static final Impairments PERFECT = new Impairments(Clocks.EQUAL, 0, 0, 0, 0);

  /** How clients keep time. */
  public enum Clocks {
    /** All strike together, once a second. */
    EQUAL,
    /** Each strikes at random, once a second on average. */
    POISSON,
    /** Each strikes regularly, at a pace of its own between half and one and a half seconds. */
    UNEQUAL;

    /** The word on the command line. */
    public String spec() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** The words on the command line for how clients keep time. */
  public static Clocks clocks(String word) {
    List<String> words = List.of("equal", "poisson", "unequal");
    if (!words.contains(word)) {
      throw new InvalidInput(
          "clocks: must be equal, poisson or unequal; got `%s`%s"
              .formatted(word, NearestName.hint(word, words)));
    }
    return Clocks.valueOf(word.toUpperCase(Locale.ROOT));
  }

  public Impairments {
    if (!(delay >= 0) || Double.isInfinite(delay)) {
      throw new InvalidInput("delay: must be 0 or more; got " + delay);
    }
    if (!(loss >= 0 && loss < 1)) {
      throw new InvalidInput("loss: must lie in [0, 1), a share of the letters; got " + loss);
    }
    if (!(up >= 0 && down >= 0) || (up > 0) != (down > 0)) {
      throw new InvalidInput(
          "churn: the mean times up and down must both be positive, or both 0; got %s and %s"
              .formatted(up, down));
    }
  }
}
