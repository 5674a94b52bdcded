package ngd.deep;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import ngd.core.InvalidInput;
import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.Snapshot;
import ngd.core.rows.Rows;
import ngd.core.world.Course;
import ngd.core.world.Hook;

/** A synchronous algorithm under way on a device. */
final class DeviceRun<S extends Algorithm.State> {
  private final Algorithm.Rounds<S> algorithm;
  private final Course course;
  private S state;

  DeviceRun(Algorithm.Rounds<S> algorithm, Course course, Rows theta) {
    this.algorithm = algorithm;
    this.course = course;
    state = algorithm.start(theta);
    course.place().recycle(state.rows());
  }

  S state() {
    return state;
  }

  int round() {
    return state.round();
  }

  Rows theta() {
    return state.theta();
  }

  /** Does this many more rounds, telling the hook after each. */
  void advance(int rounds, Runnable hook) {
    Hook<S> own =
        now -> {
          state = now;
          hook.run();
        };
    state = course.advance(algorithm, state, rounds, own);
  }

  /** Writes all that the next round depends on. */
  void write(OutputStream out) throws IOException {
    Snapshot.write(state, out);
  }

  /** Goes on from where a run of the same algorithm stood; changes nothing where it cannot. */
  void restore(InputStream in, long most) throws IOException {
    S found = Snapshot.read(in, most, state, course.place());
    if (found.theta().rows() != theta().rows() || found.theta().width() != theta().width()) {
      throw new InvalidInput(
          "resume: must hold %d clients with %d parameters each; got %d with %d"
              .formatted(
                  theta().rows(), theta().width(), found.theta().rows(), found.theta().width()));
    }
    state = found;
    course.place().recycle(state.rows());
  }
}
