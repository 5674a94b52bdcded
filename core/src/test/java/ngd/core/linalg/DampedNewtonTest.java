package ngd.core.linalg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Oracle: functions of one number whose minimum and whose Newton steps are known. */
class DampedNewtonTest {
  private record Place(double x, double value, double step, boolean usable)
      implements DampedNewton.Point {
    @Override
    public double[] theta() {
      return new double[] {x};
    }

    @Override
    public double[] move() {
      return new double[] {step};
    }
  }

  /** √(1 + x²): from |x| > 1 a whole step overshoots, ever further; its minimum is at 0. */
  private static class Valley implements DampedNewton.Rules<Place> {
    final List<Double> looked = new ArrayList<>();
    final List<Double> accepted = new ArrayList<>();

    @Override
    public double value(double[] theta) {
      looked.add(theta[0]);
      return Math.hypot(1, theta[0]);
    }

    @Override
    public Place at(double[] theta, double value) {
      accepted.add(theta[0]);
      double x = theta[0];
      return new Place(x, value, -x * (1 + x * x), usable(x));
    }

    boolean usable(double x) {
      return Double.isFinite(x);
    }

    @Override
    public double ceiling(Place here, double share) {
      return here.value();
    }

    @Override
    public boolean done(Place here) {
      return Math.abs(here.x()) < 1e-9;
    }

    Place start(double x) {
      return new Place(x, Math.hypot(1, x), -x * (1 + x * x), true);
    }
  }

  private static final DampedNewton.Limits LIMITS = new DampedNewton.Limits(100, 30);

  @Test
  void from_whereWholeStepsOvershoot_halvesThemAndFindsTheMinimum() {
    Valley valley = new Valley();
    DampedNewton.End<Place> end = DampedNewton.from(valley.start(3), valley, LIMITS);
    assertThat(end.outcome()).isEqualTo(DampedNewton.Outcome.DONE);
    assertThat(end.point().x()).isCloseTo(0, within(1e-9));
    // From 3 the step is −30: a whole, a half and a quarter of it lead beyond −3.
    assertThat(valley.looked.subList(0, 4)).containsExactly(-27.0, -12.0, -4.5, -0.75);
    assertThat(valley.accepted.getFirst()).isEqualTo(-0.75);
    assertThat(valley.accepted).hasSize(end.steps());
  }

  @Test
  void from_pointsThatCannotBeWorkedWith_arePassedOver() {
    Valley valley =
        new Valley() {
          @Override
          boolean usable(double x) {
            return x >= 0;
          }
        };
    DampedNewton.End<Place> end = DampedNewton.from(valley.start(3), valley, LIMITS);
    assertThat(end.outcome()).isEqualTo(DampedNewton.Outcome.DONE);
    assertThat(valley.accepted.subList(0, 2)).containsExactly(-0.75, 1.125);
  }

  @Test
  void from_aValueThatDoesNotFall_saysSo() {
    Valley valley =
        new Valley() {
          @Override
          public double ceiling(Place here, double share) {
            return 0;
          }
        };
    DampedNewton.End<Place> end =
        DampedNewton.from(valley.start(3), valley, new DampedNewton.Limits(100, 5));
    assertThat(end.outcome()).isEqualTo(DampedNewton.Outcome.NO_PROGRESS);
    assertThat(end.point().x()).isEqualTo(3);
    assertThat(end.steps()).isZero();
    assertThat(valley.looked).hasSize(6);
    assertThat(valley.accepted).isEmpty();
  }

  @Test
  void from_tooFewSteps_saysSo() {
    DampedNewton.End<Place> end =
        DampedNewton.from(new Valley().start(0.5), new Valley(), new DampedNewton.Limits(2, 30));
    assertThat(end.outcome()).isEqualTo(DampedNewton.Outcome.OUT_OF_STEPS);
    assertThat(end.steps()).isEqualTo(2);
    // Each whole step from x leads to −x³.
    assertThat(end.point().x()).isCloseTo(Math.pow(0.5, 9), within(1e-12));
  }
}
