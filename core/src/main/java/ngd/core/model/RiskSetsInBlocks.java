package ngd.core.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Function;
import java.util.stream.IntStream;
import ngd.core.data.Shard;
import ngd.core.data.Shards;

/**
 * The risk sets of a client's rows by sums at the times of its events, which blocks add up to;
 * those of a single block, which may be in a file, as they are.
 */
final class RiskSetsInBlocks implements OwnRiskSets {
  /** The most numbers that the sums of one block may be: 64 MiB. */
  private static final int MOST_NUMBERS = 1 << 23;

  private final Shards shards;
  private final int client;
  private final double[][] eventTimes;

  private RiskSetsInBlocks(Shards shards, int client, double[][] eventTimes) {
    this.shards = shards;
    this.client = client;
    this.eventTimes = eventTimes;
  }

  /**
   * Those of a client; none where it has several blocks, and events at so many times that sums
   * there take more.
   */
  static Optional<RiskSetsInBlocks> of(Shards shards, int client) {
    int most =
        shards.blocks(client) == 1
            ? Integer.MAX_VALUE
            : MOST_NUMBERS / RiskSet.numbers(shards.features(), 2);
    return shards
        .folded(client, block -> Times.of(block, most), Times::with)
        .rising()
        .map(times -> new RiskSetsInBlocks(shards, client, times));
  }

  private List<RiskSet> sets(RiskSetSums at, double[] theta, int order) {
    double[] sums = shards.sum(client, block -> at.said(block, theta, order));
    return at.heard(sums, theta.length, order);
  }

  /** What risk sets say of a single block, or sums of several. */
  private double[] found(
      Ties ties, Function<RiskSets, double[]> ofOne, Function<RiskSetSums, double[]> ofAll) {
    return shards.blocks(client) == 1
        ? shards.folded(client, block -> ofOne.apply(RiskSets.of(block)), (all, _) -> all)
        : ofAll.apply(new RiskSetSums(ties, eventTimes));
  }

  @Override
  public double[] likelihood(Ties ties, double[] theta, int order) {
    return found(
        ties,
        one -> one.likelihood(ties, theta, order),
        at -> at.likelihood(sets(at, theta, order), theta.length, order));
  }

  @Override
  public double[] squares(Ties ties, double[] theta) {
    return found(
        ties,
        one -> one.squares(ties, theta),
        at -> {
          List<RiskSet> sets = sets(at, theta, 1);
          return shards.sum(client, block -> at.squares(block, theta, sets));
        });
  }

  @Override
  public double[] weightedByTime(Ties ties, double[] theta, DoubleUnaryOperator g) {
    return found(
        ties,
        one -> one.weightedByTime(ties, theta, g),
        at -> {
          TimeMoments sums = new TimeMoments(theta.length);
          sets(at, theta, 2).forEach(set -> sums.add(set, ties, g.applyAsDouble(set.time())));
          return sums.said();
        });
  }

  @Override
  public double[][] eventTimes() {
    return eventTimes;
  }

  /** The times of events by stratum, which are no longer kept where they are more than allowed. */
  private record Times(List<TreeSet<Double>> strata, int most) {
    static Times of(Shard block, int most) {
      Times times = new Times(new ArrayList<>(), most);
      IntStream.range(0, block.rows())
          .filter(i -> block.weight(i) > 0 && block.y(i) > 0)
          .mapToObj(block::time)
          .forEach(time -> times.stratum(time.stratum()).add(time.stop()));
      return times;
    }

    private TreeSet<Double> stratum(int number) {
      while (strata.size() <= number) {
        strata.add(new TreeSet<>());
      }
      return strata.get(number);
    }

    private boolean areTooMany() {
      return strata.stream().mapToLong(TreeSet::size).sum() > most;
    }

    Times with(Times next) {
      for (int s = 0; s < next.strata.size() && !areTooMany(); s++) {
        stratum(s).addAll(next.strata.get(s));
      }
      return this;
    }

    Optional<double[][]> rising() {
      return areTooMany()
          ? Optional.empty()
          : Optional.of(
              strata.stream()
                  .map(times -> times.stream().mapToDouble(time -> time).toArray())
                  .toArray(double[][]::new));
    }
  }
}
