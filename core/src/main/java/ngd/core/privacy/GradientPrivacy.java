package ngd.core.privacy;

import ngd.core.InvalidInput;
import ngd.core.network.Network;

/**
 * How a client's gradients are made private: what a row may contribute, and how much noise there
 * is.
 *
 * @param clip the largest norm that one row's gradient keeps
 * @param own σ of the noise that a client draws for itself, in units of what one row can move
 * @param pair σ of the noise that it has in common with each neighbour, in the same units; 0 for
 *     none
 * @param most how many gradients the budget pays for
 */
public record GradientPrivacy(double clip, double own, double pair, long most) {
  public GradientPrivacy {
    if (most < 1) {
      throw new InvalidInput("privacy: a run sends at least one gradient; got " + most);
    }
  }

  /**
   * The ε of all gradients together against all other sites together, who know the noise that they
   * have in common with a site and see its own alone.
   */
  public double epsilonAgainstAll(double delta) {
    return GaussianAccount.epsilon(GaussianAccount.composed(most, own), delta);
  }

  /**
   * σ of all noise that hides a row, in units of what one row can move, where a budget pays for
   * this many messages in equal parts: of the site's own noise, or of all sites' shares together.
   */
  public static double multiplier(Privacy privacy, long messages) {
    return privacy.noise() instanceof Privacy.Noise.Central
        ? Math.sqrt(messages / (2 * ConcentratedAccount.budget(privacy.epsilon(), privacy.delta())))
        : Math.sqrt((double) messages) / GaussianAccount.budget(privacy.epsilon(), privacy.delta());
  }

  /** A site's share of the noise that the honest ones must have together. */
  private static GradientPrivacy shared(Privacy privacy, int colluders, long totals, int sites) {
    if (colluders >= sites) {
      throw new InvalidInput(
          "privacy: colluders must be fewer than the %d sites; got %d".formatted(sites, colluders));
    }
    double share = multiplier(privacy, totals) / Math.sqrt(sites - colluders);
    return new GradientPrivacy(privacy.clip(), share, 0, totals);
  }

  /** The noise that a budget asks for, in equal parts over the gradients of a run. */
  public static GradientPrivacy of(Privacy privacy, long gradients, Network network) {
    if (gradients < 1) {
      throw new InvalidInput("privacy: a run sends at least one gradient; got " + gradients);
    }
    double local = multiplier(privacy, gradients);
    return switch (privacy.noise()) {
      case Privacy.Noise.Local() -> new GradientPrivacy(privacy.clip(), local, 0, gradients);
      case Privacy.Noise.Central central ->
          shared(privacy, central.colluders(), gradients, network.clients());
      case Privacy.Noise.Correlated correlated -> {
        CorrelatedAccount account =
            CorrelatedAccount.of(PairGraph.of(network), correlated.colluders());
        double share = account.ownShare(correlated.own());
        double own = Math.sqrt(share) * local;
        yield new GradientPrivacy(privacy.clip(), own, account.pair(own, 1 / local), gradients);
      }
    };
  }
}
