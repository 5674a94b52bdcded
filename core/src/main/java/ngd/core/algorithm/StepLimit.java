package ngd.core.algorithm;

/**
 * How large a step an algorithm bears on a network: it is stable while α · (L + added) stays below
 * this number, L = max c_m λmax(H_m) being the largest eigenvalue of any client's scaled Hessian.
 *
 * @param number 0 where nothing is known
 * @param added what the method adds to every client's curvature, such as a penalty; mostly 0
 * @param formula of the largest α, such as {@code 2 / L}
 * @param where what else than L stands in the formula; empty for nothing
 */
public record StepLimit(double number, double added, String formula, String where) {
  private static final double ROUNDING = 1e-12;

  /** That of a step at the average of what is heard: then no client's own step overshoots. */
  public static final StepLimit TWO = new StepLimit(2, "2 / L", "");

  /** That of a method of which nothing is known. */
  public static final StepLimit UNKNOWN = new StepLimit(0, "", "");

  /** The smallest eigenvalue, as formulas call it. */
  public static final String SMALLEST = "λ is the smallest eigenvalue of W";

  public StepLimit(double number, String formula, String where) {
    this(number, 0, formula, where);
  }

  public boolean isKnown() {
    return number > ROUNDING;
  }

  /** The largest safe α at this L. */
  public double alpha(double curvature) {
    return curvature + added > 0 ? number / (curvature + added) : Double.POSITIVE_INFINITY;
  }

  /** The formula, and what stands in it. */
  public String words(String curvature) {
    return "%s, where %sL is %s"
        .formatted(formula, where.isEmpty() ? "" : where + " and ", curvature);
  }
}
