package ngd.core.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicIntegerArray;
import ngd.core.InvalidInput;
import org.junit.jupiter.api.Test;

class WorkersTest {
  private static final long LARGE = 1L << 40;

  @Test
  void run_largeWork_visitsEveryRowOnceOnAsManyThreads() {
    for (int threads : new int[] {1, 2, 3, 7}) {
      for (int rows : new int[] {1, 2 * threads - 1, 2 * threads, 101}) {
        AtomicIntegerArray visits = new AtomicIntegerArray(rows);
        Set<Thread> seen = ConcurrentHashMap.newKeySet();
        try (Workers workers = new Workers(threads)) {
          workers.run(
              rows,
              LARGE,
              (from, to) -> {
                seen.add(Thread.currentThread());
                for (int row = from; row < to; row++) {
                  visits.incrementAndGet(row);
                }
              });
        }
        for (int row = 0; row < rows; row++) {
          assertThat(visits.get(row)).isEqualTo(1);
        }
        assertThat(seen).contains(Thread.currentThread());
        if (threads > 1 && rows >= 2 * threads) {
          // The pool may give two ranges to one thread, but never all of them to the caller.
          assertThat(seen.size()).isBetween(2, threads);
        }
      }
    }
  }

  @Test
  void run_smallWork_staysOnTheCallingThread() {
    try (Workers workers = new Workers(3)) {
      workers.run(
          100,
          1000,
          (from, to) -> assertThat(Thread.currentThread().getName()).doesNotContain("ngd"));
    }
  }

  /** What a person can correct reads the same whatever the number of threads. */
  @Test
  void run_aRangeThatFails_throwsWhatItThrew() {
    for (int threads : new int[] {1, 3}) {
      for (int bad : new int[] {0, 99}) {
        try (Workers workers = new Workers(threads)) {
          assertThatThrownBy(
                  () ->
                      workers.run(
                          100,
                          LARGE,
                          (from, to) -> {
                            if (from <= bad && bad < to) {
                              throw new InvalidInput("row " + bad);
                            }
                          }))
              .isInstanceOf(InvalidInput.class)
              .hasMessage("row " + bad);
        }
      }
    }
  }
}
