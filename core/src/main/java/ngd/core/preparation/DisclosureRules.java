package ngd.core.preparation;

import java.util.List;
import ngd.core.InvalidInput;

/**
 * What a site lets out of its rows, by its own decision. Names and defaults are those of
 * DataSHIELD's {@code nfilter} options where they mean the same.
 *
 * @param tab the fewest rows of a class that has any ({@code nfilter.tab})
 * @param subset the fewest rows that a question may use, and in which two may differ ({@code
 *     nfilter.subset})
 * @param glm the most coefficients for each row of all sites ({@code nfilter.glm})
 * @param levelsMax the most levels of a factor ({@code nfilter.levels.max})
 * @param levelsDensity the most levels of a factor for each row ({@code nfilter.levels.density})
 * @param cells which classes are counted
 * @param differencing what happens to a question that, with earlier ones, would isolate fewer than
 *     {@code subset} rows
 */
public record DisclosureRules(
    int tab,
    int subset,
    double glm,
    int levelsMax,
    double levelsDensity,
    Cells cells,
    Differencing differencing) {

  /** What holds where a site says nothing else. */
  public static final DisclosureRules STANDARD =
      new DisclosureRules(3, 3, 0.33, 40, 0.33, Cells.COMBINED, Differencing.REFUSE);

  /** Which classes of rows must have none or enough of them. */
  public enum Cells {
    /** Those of each term. */
    SINGLE("single"),
    /** Those of every two terms, and of each with the response: what second moments say. */
    PAIRS("pairs"),
    /** The same, and what their counts come down to when they are added and subtracted. */
    COMBINED("combined"),
    /** Those of all variables together, which the Hessians of a small model may say. */
    JOINT("joint");

    private final String word;

    Cells(String word) {
      this.word = word;
    }

    public String word() {
      return word;
    }

    /**
     * The cells that are followed in sums and differences. Values of another column are summed over
     * the classes of single terms; of cells of two terms there are counts alone, which a site may
     * leave out.
     */
    Cells followed() {
      return this == PAIRS ? SINGLE : this;
    }

    /** Whether counts are also judged as they add up and subtract. */
    boolean addsUp() {
      return this == COMBINED || this == JOINT;
    }

    public static Cells parse(String word) {
      return switch (word) {
        case "single" -> SINGLE;
        case "pairs" -> PAIRS;
        case "combined" -> COMBINED;
        case "joint" -> JOINT;
        default ->
            throw new InvalidInput(
                "cells: must be single, pairs, combined or joint; got `%s`".formatted(word));
      };
    }
  }

  /** What happens to a question that differs too little from earlier ones. */
  public enum Differencing {
    REFUSE("refuse"),
    WARN("warn"),
    OFF("off");

    private final String word;

    Differencing(String word) {
      this.word = word;
    }

    public String word() {
      return word;
    }

    public static Differencing parse(String word) {
      return switch (word) {
        case "refuse" -> REFUSE;
        case "warn" -> WARN;
        case "off" -> OFF;
        default ->
            throw new InvalidInput(
                "differencing: must be refuse, warn or off; got `%s`".formatted(word));
      };
    }
  }

  public DisclosureRules {
    atLeastOne("nfilter.tab", tab);
    atLeastOne("nfilter.subset", subset);
    atLeastOne("nfilter.levels.max", levelsMax);
    share("nfilter.glm", glm);
    share("nfilter.levels.density", levelsDensity);
  }

  private static void atLeastOne(String name, int value) {
    if (value < 1) {
      throw new InvalidInput(
          "%s: must be a whole number of at least 1; got %d".formatted(name, value));
    }
  }

  private static void share(String name, double value) {
    if (!(value > 0 && value <= 1)) {
      throw new InvalidInput(
          "%s: must lie above 0 and be at most 1; got %s".formatted(name, value));
    }
  }

  /** Every rule with its value, as the site's file has them. */
  public List<String> canonical() {
    return List.of(
        "nfilter.tab: " + tab,
        "nfilter.subset: " + subset,
        "nfilter.glm: " + glm,
        "nfilter.levels.max: " + levelsMax,
        "nfilter.levels.density: " + levelsDensity,
        "cells: " + cells.word(),
        "differencing: " + differencing.word());
  }

  /**
   * The fewest rows, of all and of each class, that a fold of a cross-validation has of this site,
   * where it has any: its sums are told as those of a question are.
   */
  public int ofFold() {
    return Math.max(tab, subset);
  }

  /** Whether a class has none or enough rows. */
  boolean allows(long rows) {
    return rows == 0 || rows >= tab;
  }

  /** The fewest rows of a level whose name may leave the site: never a single one. */
  int namedLevel() {
    return Math.max(2, tab);
  }
}
