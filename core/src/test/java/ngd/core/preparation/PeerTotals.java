package ngd.core.preparation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import ngd.core.algorithm.CodedRows;
import ngd.core.algorithm.Exchange;
import ngd.core.linalg.ExactSum;
import ngd.core.rows.Edges;
import ngd.core.rows.Rows;

/** M threads that know of each other what totals say, as real peers do. */
final class PeerTotals {
  private final int peers;
  private final double[][] said;
  private final CyclicBarrier barrier;

  private PeerTotals(int peers) {
    this.peers = peers;
    said = new double[peers][];
    barrier = new CyclicBarrier(peers);
  }

  /** What each peer comes to, or the exception it ends with. */
  static <T> List<Object> run(int peers, Function<Integer, Function<Exchange, T>> work)
      throws InterruptedException {
    PeerTotals totals = new PeerTotals(peers);
    List<Object> outcomes = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(peers)) {
      List<Callable<T>> tasks = new ArrayList<>();
      for (int m = 0; m < peers; m++) {
        int peer = m;
        tasks.add(() -> work.apply(peer).apply(totals.exchange(peer)));
      }
      for (Future<T> future : threads.invokeAll(tasks)) {
        try {
          outcomes.add(future.get());
        } catch (ExecutionException e) {
          outcomes.add(e.getCause());
        }
      }
    }
    return outcomes;
  }

  private Exchange exchange(int peer) {
    return new Exchange() {
      @Override
      public Rows mix(Rows x) {
        throw new UnsupportedOperationException("preparation hears totals alone");
      }

      @Override
      public Rows mix(Rows own, CodedRows said) {
        return mix(own);
      }

      @Override
      public Rows push(Rows x) {
        return mix(x);
      }

      @Override
      public Edges hear(Rows x) {
        throw new UnsupportedOperationException("preparation hears totals alone");
      }

      @Override
      public Edges reply(Edges x) {
        return x;
      }

      @Override
      public double[] linkWeights() {
        throw new UnsupportedOperationException("preparation hears totals alone");
      }

      @Override
      public double[] total(double[]... perRow) {
        double[][] all = together(peer, perRow[0]);
        double[] sums = new double[perRow[0].length];
        for (int j = 0; j < sums.length; j++) {
          ExactSum sum = new ExactSum();
          for (double[] one : all) {
            sum.add(one[j]);
          }
          sums[j] = sum.value();
        }
        return sums;
      }

      @Override
      public double max(double... perRow) {
        return Arrays.stream(together(peer, perRow)).mapToDouble(one -> one[0]).max().orElseThrow();
      }
    };
  }

  private double[][] together(int peer, double[] own) {
    try {
      said[peer] = own;
      barrier.await(20, TimeUnit.SECONDS);
      double[][] all = Arrays.copyOf(said, peers);
      barrier.await(20, TimeUnit.SECONDS);
      return all;
    } catch (Exception e) {
      throw new IllegalStateException("a peer did not come", e);
    }
  }
}
