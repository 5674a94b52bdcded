package ngd.app.fit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.Exchange;
import ngd.core.algorithm.Local;
import ngd.core.data.Shards;
import ngd.core.model.Linear;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.random.Draws;
import ngd.core.rows.Rows;
import ngd.core.simulation.Simulation;
import org.junit.jupiter.api.Test;

/** Oracle: rounds that say themselves how long they take, on a clock that they move. */
class RoundTimesTest {
  private static final Simulation TWO =
      Simulation.of(
          Network.of(new Topology.Circle(2, 1)),
          new Linear().over(Shards.of(new double[2][1][1], new double[2][1])));

  private long now;

  /** All rounds so far: the first ones are slow, whosesoever they are. */
  private int rounds;

  /** Rounds of a given length, fifty times as long until the compiler is done. */
  private final class Ticking implements Algorithm.Rounds<Ticking.State> {
    private final long nanos;
    private final long first;
    private int longest;
    private int runs;

    Ticking(long nanos, long first) {
      this.nanos = nanos;
      this.first = first;
    }

    record State(int round, Rows theta) implements Algorithm.State {
      @Override
      public List<Rows> rows() {
        return List.of(theta);
      }
    }

    @Override
    public State start(Rows theta) {
      runs++;
      return new State(0, theta);
    }

    @Override
    public State step(State s, Exchange exchange, Local local, Draws draws) {
      now += (s.round() == 0 ? first : nanos) * (rounds++ < 2000 ? 50 : 1);
      longest = Math.max(longest, s.round() + 1);
      return new State(s.round() + 1, s.theta());
    }

    RoundTimes.Timed timed(int asked) {
      return new RoundTimes.Timed(() -> TWO.start(this), asked);
    }
  }

  @Test
  void seconds_whoeverIsFirst_areThoseAfterTheCompiler() {
    Ticking first = new Ticking(2_000, 2_000);
    Ticking again = new Ticking(2_000, 2_000);
    Ticking longer = new Ticking(5_000, 5_000);
    assertThat(
            RoundTimes.seconds(
                List.of(first.timed(500), longer.timed(500), again.timed(500)), () -> now))
        .containsExactly(2e-6, 5e-6, 2e-6);
    assertThat(now * 1e-9).isCloseTo(RoundTimes.ALL * 1e-9, within(0.1));
  }

  @Test
  void seconds_roundsAskedFor_areNotExceeded() {
    Ticking setsUp = new Ticking(3_000, 900_000);
    Ticking one = new Ticking(4_000, 7_000);
    assertThat(RoundTimes.seconds(List.of(setsUp.timed(10), one.timed(1), one.timed(0)), () -> now))
        .containsExactly(3e-6, 7e-6, Double.NaN);
    assertThat(setsUp.longest).isEqualTo(10);
    assertThat(one.longest).isEqualTo(1);
  }

  @Test
  void seconds_longRounds_haveThreeTurns() {
    rounds = 2000;
    Ticking minute = new Ticking(60_000_000_000L, 60_000_000_000L);
    assertThat(RoundTimes.seconds(List.of(minute.timed(100)), () -> now)).containsExactly(60.0);
    assertThat(minute.runs).isEqualTo(RoundTimes.LEAST_TURNS);
    assertThat(now).isEqualTo(RoundTimes.LEAST_TURNS * 120_000_000_000L);
  }
}
