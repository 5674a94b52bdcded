package ngd.core.privacy;

/**
 * Accounts of discrete Gaussian noise that several sites add in shares, in terms of
 * zero-concentrated differential privacy (Bun and Steinke 2016): ρ adds up over totals, however the
 * later ones depend on the earlier, and holds for whole numbers as they are, without a normal
 * distribution in between.
 */
public final class ConcentratedAccount {
  private static final int THIRDS = 200;

  private ConcentratedAccount() {}

  /**
   * ρ of a vector of whole numbers to which each of n sites adds discrete Gaussian noise of
   * parameter σ (Kairouz, Liu and Steinke 2021, theorem 1): the sum of the shares is not quite a
   * discrete Gaussian, by a term that is nothing from σ = 2 on.
   *
   * @param moves the most that one row moves the vector, in Euclidean norm
   * @param sigma σ of each share
   * @param shares n
   * @param numbers the length of the vector
   */
  public static double rho(double moves, double sigma, int shares, int numbers) {
    double tau = 0;
    for (int k = 1; k < shares; k++) {
      tau += 10 * Math.exp(-2 * Math.PI * Math.PI * sigma * sigma * k / (k + 1));
    }
    double ratio = moves / (Math.sqrt(shares) * sigma);
    double epsilon =
        Math.min(Math.sqrt(ratio * ratio + tau * numbers / 2), ratio + tau * Math.sqrt(numbers));
    return epsilon * epsilon / 2;
  }

  /**
   * δ at ε (Canonne, Kamath and Steinke 2020, corollary 13): the least over orders α of exp((α −
   * 1)(αρ − ε)) (1 − 1/α)^α / (α − 1). It holds at every order, so a search that ends early is
   * safe.
   */
  public static double delta(double rho, double epsilon) {
    if (rho == 0) {
      return 0;
    }
    // Above the order at which the first factor is least the others matter little, and below it
    // the function falls: one minimum in log(α − 1).
    double low = -30;
    double high = Math.log(1 + (epsilon + rho) / rho) + 5;
    for (int i = 0; i < THIRDS; i++) {
      double left = low + (high - low) / 3;
      double right = high - (high - low) / 3;
      if (logDelta(rho, epsilon, left) < logDelta(rho, epsilon, right)) {
        high = right;
      } else {
        low = left;
      }
    }
    return Math.min(1, Math.exp(logDelta(rho, epsilon, (low + high) / 2)));
  }

  private static double logDelta(double rho, double epsilon, double logOrder) {
    double above = Math.exp(logOrder);
    double order = 1 + above;
    return above * (order * rho - epsilon) + above * Math.log1p(-1 / order) - Math.log(order);
  }

  /** The largest ρ that (ε, δ) allows. */
  public static double budget(double epsilon, double delta) {
    return Threshold.above(0, 1, rho -> delta(rho, epsilon) <= delta).below();
  }
}
