package ngd.core.model;

import java.util.List;

/**
 * A loss in the words of {@code --loss}. Your own is found by {@link java.util.ServiceLoader}: name
 * the class in a file {@code META-INF/services/ngd.core.model.LossDescriptor} of your jar and put
 * the jar on the class path. Its gradient is compared with its value before the first round ({@link
 * GradientCheck}).
 */
public interface LossDescriptor {
  /** The word for it. */
  String name();

  /** The names of the numbers that may follow the word, each after a colon. */
  default List<String> parameters() {
    return List.of();
  }

  /** How many of these must be given. */
  default int required() {
    return 0;
  }

  /**
   * The loss.
   *
   * @param numbers those that were given, from the first parameter on
   */
  Loss loss(List<Double> numbers);
}
