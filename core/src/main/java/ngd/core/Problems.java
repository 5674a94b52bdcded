package ngd.core;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Every problem of a request, collected so that a person sees them all at once. */
public final class Problems {
  private final List<String> found = new ArrayList<>();

  public void add(String problem) {
    found.add(problem);
  }

  /** Adds the problem unless the condition holds. */
  public void require(boolean condition, String problem) {
    if (!condition) {
      found.add(problem);
    }
  }

  /** What the supplier gives, or null with its complaint collected. */
  public <T> @Nullable T collect(Supplier<? extends T> supplier) {
    try {
      return supplier.get();
    } catch (InvalidInput e) {
      found.add(e.getMessage());
      return null;
    }
  }

  /** Hands over each problem. */
  public void each(Consumer<String> taker) {
    found.forEach(taker);
  }

  public boolean any() {
    return !found.isEmpty();
  }

  /** Throws once, with a line for each problem, if there is any. */
  public void throwIfAny() {
    if (any()) {
      throw new InvalidInput(String.join("\n", found));
    }
  }
}
