package ngd.studies.grid;

import ngd.core.data.PaperModel;

/**
 * One point of a grid: data, their arrangement, a network, an algorithm and its step size, run for
 * so many rounds from zero and looked at after every so many.
 */
public record Cell(
    PaperModel model,
    int rows,
    int clients,
    Arrangement arrangement,
    String network,
    String weights,
    String algorithm,
    String alpha,
    int rounds,
    int every) {

  /** The looks at a run: before it, after every so many rounds, and at its end. */
  public int points() {
    return 1 + Math.ceilDiv(rounds, every);
  }

  /** The rounds done at a look. */
  public int round(int point) {
    return Math.min(point * every, rounds);
  }
}
