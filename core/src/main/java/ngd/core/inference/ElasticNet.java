package ngd.core.inference;

import java.util.List;
import java.util.OptionalDouble;
import ngd.core.InvalidInput;
import ngd.core.NearestName;
import ngd.core.NumberText;

/**
 * The shape of a penalty on coefficients: λ Σ u_j (mix |s_j θ_j| + (1 − mix)/2 (s_j θ_j)²) beside
 * minus the mean log-likelihood of a row, s_j the pooled standard deviation of column j
 * (docs/penalties.md).
 *
 * @param mix the share of the absolute values: 1 is the lasso, 0 ridge regression; glmnet's alpha
 * @param gamma where it is there, the factors u_j are 1 / |s_j θ_j|^gamma of an earlier estimate
 *     (the adaptive lasso), else 1
 */
public record ElasticNet(double mix, OptionalDouble gamma) {
  private static final String NET = "elastic-net";
  private static final String ADAPTIVE = "adaptive-lasso";

  public static final ElasticNet LASSO = new ElasticNet(1, OptionalDouble.empty());
  public static final ElasticNet RIDGE = new ElasticNet(0, OptionalDouble.empty());

  public ElasticNet {
    if (!(mix >= 0 && mix <= 1)) {
      throw new InvalidInput(
          "penalty: the share of the lasso in elastic-net:SHARE must lie in [0, 1]; got %s"
              .formatted(NumberText.text(mix)));
    }
    if (gamma.isPresent() && !(gamma.getAsDouble() > 0 && gamma.getAsDouble() <= 10)) {
      throw new InvalidInput(
          "penalty: the power in adaptive-lasso:POWER must lie above 0 and be at most 10; got %s"
              .formatted(NumberText.text(gamma.getAsDouble())));
    }
  }

  /**
   * Reads {@code lasso}, {@code ridge}, {@code elastic-net:SHARE} or {@code adaptive-lasso:POWER}.
   */
  public static ElasticNet parse(String word) {
    int colon = word.indexOf(':');
    String name = colon < 0 ? word : word.substring(0, colon);
    OptionalDouble number =
        colon < 0 ? OptionalDouble.empty() : OptionalDouble.of(number(word.substring(colon + 1)));
    List<String> names = List.of("lasso", "ridge", NET, ADAPTIVE);
    if (name.equals("lasso") && number.isEmpty()) {
      return LASSO;
    }
    if (name.equals("ridge") && number.isEmpty()) {
      return RIDGE;
    }
    return switch (name) {
      case NET -> new ElasticNet(number.orElse(0.5), OptionalDouble.empty());
      case ADAPTIVE -> new ElasticNet(1, OptionalDouble.of(number.orElse(1)));
      default ->
          throw new InvalidInput(
              "penalty: must be lasso, ridge, elastic-net:SHARE or adaptive-lasso:POWER; got `%s`%s"
                  .formatted(word, NearestName.hint(name, names)));
    };
  }

  private static double number(String text) {
    return NumberText.read(
        text,
        Double::parseDouble,
        () -> "penalty: a number must follow the colon; got `%s`".formatted(text));
  }

  /** How it is written: what {@link #parse} reads. */
  public String word() {
    if (gamma.isPresent()) {
      return ADAPTIVE + ":" + NumberText.text(gamma.getAsDouble(), 17);
    }
    return mix == 1 ? "lasso" : mix == 0 ? "ridge" : NET + ":" + NumberText.text(mix, 17);
  }

  /** What it is, in words. */
  public String words() {
    return gamma.isPresent()
        ? "adaptive lasso"
        : mix == 1 ? "lasso" : mix == 0 ? "ridge" : "elastic net";
  }
}
