package ngd.core;

import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The same work on several things at once, on the processors that are there. What comes out stands
 * in the order of the things; of several failures the first in that order is thrown, as it was.
 */
public final class SideBySide {
  private SideBySide() {}

  /** What the work makes of each thing. */
  public static <T, R> List<R> each(List<? extends T> things, Function<? super T, R> work) {
    return things.parallelStream().map(thing -> done(thing, work)).toList().stream()
        .map(Supplier::get)
        .toList();
  }

  /** Does the work, and keeps what came of it, or what it failed with. */
  private static <T, R> Supplier<R> done(T thing, Function<? super T, R> work) {
    try {
      R made = work.apply(thing);
      return () -> made;
    } catch (RuntimeException failed) {
      return () -> {
        throw failed;
      };
    }
  }
}
