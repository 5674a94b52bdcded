package ngd.core.world;

import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import ngd.core.algorithm.Moments;
import ngd.core.algorithm.Proximal;
import ngd.core.algorithm.ProximalStep;
import ngd.core.data.RowFactors;
import ngd.core.data.Shard;
import ngd.core.data.Shards;
import ngd.core.linalg.Kernels;
import ngd.core.model.CurvedLoss;
import ngd.core.model.Glm;
import ngd.core.model.Linear;
import ngd.core.model.Objective;
import ngd.core.random.Streams;
import ngd.core.rows.Host;
import ngd.core.rows.HostRows;
import ngd.core.rows.Rows;
import org.jspecify.annotations.Nullable;

/** Data in this process under a loss with a Hessian. */
final class CurvedShardsLocal extends ShardsLocal implements ModelledLocal {
  private static final long MOST_NUMBERS = 1L << 27;

  private final CurvedLoss curved;
  private @Nullable LinearProx linearProx;
  private @Nullable MajorisedProx majorisedProx;
  private @Nullable ChordProx chordProx;

  CurvedShardsLocal(Objective objective, Host host, Streams streams, int firstClient) {
    super(objective, host, streams, firstClient);
    curved = (CurvedLoss) objective.loss();
  }

  @Override
  public Rows curvature(Rows at) {
    gradients.whole();
    return each(at, objective::curvatures);
  }

  @Override
  public Rows prox(Rows centre, double[] rho) {
    return prox(centre, rho, centre);
  }

  @Override
  public Rows prox(Rows centre, double[] rho, Rows start) {
    HostRows in = checked(centre, objective.clients());
    HostRows out = host.block(in.rows(), in.width());
    if (curved instanceof Linear && fitsMemory()) {
      gradients.whole();
      LinearProx prox = linearProx(rho);
      host.workers()
          .run(
              in.rows(),
              (long) in.values().length * in.width(),
              (from, to) -> prox.solve(in, out, from, to));
      return out;
    }
    solve(
        in, checked(start, objective.clients()), rho, IntStream.range(0, in.rows()).toArray(), out);
    return out;
  }

  @Override
  public Proximal prox(Rows centre, double[] rho, Proximal before) {
    if (!(curved instanceof Glm glm) || glm instanceof Linear || !glm.convex() || !fitsMemory()) {
      Rows solved = prox(centre, rho);
      return new Proximal(solved, solved);
    }
    HostRows at = checked(before.at(), objective.clients());
    HostRows solved = checked(before.solved(), objective.clients());
    HostRows in = checked(centre, objective.clients());
    Rows slope = in.minus(at).timesEach(rho).minus(gradient(at));
    HostRows against = at.times(-1);
    HostRows out = host.block(at.rows(), at.width());
    MajorisedProx prox = majorisedProx(glm, rho);
    host.workers()
        .run(
            at.rows(),
            (long) at.values().length * at.width(),
            (from, to) -> {
              prox.prepare(solved, from, to);
              prox.step(against, HostRows.in(slope), out, from, to);
            });
    int[] outside = IntStream.range(0, at.rows()).filter(m -> !prox.holds(out, m)).toArray();
    solve(in, at, rho, outside, out);
    return new Proximal(out, replaced(solved, outside, out));
  }

  /** By steps of one gradient each from Hessians at what was solved, anew where these are far. */
  @Override
  public Proximal minimiser(Rows centre, double[] rho, Proximal from) {
    if (!(curved instanceof Glm glm) || glm instanceof Linear || !glm.convex() || !fitsMemory()) {
      return ModelledLocal.super.minimiser(centre, rho, from);
    }
    HostRows in = checked(centre, objective.clients());
    HostRows start = checked(from.at(), objective.clients());
    HostRows solved = checked(from.solved(), objective.clients());
    HostRows out = start.times(1);
    ChordProx.Spare spare = new ChordProx.Spare(host, start);
    ChordProx.Way[] ways = new ChordProx.Way[start.rows()];
    ChordProx prox = chordProx(rho);
    host.workers()
        .run(
            ways.length,
            objective.work(),
            (first, end) -> prox.solve(in, solved, out, spare, ways, first, end));
    solve(in, start, rho, those(ways, ChordProx.Way.NONE::equals), out);
    return new Proximal(out, replaced(solved, those(ways, way -> way != ChordProx.Way.NEAR), out));
  }

