package ngd.core.random;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.api.Test;

class StreamsTest {

  @Test
  void stream_ofDifferentPurposesAndPaths_neverRepeats() {
    Set<Long> firsts = new HashSet<>();
    for (Streams.Purpose purpose : Streams.Purpose.values()) {
      for (int replicate = 0; replicate < 10; replicate++) {
        for (int client = 0; client < 100; client++) {
          firsts.add(Streams.of(1).replicate(replicate).stream(purpose, client).nextLong());
          firsts.add(Streams.of(1).replicate(replicate).stream(purpose, 0, client).nextLong());
        }
      }
    }
    assertThat(firsts).hasSize(Streams.Purpose.values().length * 10 * 200);
  }

  @Test
  void stream_askedTwice_givesTheSameNumbers() {
    UniformRandomProvider one = Streams.of(3).stream(Streams.Purpose.DATA, 4);
    UniformRandomProvider other = Streams.of(3).stream(Streams.Purpose.DATA, 4);
    for (int i = 0; i < 10; i++) {
      assertThat(one.nextLong()).isEqualTo(other.nextLong());
    }
  }

  @Test
  void branch_oneStepMore_givesTheStreamsNumbers() {
    Streams streams = Streams.of(7).replicate(2);
    Streams.Branch branch = streams.branch(Streams.Purpose.ALGORITHM, 11);
    for (int step : new int[] {0, 1, 199}) {
      UniformRandomProvider one = branch.stream(step);
      UniformRandomProvider other = streams.stream(Streams.Purpose.ALGORITHM, 11, step);
      for (int i = 0; i < 10; i++) {
        assertThat(one.nextLong()).isEqualTo(other.nextLong());
      }
    }
  }
}
