package ngd.core.algorithm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.List;
import ngd.core.InvalidInput;
import ngd.core.linalg.Kernels;
import ngd.core.rows.Edges;
import ngd.core.rows.Host;
import ngd.core.rows.Rows;
import ngd.core.rows.Workers;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Oracle: the state that was kept. */
class SnapshotTest {
  private final Host host = new Host(Kernels.best(), new Workers(1));

  enum Mood {
    GOOD,
    BAD
  }

  record Inner(Rows block, long count) {}

  record Everything(
      int round,
      Rows theta,
      double share,
      boolean done,
      Mood mood,
      @Nullable Inner inner,
      List<@Nullable Rows> heard,
      @Nullable Edges links)
      implements Algorithm.State {}

  record Other(int round, Rows theta, double part) implements Algorithm.State {}

  record WithText(int round, Rows theta, String text) implements Algorithm.State {}

  private Everything everything() {
    Rows theta = host.of(new double[][] {{1.5, -0.0, Double.NaN}, {Double.MIN_VALUE, 1e300, -7}});
    return new Everything(
        7,
        theta,
        -0.0,
        true,
        Mood.BAD,
        new Inner(host.of(new double[][] {{9}}), 1L << 40),
        Arrays.asList(null, theta),
        host.edges(new int[] {0, 0, 1}, host.of(new double[][] {{4, 5, 6}})));
  }

  private Everything start() {
    return new Everything(0, host.zeros(2, 3), 0, false, Mood.GOOD, null, List.of(), null);
  }

  @Test
  void restore_everyKindOfComponent_isWhatWasKept() {
    byte[] bytes = Snapshot.of(everything());
    Everything restored = Snapshot.restore(bytes, start(), host);
    assertThat(Snapshot.of(restored)).isEqualTo(bytes);
    assertThat(restored.theta().row(0)).isEqualTo(everything().theta().row(0));
    assertThat(restored.mood()).isEqualTo(Mood.BAD);
    assertThat(restored.heard()).hasSize(2).startsWith((Rows) null);
    assertThat(restored.links()).isNotNull();
    assertThat(restored.links().first(1)).isZero();
    assertThat(restored.links().sum().row(1)).containsExactly(4, 5, 6);
  }

  @Test
  void read_fromAStream_takesTheStateAndNoMore() throws IOException {
    double[][] values = new double[3][20_000];
    for (int m = 0; m < 3; m++) {
      int row = m;
      Arrays.setAll(values[m], j -> Math.sin(20_000.0 * row + j));
    }
    Other state = new Other(7, host.of(values), 0.1);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Snapshot.write(state, bytes);
    assertThat(bytes.toByteArray()).isEqualTo(Snapshot.of(state));
    bytes.write(42);
    ByteArrayInputStream in = new ByteArrayInputStream(bytes.toByteArray());
    Other found = Snapshot.read(in, bytes.size(), new Other(0, host.zeros(1, 1), 0), host);
    assertThat(in.readAllBytes()).containsExactly(42);
    for (int m = 0; m < 3; m++) {
      assertThat(found.theta().row(m)).containsExactly(values[m]);
    }
  }

  /** Rows that are made when they are looked at. */
  private record Large(int rows, int width) implements Rows {
    @Override
    public double get(int row, int column) {
      return 0.1;
    }

    @Override
    public double[] row(int row) {
      double[] values = new double[width];
      Arrays.fill(values, 0.1);
      return values;
    }

    @Override
    public Rows plus(double scale, Rows other) {
      return this;
    }

    @Override
    public Rows times(double scale) {
      return this;
    }

    @Override
    public Rows timesEach(double[] scale) {
      return this;
    }

    @Override
    public Rows timesEach(Rows scale) {
      return this;
    }

    @Override
    public Rows everywhere(double[] row) {
      return this;
    }

    @Override
    public Rows of(double[][] others) {
      return this;
    }
  }

  @Test
  void write_moreThanAnArrayHolds_isNoLimit() throws IOException {
    long[] bytes = new long[1];
    OutputStream counting =
        new OutputStream() {
          @Override
          public void write(int one) {
            bytes[0]++;
          }

          @Override
          public void write(byte[] some, int from, int count) {
            bytes[0] += count;
          }
        };
    Snapshot.write(new Other(0, new Large(300, 1_000_000), 0), counting);
    assertThat(bytes[0]).isBetween(2_400_000_000L, 2_400_001_000L);
  }

  @Test
  void of_numbersThatAreFloats_takesHalfTheBytesAndLosesNone() {
    double[] floats = new double[30_000];
    Arrays.setAll(floats, j -> (float) Math.exp(j % 97 - 50) * (j % 2 == 0 ? 1 : -1));
    floats[0] = -0.0;
    floats[1] = Double.NEGATIVE_INFINITY;
    floats[2] = Double.NaN;
    floats[3] = Float.MIN_VALUE;
    double[] doubles = floats.clone();
    doubles[29_999] = 0.1;
    byte[] half = Snapshot.of(new Other(0, host.of(new double[][] {floats}), 0));
    byte[] whole = Snapshot.of(new Other(0, host.of(new double[][] {doubles}), 0));
    assertThat(whole.length - half.length).isEqualTo(4 * 30_000);
    Other start = new Other(0, host.zeros(1, 1), 0);
    assertThat(Snapshot.restore(half, start, host).theta().row(0)).containsExactly(floats);
    assertThat(Snapshot.restore(whole, start, host).theta().row(0)).containsExactly(doubles);
  }

  @Test
  void restore_clientsWithoutLinks_keepTheWidth() {
    Everything alone =
        new Everything(
            1,
            host.zeros(1, 3),
            0,
            false,
            Mood.GOOD,
            null,
            List.of(),
            host.edges(new int[] {0, 0}, host.zeros(0, 3)));
    Everything restored = Snapshot.restore(Snapshot.of(alone), start(), host);
    assertThat(restored.links()).isNotNull();
    assertThat(restored.links().sum().row(0)).containsExactly(0, 0, 0);
  }

  @Test
  void of_aComponentThatCannotBeKept_isRefusedByName() {
    assertThatThrownBy(() -> Snapshot.of(new WithText(0, host.zeros(1, 1), "words")))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("WithText.text")
        .hasMessageContaining("java.lang.String");
  }

  @Test
  void restore_anotherKindOfState_isRefused() {
    byte[] bytes = Snapshot.of(new Other(0, host.zeros(1, 1), 0.5));
    assertThatThrownBy(() -> Snapshot.restore(bytes, start(), host))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("Everything")
        .hasMessageContaining("got 3");
  }

  /** Cut short anywhere, or with any byte changed, it is another state or refused; never worse. */
  @Test
  void restore_tornOrChangedBytes_areRefusedOrReadAsTheyAre() {
    byte[] bytes = Snapshot.of(everything());
    for (int length = 0; length < bytes.length; length++) {
      byte[] torn = Arrays.copyOf(bytes, length);
      assertThatThrownBy(() -> Snapshot.restore(torn, start(), host))
          .isInstanceOf(InvalidInput.class);
    }
    for (int i = 0; i < bytes.length; i++) {
      byte[] changed = bytes.clone();
      changed[i] ^= (byte) 0x81;
      try {
        Snapshot.restore(changed, start(), host);
      } catch (IllegalArgumentException refused) {
        assertThat(refused).hasMessageMatching("(?s).+");
      }
    }
  }
}
