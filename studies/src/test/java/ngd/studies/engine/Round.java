package ngd.studies.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;

/** A meeting of parts that are threads here. */
final class Round {
  private final CyclicBarrier barrier;
  private final String[] said;

  Round(int parts) {
    barrier = new CyclicBarrier(parts);
    said = new String[parts];
  }

  Meeting of(int part) {
    return new Meeting() {
      @Override
      public int part() {
        return part;
      }

      @Override
      public int parts() {
        return said.length;
      }

      @Override
      public String host() {
        return "host-" + part;
      }

      @Override
      public List<String> gather(String word) {
        try {
          said[part] = word;
          barrier.await();
          List<String> all = new ArrayList<>(List.of(said));
          barrier.await();
          return all;
        } catch (InterruptedException | BrokenBarrierException e) {
          throw new IllegalStateException(e);
        }
      }
    };
  }
}
