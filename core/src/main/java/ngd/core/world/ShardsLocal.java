package ngd.core.world;

import java.util.Arrays;
import java.util.function.IntFunction;
import ngd.core.algorithm.CurvedLocal;
import ngd.core.algorithm.LinkLocal;
import ngd.core.algorithm.Local;
import ngd.core.algorithm.ProximalLocal;
import ngd.core.data.RowParts;
import ngd.core.data.Shard;
import ngd.core.model.CurvedLoss;
import ngd.core.model.Loss;
import ngd.core.model.Objective;
import ngd.core.model.ProximalLoss;
import ngd.core.model.RowScores;
import ngd.core.random.Streams;
import ngd.core.rows.Edges;
import ngd.core.rows.Host;
import ngd.core.rows.HostRows;
import ngd.core.rows.Rows;
import org.jspecify.annotations.Nullable;

/**
 * Data that live in this process, one shard a row, seen through the objective's kernels. The same
 * for M virtual clients and for the one row of a real peer, whose number is {@code firstClient}.
 */
public sealed class ShardsLocal implements LinkLocal, GradientCount.Counting
    permits CurvedShardsLocal, ProximalShardsLocal {
  final Objective objective;
  final Host host;
  final Streams streams;
  final int firstClient;
  final GradientCount gradients;
  private @Nullable Batches batches;
  private @Nullable RowParts parts;

  /** What data in this process can do under a loss, as a type. */
  public static Class<? extends Local> kind(Loss loss) {
    return switch (loss) {
      case CurvedLoss _ -> CurvedLocal.class;
      case ProximalLoss _ -> ProximalLocal.class;
      default -> LinkLocal.class;
    };
  }

  /** These data as far as their loss goes: with a Hessian where it has one. */
  public static ShardsLocal of(Objective objective, Host host, Streams streams, int firstClient) {
    return switch (objective.loss()) {
      case CurvedLoss _ -> new CurvedShardsLocal(objective, host, streams, firstClient);
      case ProximalLoss loss ->
          new ProximalShardsLocal(loss, objective, host, streams, firstClient);
      default -> new ShardsLocal(objective, host, streams, firstClient);
    };
  }

  ShardsLocal(Objective objective, Host host, Streams streams, int firstClient) {
    this.objective = objective;
    gradients = new GradientCount(objective.shards());
    this.host = host;
    this.streams = streams;
    this.firstClient = firstClient;
  }

  @Override
  public GradientCount gradients() {
    return gradients;
  }

  @Override
  public int rows(int row) {
    return objective.shards().rows(row);
  }

  @Override
  public Rows gradient(Rows at) {
    gradients.whole();
    return each(at, objective::gradients);
  }

  /** What the objective says of a range of clients, each at its own point. */
  interface Derivative {
    void of(double[] at, double[] out, int stride, int from, int to);
  }

  final Rows each(Rows at, Derivative derivative) {
    HostRows in = checked(at, objective.clients());
    HostRows out = host.block(in.rows(), in.width());
    host.workers()
        .run(
            in.rows(),
            objective.work(),
            (from, to) -> derivative.of(in.values(), out.values(), in.stride(), from, to));
    return out;
  }

  @Override
  public Edges gradient(Edges at) {
    HostRows in = checked(at.values(), at.values().rows());
    HostRows out = host.block(in.rows(), in.width());
    int clients = objective.clients();
    for (int m = 0; m < clients; m++) {
      gradients.one(m, (long) rows(m) * (at.first(m + 1) - at.first(m)));
    }
    host.workers()
        .run(
            clients,
            objective.work() * in.rows() / clients,
            (from, to) -> {
              for (int m = from; m < to; m++) {
                objective.gradientsOf(
                    m, in.values(), out.values(), in.stride(), at.first(m), at.first(m + 1));
              }
            });
    return at.with(out);
  }

  @Override
  public double[] losses(Rows at) {
    HostRows in = checked(at, objective.clients());
    double[] losses = new double[in.rows()];
    Arrays.fill(losses, Double.NaN);
    RowScores scores = objective.rowScores().orElse(null);
    host.workers()
        .run(losses.length, objective.work(), (from, to) -> find(losses, in, scores, from, to));
    return losses;
  }

  /** Losses of the clients of which none is known yet. */
  private void find(double[] losses, HostRows at, @Nullable RowScores scores, int from, int to) {
    for (int m = from; m < to; m++) {
      if (Double.isNaN(losses[m])) {
        losses[m] = loss(m, at, scores);
      }
    }
  }

  private double loss(int client, HostRows at, @Nullable RowScores scores) {
    Loss loss = objective.loss();
    if (!loss.isMean()) {
      return objective.value(client, at.row(client));
    }
    double[] sum =
        scores == null
            ? objective
                .shards()
                .sum(client, rows -> new double[] {loss.rowSum(rows, at.row(client))})
            : objective
                .shards()
                .sum(
                    client,
                    rows -> new double[] {scores.sum(rows, at.values(), client * at.stride())});
    return sum[0] / rows(client);
  }

  @Override
  public Evaluation evaluate(Rows at) {
    gradients.whole();
    double[] losses = new double[objective.clients()];
    RowScores scores = objective.rowScores().orElse(null);
    HostRows in = checked(at, losses.length);
    HostRows out = host.block(in.rows(), in.width());
    host.workers()
        .run(
            losses.length,
            objective.work(),
            (from, to) -> {
              objective.evaluate(in.values(), out.values(), in.stride(), from, to, losses);
              find(losses, in, scores, from, to);
            });
    return new Evaluation(losses, out);
  }

  @Override
  public RowLosses rowLosses(Rows at) {
    objective.shards().requireHeld("losses of rows");
    return losses(checked(at, objective.clients()), objective.shards()::shard);
  }

  /** The losses of some rows of each client. */
  ShardLosses losses(Rows at, IntFunction<Shard> rows) {
    return new ShardLosses(objective, host, checked(at, objective.clients()), rows);
  }

  @Override
  public LinkLocal batch(int size, int round) {
    Batches known = batches;
    if (known == null || known.size() != size) {
      known = new Batches(objective.shards().sizes(), streams, firstClient, size);
      batches = known;
    }
    return new BatchLocal(this, known, round);
  }

  @Override
  public Local part(int[] chosen, int of) {
    objective.shards().requireHeld("gradients of parts of the rows");
    RowParts known = parts;
    if (known == null || known.of() != of) {
      known = new RowParts(objective.shards().sizes(), of);
      parts = known;
    }
    RowParts all = known;
    all.requireChosen(chosen);
    return new PartLocal(this, at -> partGradient(at, all, chosen));
  }

  private Rows partGradient(Rows at, RowParts all, int[] chosen) {
    gradients.parts(all, chosen);
    HostRows in = checked(at, objective.clients());
    HostRows out = host.block(in.rows(), in.width());
    host.workers()
        .run(
            in.rows(),
            objective.work() / all.of(),
            (from, to) ->
                objective.partGradients(
                    all, chosen, in.values(), out.values(), in.stride(), from, to));
    return out;
  }

  /** Each client's gradient on its batch of the round. */
  Rows batchGradient(Rows at, RowChoice chosen, int round) {
    gradients.batch(chosen, round);
    HostRows in = checked(at, objective.clients());
    HostRows out = host.block(in.rows(), in.width());
    host.workers()
        .run(
            in.rows(),
            (long) in.rows() * (chosen.to(0, round) - chosen.from(0, round)) * in.stride(),
            (from, to) -> {
              for (int m = from; m < to; m++) {
                batchGradient(m, chosen, round, in, m, out);
              }
            });
    return out;
  }

  Edges batchGradient(Edges at, RowChoice chosen, int round) {
    for (int m = 0; m < objective.clients(); m++) {
      gradients.one(
          m,
          (long) (chosen.to(m, round) - chosen.from(m, round)) * (at.first(m + 1) - at.first(m)));
    }
    HostRows in = checked(at.values(), at.values().rows());
    HostRows out = host.block(in.rows(), in.width());
    host.workers()
        .run(
            objective.clients(),
            (long) in.rows() * (chosen.to(0, round) - chosen.from(0, round)) * in.stride(),
            (from, to) -> {
              for (int m = from; m < to; m++) {
                for (int e = at.first(m); e < at.first(m + 1); e++) {
                  batchGradient(m, chosen, round, in, e, out);
                }
              }
            });
    return at.with(out);
  }

  private void batchGradient(
      int client, RowChoice chosen, int round, HostRows in, int row, HostRows out) {
    objective.batchGradient(
        client,
        chosen.order(client, round),
        chosen.from(client, round),
        chosen.to(client, round),
        in.values(),
        row * in.stride(),
        out.values(),
        row * in.stride());
  }

  final HostRows checked(Rows at, int rows) {
    HostRows here = HostRows.in(at);
    if (here.rows() != rows || here.width() != objective.parameters()) {
      throw new IllegalArgumentException(
          "local data: points must be %d rows of %d; got %d of %d"
              .formatted(rows, objective.parameters(), here.rows(), here.width()));
    }
    return here;
  }
}
