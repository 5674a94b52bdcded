package ngd.core.theory;

import java.util.OptionalDouble;

/**
 * The factors of the paper's bound on the distance between the stable solution and the global
 * estimate, which holds up to a constant that the paper does not state, and where all clients have
 * as many rows.
 *
 * @param network {ŜE(W) + α}: the balance of the network and the step size
 * @param data {ŜE(Σ̂xx) + ŜE(Σ̂xy)} for the linear model (theorem 2), ŜE(L̇) for others (theorem
 *     3); absent where that was not computed
 * @param words which of the two it is
 */
public record Bound(double network, OptionalDouble data, String words) {

  static Bound of(Problem problem, double seW, DataHeterogeneity heterogeneity) {
    double network = seW + problem.alpha();
    String scope =
        problem.equalRows()
            ? ""
            : "; it does not hold here, as these clients differ in n and the paper assumes one n";
    return problem.linear()
        ? new Bound(
            network,
            OptionalDouble.of(heterogeneity.seSigmaXX() + heterogeneity.seSigmaXY()),
            "{SE(W) + α} × {SE(Σxx) + SE(Σxy)}, up to a constant (theorem 2)" + scope)
        : new Bound(
            network,
            heterogeneity.seScore().value(),
            "{SE(W) + α} × SE(score), up to a constant (theorem 3); the score "
                + heterogeneity.seScore().how()
                + scope);
  }

  /** The product of the two, where both were computed. */
  public OptionalDouble product() {
    return data.isPresent() ? OptionalDouble.of(network * data.getAsDouble()) : data;
  }
}
