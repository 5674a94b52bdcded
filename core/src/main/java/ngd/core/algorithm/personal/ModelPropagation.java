package ngd.core.algorithm.personal;

import java.util.Arrays;
import java.util.List;
import ngd.core.InvalidInput;
import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.AlgorithmDescriptor;
import ngd.core.algorithm.Exchange;
import ngd.core.algorithm.Local;
import ngd.core.algorithm.Need;
import ngd.core.algorithm.ProximalLocal;
import ngd.core.random.Draws;
import ngd.core.rows.Rows;
import org.jspecify.annotations.Nullable;

/**
 * Model propagation: each client fits its own model alone, and these are smoothed over the network
 * (Vanhaesebrouck, Bellet and Tommasi 2017): θ ← (α W θ + ᾱ c θ_own) / (α + ᾱ c), ᾱ = 1 − α, with
 * c_m = n_m / max n the confidence in a client's own model. Personal models, not one.
 *
 * @param alpha α in (0, 1): how much the neighbours count beside the own model
 * @param ridge rho of the fit alone, which is drawn to the start; it makes it exist with few rows
 */
public record ModelPropagation(double alpha, double ridge)
    implements Algorithm.Rounds<ModelPropagation.State> {
  public ModelPropagation {
    if (!(alpha > 0 && alpha < 1)) {
      throw new InvalidInput(
          "model-propagation: the neighbours' share must lie in (0, 1); got " + alpha);
    }
    if (!(ridge > 0)) {
      throw new InvalidInput("model-propagation: the ridge must be positive; got " + ridge);
    }
  }

  /**
   * Where each client stands.
   *
   * @param solitary each client's model from its data alone; null before the first round
   * @param confidence c_m, one number per row; null before the first round
   */
  public record State(int round, Rows theta, @Nullable Rows solitary, @Nullable Rows confidence)
      implements Algorithm.State {
    @Override
    public List<Rows> rows() {
      return solitary == null || confidence == null
          ? List.of(theta)
          : List.of(theta, solitary, confidence);
    }
  }

  @Override
  public State start(Rows theta) {
    return new State(0, theta, null, null);
  }

  /** The first round fits each client's own model; the others propagate. */
  @Override
  public State step(State s, Exchange exchange, Local local, Draws draws) {
    if (s.solitary() == null || s.confidence() == null) {
      Rows solitary = ProximalLocal.in(local).prox(s.theta(), ridge);
      return new State(s.round() + 1, solitary, solitary, confidence(s.theta(), exchange, local));
    }
    Rows confidence = s.confidence();
    double[] heard = new double[s.theta().rows()];
    double[] own = new double[heard.length];
    for (int m = 0; m < heard.length; m++) {
      double weight = (1 - alpha) * confidence.get(m, 0);
      heard[m] = alpha / (alpha + weight);
      own[m] = weight / (alpha + weight);
    }
    Rows theta = exchange.mix(s.theta()).timesEach(heard).plus(s.solitary().timesEach(own));
    return new State(s.round() + 1, theta, s.solitary(), confidence);
  }

  private static Rows confidence(Rows like, Exchange exchange, Local local) {
    double[] sizes = new double[like.rows()];
    Arrays.setAll(sizes, m -> local.rows(m));
    double largest = exchange.max(sizes);
    double[][] confidence = new double[sizes.length][1];
    for (int m = 0; m < sizes.length; m++) {
      confidence[m][0] = sizes[m] / largest;
    }
    return like.of(confidence);
  }

  /** {@code --algorithm model-propagation}. */
  public static final class Descriptor extends AlgorithmDescriptor {
    public Descriptor() {
      super(
          "model-propagation",
          "personal models, smoothed over the network (Vanhaesebrouck et al. 2017)",
          request -> new ModelPropagation(request.parameter(0, 0.9), request.parameter(1, 1e-3)));
      parameters("A", "RIDGE");
      needs(Need.PROXIMAL_STEPS);
      traits(Trait.STEPLESS);
    }
  }
}
