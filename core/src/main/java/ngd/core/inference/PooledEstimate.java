package ngd.core.inference;

import java.util.List;
import ngd.core.model.Glm;
import ngd.core.world.World;

/** The estimate of the pooled data, and how it was found. */
public final class PooledEstimate {
  private final PooledFit fit;
  private final World world;
  private final Coordinates coordinates;
  private final Penalty penalty;
  private final Size size;
  private final NullModel nullModel;
  private final LastSteps.End end;
  private final int rounds;
  private final int steps;

  PooledEstimate(
      PooledFit fit,
      World world,
      Coordinates coordinates,
      Penalty penalty,
      Size size,
      NullModel nullModel,
      LastSteps.End end,
      int rounds,
      int steps) {
    this.fit = fit;
    this.world = world;
    this.coordinates = coordinates;
    this.penalty = penalty;
    this.size = size;
    this.nullModel = nullModel;
    this.end = end;
    this.rounds = rounds;
    this.steps = steps;
  }

  /** The coefficients on the scale of the data. */
  public double[] theta() {
    return coordinates.back(end.theta());
  }

  /** How far they are at most from the pooled estimate, in standard errors of their own. */
  public double distance() {
    return end.distance();
  }

  /** The rounds of network gradient descent. */
  public int rounds() {
    return rounds;
  }

  /** The Newton steps after them. */
  public int steps() {
    return steps;
  }

  /** What was asked for. */
  public PooledFit.Settings settings() {
    return fit.settings();
  }

  public Glm glm() {
    return fit.glm();
  }

  public List<String> terms() {
    return fit.terms();
  }

  /** M, over all processes. */
  public int clients() {
    return (int) size.clients();
  }

  /** N, the rows of all clients, those of weight 0 included. */
  public long rows() {
    return (long) size.rows();
  }

  World world() {
    return world;
  }

  Coordinates coordinates() {
    return coordinates;
  }

  Penalty penalty() {
    return penalty;
  }

  Size size() {
    return size;
  }

  NullModel nullModel() {
    return nullModel;
  }

  LastSteps.End end() {
    return end;
  }
}
