package ngd.app.window;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The oracle is the list of all points: what is left are some of them, in their order. */
class CurveTest {
  @Test
  void add_aMillionPoints_keepsFewTheFirstTheLastAndTheirOrder() {
    Curve curve = new Curve();
    for (int round = 0; round < 1_000_000; round++) {
      curve.add(new Curve.Point(round, List.of(2.0 * round)));
      assertThat(curve.size()).isLessThanOrEqualTo(Curve.MOST_POINTS);
    }
    List<Curve.Point> left = curve.from(0);
    assertThat(left.size()).isGreaterThan(Curve.MOST_POINTS / 3);
    assertThat(left.getFirst().round()).isZero();
    assertThat(left.getLast().round()).isEqualTo(999_999);
    for (int i = 1; i < left.size(); i++) {
      assertThat(left.get(i).round()).isGreaterThan(left.get(i - 1).round());
      assertThat(left.get(i).values()).containsExactly(2.0 * left.get(i).round());
    }
    assertThat(curve.generation()).isPositive();
  }

  @Test
  void add_theSameRoundTwice_keepsTheLater() {
    Curve curve = new Curve();
    curve.add(new Curve.Point(3, List.of(1.0)));
    curve.add(new Curve.Point(3, List.of(2.0)));
    assertThat(curve.from(0)).containsExactly(new Curve.Point(3, List.of(2.0)));
  }
}
