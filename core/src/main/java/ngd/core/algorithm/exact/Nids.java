package ngd.core.algorithm.exact;

import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import ngd.core.InvalidInput;
import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.AlgorithmChoice;
import ngd.core.algorithm.AlgorithmDescriptor;
import ngd.core.algorithm.CurvedLocal;
import ngd.core.algorithm.Exchange;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.Local;
import ngd.core.algorithm.Need;
import ngd.core.algorithm.NetworkFacts;
import ngd.core.algorithm.StepLimit;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.Weighting;
import ngd.core.linalg.SymmetricMatrix;
import ngd.core.random.Draws;
import ngd.core.rows.Rows;
import org.jspecify.annotations.Nullable;

/**
 * NIDS, whose step sizes do not depend on the network and may be each client's own (Li, Shi and Yan
 * 2019, Algorithm 1, without a non-smooth term):
 *
 * <pre>
 * x ← W̃ (2x − x₋ − Λ g + Λ₋ g₋),  W̃ = I − c Λ (I − W),  c = 1 / (2 max α_m),
 * </pre>
 *
 * Λ holding the α_m, and x − Λ g in the first round. With one α for all, W̃ = (I + W) / 2 and it
 * takes the steps of {@link ExactDiffusion} but for the first. It wants a symmetric W.
 *
 * @param own whether α_m = α L / L_m, L_m being the largest eigenvalue of client m's scaled Hessian
 *     where it starts and L the largest of them; where not, all have α
 */
public record Nids(StepSize alpha, boolean own, GradientScales scales)
    implements Algorithm.Rounds<Nids.State> {

  /**
   * Where each client stands, and where it came from.
   *
   * @param before x₋ − Λ₋ g₋; null in the first round
   * @param lengths L / L_m, one number per row; null where all have α, and in the first round
   * @param longest the largest of them
   */
  public record State(
      int round, Rows theta, @Nullable Rows before, @Nullable Rows lengths, double longest)
      implements Algorithm.State {
    @Override
    public List<Rows> rows() {
      return Stream.of(theta, before, lengths).filter(Objects::nonNull).toList();
    }
  }

  @Override
  public State start(Rows theta) {
    return new State(0, theta, null, null, 1);
  }

  @Override
  public State step(State s, Exchange exchange, Local local, Draws draws) {
    State now = own && s.before() == null ? measured(s, exchange, local) : s;
    Rows lengths = now.lengths();
    Rows gradient = scales.times(local.gradient(s.theta()));
    Rows descended =
        s.theta()
            .minus(alpha.at(s.round()), lengths == null ? gradient : gradient.timesEach(lengths));
    if (s.before() == null) {
      return new State(s.round() + 1, descended, descended, lengths, now.longest());
    }
    Rows sent = descended.plus(s.theta()).minus(s.before());
    Rows mixed = exchange.mix(sent);
    Rows theta =
        lengths == null
            ? sent.plus(mixed).times(0.5)
            : sent.minus(0.5 / now.longest(), sent.minus(mixed).timesEach(lengths));
    return new State(s.round() + 1, theta, descended, lengths, now.longest());
  }

  private State measured(State s, Exchange exchange, Local local) {
    CurvedLocal curved = CurvedLocal.in(local);
    Rows theta = s.theta();
    double[] curvatures = new double[theta.rows()];
    for (int m = 0; m < curvatures.length; m++) {
      double[] steepness = curved.moments(m).steepness(theta.row(m));
      curvatures[m] = scales.of(m) * SymmetricMatrix.largestEigenvalue(steepness, theta.width());
    }
    double most = exchange.max(curvatures);
    double[] lengths = new double[curvatures.length];
    double[][] column = new double[curvatures.length][1];
    for (int m = 0; m < curvatures.length; m++) {
      lengths[m] = most / curvatures[m];
      column[m][0] = lengths[m];
    }
    return new State(0, theta, null, theta.of(column), exchange.max(lengths));
  }

  /** {@code --algorithm nids}. */
  public static final class Descriptor extends AlgorithmDescriptor {
    public Descriptor() {
      super(
          "nids",
          "exact, with steps that suit any network (Li, Shi, Yan 2019); OWN = 1: each client its"
              + " own",
          request -> new Nids(request.step(), own(request.choice()), request.scales()));
      parameters("OWN");
      needs(Need.STRONGLY_CONNECTED, Need.APERIODIC, Need.SYMMETRIC);
      weighting(Weighting.BY_SIZE);
      traits(Trait.EXACT);
    }

    private static boolean own(AlgorithmChoice choice) {
      double own = choice.parameter(0, 0);
      if (own != 0 && own != 1) {
        throw new InvalidInput(
            "nids: OWN must be 0, one step size for all, or 1, each client's own; got " + own);
      }
      return own == 1;
    }

    @Override
    public Set<Need> needs(AlgorithmChoice choice) {
      Set<Need> needs = EnumSet.copyOf(needs());
      if (choice.parameter(0, 0) == 1) {
        needs.add(Need.HESSIAN);
      }
      return needs;
    }

    /**
     * With x = Λ^½ u the iteration is that of {@link ExactDiffusion} for Λ^½ B Λ^½ and the
     * symmetric I − c Λ^½ (I − W) Λ^½, which is positive definite; α_m L_m = α L for every client.
     */
    @Override
    public StepLimit limit(NetworkFacts network) {
      return StepLimit.TWO;
    }
  }
}
