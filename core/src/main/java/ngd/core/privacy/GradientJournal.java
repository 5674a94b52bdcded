package ngd.core.privacy;

import ngd.core.InvalidInput;
import org.jspecify.annotations.Nullable;

/** What a client has said of its rows: each noised gradient once, as far as its budget goes. */
public interface GradientJournal {
  /** What was said under this key before, or null. */
  double @Nullable [] said(double[] key);

  /** How many gradients were said. */
  long count();

  /**
   * Keeps what is about to be said.
   *
   * @throws InvalidInput where the budget pays for no more
   */
  void keep(double[] key, double[] noised);

  /** The refusal of one gradient more. */
  static InvalidInput exhausted(long most) {
    return new InvalidInput(
        "privacy: the budget covers %d gradients, all of which have been sent; the plan asks for more"
            .formatted(most));
  }

  /** Counts alone, for a process that lives as long as its rounds. */
  static GradientJournal counting(long most) {
    return new GradientJournal() {
      private long said;

      @Override
      public double @Nullable [] said(double[] key) {
        return null;
      }

      @Override
      public long count() {
        return said;
      }

      @Override
      public void keep(double[] key, double[] noised) {
        if (said >= most) {
          throw exhausted(most);
        }
        said++;
      }
    };
  }
}
