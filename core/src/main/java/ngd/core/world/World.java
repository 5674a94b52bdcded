package ngd.core.world;

import java.util.function.Function;
import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.CurvedLocal;
import ngd.core.algorithm.Local;
import ngd.core.algorithm.Totals;
import ngd.core.data.RowFactors;
import ngd.core.data.Shard;
import ngd.core.data.Shards;
import ngd.core.model.CurvedLoss;
import ngd.core.rows.Rows;

/**
 * A place where more than rounds is done: what its clients agree on, their data, and whoever does
 * the rounds. The simulator holds all clients' rows, a real peer its own.
 *
 * @param rows how many clients' rows this process holds
 * @param totals sums over all clients between stages of rounds
 * @param course does the rounds
 * @param stages carries a stage of rounds through whatever may happen to this process
 */
public record World(int rows, Totals totals, Course course, Stages stages) {
  /** Carries stages of rounds. */
  public interface Stages {
    /**
     * Runs this many rounds; of blocks, only those of the last state that was returned stay valid.
     */
    <S extends Algorithm.State> S advance(
        Course course, Algorithm.Rounds<S> algorithm, S state, int rounds, Hook<? super S> hook);

    /** Keeps nothing: the process lives as long as its rounds. */
    Stages PLAIN =
        new Stages() {
          @Override
          public <S extends Algorithm.State> S advance(
              Course course,
              Algorithm.Rounds<S> algorithm,
              S state,
              int rounds,
              Hook<? super S> hook) {
            return course.advance(algorithm, state, rounds, hook);
          }
        };
  }

  public Local local() {
    return course.local();
  }

  /** The data, where their loss has a Hessian. */
  public CurvedLocal curved() {
    return CurvedLocal.in(course.local());
  }

  private ModelledLocal modelled() {
    return (ModelledLocal) curved();
  }

  /** All clients' rows here. */
  public Shards shards() {
    return modelled().rows();
  }

  /** Any sums over a client's rows that are no sums of terms of single rows. */
  public double[] sums(int client, Function<Shard, double[]> sums) {
    return modelled().sums(client, sums);
  }

  /** Sums over a client's rows to which every row adds, so that not all need be there at once. */
  public double[] rowSums(int client, Function<Shard, double[]> sums) {
    return modelled().rowSums(client, sums);
  }

  /** A block of these rows. */
  public Rows block(double[][] values) {
    double[] all = new double[values.length * values[0].length];
    for (int m = 0; m < values.length; m++) {
      System.arraycopy(values[m], 0, all, m * values[0].length, values[m].length);
    }
    return course.place().rows(values.length, values[0].length, all);
  }

  /** A stage of this many rounds. */
  public <S extends Algorithm.State> S advance(Algorithm.Rounds<S> algorithm, S state, int rounds) {
    return advance(algorithm, state, rounds, Hook.none());
  }

  /** The same, with someone looking on. */
  public <S extends Algorithm.State> S advance(
      Algorithm.Rounds<S> algorithm, S state, int rounds, Hook<? super S> hook) {
    return stages.advance(course, algorithm, state, rounds, hook);
  }

  /** The same clients with other data. */
  public World with(Local data) {
    return new World(rows, totals, course.with(data), stages);
  }

  /** The same clients, whose estimates may leave all bounds until a total shows it to all. */
  public World unseen() {
    return new World(rows, totals, course.unseen(), stages);
  }

  /** The same clients, their data under another loss. */
  public World under(CurvedLoss loss) {
    return with(modelled().under(loss));
  }

  /** The same clients with other rows, under a loss. */
  public World over(CurvedLoss loss, Shards rows) {
    return with(modelled().over(loss, rows));
  }

  /** The same clients, their rows counting by factors of their own. */
  public World weighted(RowFactors factors) {
    return with(modelled().weighted(factors));
  }

  /** The same clients, their data in other coordinates: {@link CurvedLocal#in(double[])}. */
  public World in(double[] upper) {
    return with(curved().in(upper));
  }
}
