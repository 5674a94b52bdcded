package ngd.app.bench;

import java.util.function.LongSupplier;
import ngd.core.simulation.Run;

/**
 * How a benchmark times rounds: many at a time, a stretch, and none before the compiler has done
 * its work.
 *
 * @param nanos the length of a stretch
 * @param leastWarmUp the least time before the first that counts
 * @param mostWarmUp the most
 * @param settled the stretches without a faster one that end the warm-up
 * @param clock what the time is taken from, in nanoseconds
 */
record Stretches(long nanos, long leastWarmUp, long mostWarmUp, int settled, LongSupplier clock) {
  /** Where a stretch is to be shorter or longer: the same with a warm-up in proportion. */
  Stretches of(double millis) {
    double scale = millis * 1e6 / nanos;
    return new Stretches(
        Math.round(nanos * scale),
        Math.round(leastWarmUp * scale),
        Math.round(mostWarmUp * scale),
        settled,
        clock);
  }

  /**
   * Runs until stretches have stopped getting faster; the rounds that then fill one. On a busy
   * machine the compiler may need many seconds.
   */
  int warmUp(Run<?> run) {
    long start = System.nanoTime();
    double best = Double.POSITIVE_INFINITY;
    int rounds = 1;
    int still = 0;
    while (System.nanoTime() - start < leastWarmUp || still < settled) {
      double each = time(run, rounds) / (double) rounds;
      still = each < 0.97 * best ? 0 : still + 1;
      best = Math.min(best, each);
      rounds = (int) Math.clamp(nanos / each, 1, 1 << 20);
      if (System.nanoTime() - start > mostWarmUp) {
        break;
      }
    }
    return rounds;
  }

  /** The time that {@code rounds} rounds take. */
  long time(Run<?> run, int rounds) {
    long before = clock.getAsLong();
    run.advance(rounds);
    return Math.max(1, clock.getAsLong() - before);
  }
}
