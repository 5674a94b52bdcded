package ngd.core.formula;

import java.util.Arrays;

/** What the random terms of a formula say of one row. */
public final class RandomRow {
  private final String[] groups;
  private final double[][] numbers;

  /**
   * A row, by random term.
   *
   * @param groups the name of the group that it is in
   * @param numbers what the effects of that group multiply
   */
  public RandomRow(String[] groups, double[][] numbers) {
    if (groups.length != numbers.length) {
      throw new IllegalArgumentException(
          "random terms: must have groups and numbers alike; got %d and %d"
              .formatted(groups.length, numbers.length));
    }
    this.groups = groups.clone();
    this.numbers = Arrays.stream(numbers).map(double[]::clone).toArray(double[][]::new);
  }

  /** How many random terms there are. */
  public int terms() {
    return groups.length;
  }

  /** The group that the row is in, of a term's; it stays at the site. */
  public String group(int term) {
    return groups[term];
  }

  /** The numbers that the effects of a term's group multiply. */
  public double[] numbers(int term) {
    return numbers[term].clone();
  }
}