  private static int[] those(ChordProx.Way[] ways, Predicate<ChordProx.Way> which) {
    return IntStream.range(0, ways.length).filter(m -> which.test(ways[m])).toArray();
  }

  /** A block with some clients' rows of another. */
  private HostRows replaced(HostRows rows, int[] who, HostRows by) {
    if (who.length == 0) {
      return rows;
    }
    HostRows replaced = rows.times(1);
    for (int m : who) {
      System.arraycopy(
          by.values(), m * by.stride(), replaced.values(), m * by.stride(), by.width());
    }
    return replaced;
  }

  /** Some clients' proximal steps to the end. */
  private void solve(HostRows centre, HostRows start, double[] rho, int[] who, HostRows out) {
    boolean byKernels = curved instanceof Glm glm && glm.convex();
    host.workers()
        .run(
            who.length,
            objective.work() / objective.clients() * who.length * centre.width(),
            (from, to) -> {
              NewtonProx newton = new NewtonProx(objective, gradients);
              for (int i = from; i < to; i++) {
                int m = who[i];
                if (!byKernels || !newton.solve(m, centre, rho[m], start, out)) {
                  double[] found =
                      ProximalStep.solve(moments(m), centre.row(m), rho[m], start.row(m));
                  System.arraycopy(found, 0, out.values(), m * out.stride(), out.width());
                }
              }
            });
  }

  /** Whether a p × p matrix a client may be kept: up to a gigabyte of all clients together. */
  private boolean fitsMemory() {
    int p = objective.parameters();
    return (long) objective.clients() * Math.max(p, Kernels.LANES) * Kernels.padded(p)
        <= MOST_NUMBERS;
  }

  /** The steps for these penalties, made anew when they change. */
  private MajorisedProx majorisedProx(Glm glm, double[] rho) {
    MajorisedProx known = majorisedProx;
    if (known == null || !known.isFor(rho)) {
      known = new MajorisedProx(objective, glm, rho, host.kernels());
      majorisedProx = known;
    }
    return known;
  }

  /** The steps for these penalties, made anew when they change. */
  private ChordProx chordProx(double[] rho) {
    ChordProx known = chordProx;
    if (known == null || !known.isFor(rho)) {
      known = new ChordProx(objective, gradients, rho, host.kernels());
      chordProx = known;
    }
    return known;
  }

  /** The closed form for these penalties, made anew when they change. */
  private LinearProx linearProx(double[] rho) {
    LinearProx known = linearProx;
    if (known == null || !known.isFor(rho)) {
      known = new LinearProx(objective, rho, host.kernels());
      linearProx = known;
    }
    return known;
  }

  @Override
  public Moments moments(int row) {
    return new ShardMoments(objective, row, gradients);
  }

  @Override
  public Shards rows() {
    return objective.shards();
  }

  @Override
  public double[] sums(int client, Function<Shard, double[]> sums) {
    return sums.apply(objective.shards().shard(client));
  }

  @Override
  public double[] rowSums(int client, Function<Shard, double[]> sums) {
    return objective.shards().sum(client, sums);
  }

  @Override
  public CurvedShardsLocal under(CurvedLoss loss) {
    return over(loss, objective.shards());
  }

  @Override
  public CurvedShardsLocal over(CurvedLoss loss, Shards rows) {
    return new CurvedShardsLocal(loss.over(rows), host, streams, firstClient);
  }

  @Override
  public CurvedShardsLocal weighted(RowFactors factors) {
    return new CurvedShardsLocal(
        objective.loss().over(objective.shards().weighted(factors)), host, streams, firstClient);
  }

  @Override
  public CurvedShardsLocal in(double[] upper, double[] centre) {
    return over(curved, objective.shards().in(upper, centre));
  }
}
