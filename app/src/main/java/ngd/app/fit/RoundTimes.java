package ngd.app.fit;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import ngd.core.simulation.SimulatedRun;
import ngd.core.world.Diverged;

/**
 * The time that a round of each of several methods takes on this machine. They take turns, and the
 * shortest stretch of each counts: in the first turns the compiler is not done, and what else the
 * machine does slows all of them, and none in all of its turns.
 */
final class RoundTimes {
  /** How long all methods together are timed, in nanoseconds, if they get their turns in it. */
  static final long ALL = 2_000_000_000L;

  /** How often each method is timed at least. */
  static final int LEAST_TURNS = 3;

  /** The turns that fit the time, where rounds are short. */
  private static final int USUAL_TURNS = 5;

  private static final long LONGEST_TURN = 20_000_000L;

  /**
   * A method to be timed.
   *
   * @param rounds how many it is asked for; no run of it does more
   */
  record Timed(Supplier<SimulatedRun> run, int rounds) {}

  private final LongSupplier clock;
  private final long turn;
  private final List<Method> methods = new ArrayList<>();

  private RoundTimes(List<Timed> timed, LongSupplier clock) {
    this.clock = clock;
    turn = Math.min(LONGEST_TURN, ALL / (USUAL_TURNS * Math.max(1L, timed.size())));
    timed.forEach(one -> methods.add(new Method(one)));
  }

  /** The seconds of a round of each method; NaN where it has none or diverges. */
  static List<Double> seconds(List<Timed> timed, LongSupplier nanos) {
    RoundTimes times = new RoundTimes(timed, nanos);
    long start = nanos.getAsLong();
    for (int turns = 0; turns < LEAST_TURNS || nanos.getAsLong() - start < ALL; turns++) {
      times.methods.forEach(Method::turn);
    }
    return times.methods.stream().map(Method::seconds).toList();
  }

  /** A method with its shortest stretch so far. */
  private final class Method {
    private final Timed timed;
    private int rounds = 1;
    private double least = Double.POSITIVE_INFINITY;
    private boolean lost;

    Method(Timed timed) {
      this.timed = timed;
      lost = timed.rounds() < 1;
    }

    double seconds() {
      return lost ? Double.NaN : least / 1e9;
    }

    void turn() {
      long start = clock.getAsLong();
      while (!lost) {
        stretch();
        if (clock.getAsLong() - start >= turn) {
          return;
        }
      }
    }

    /** A run from the start, whose first round sets up what later ones use. */
    private void stretch() {
      try (SimulatedRun run = timed.run().get()) {
        if (timed.rounds() > 1) {
          run.advance(1);
        }
        long before = clock.getAsLong();
        run.advance(rounds);
        double each = Math.max(1, clock.getAsLong() - before) / (double) rounds;
        least = Math.min(least, each);
        rounds = (int) Math.clamp(turn / each, 1, Math.max(1, timed.rounds() - 1));
      } catch (Diverged _) {
        lost = true;
      }
    }
  }
}
