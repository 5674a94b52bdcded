package ngd.core.theory;

import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * One of the paper's sufficient conditions, with its numbers.
 *
 * @param name the theorem and what it asks
 * @param holds null where it could not be decided
 * @param value the number that must stay on its side of the limit; absent where it was not computed
 * @param limit absent where it was not computed
 * @param largestAlpha the step sizes below this one would satisfy the condition; absent where the
 *     step size does not decide it or none would
 * @param words what the numbers say, for a person
 */
public record Condition(
    String name,
    @Nullable Boolean holds,
    OptionalDouble value,
    OptionalDouble limit,
    OptionalDouble largestAlpha,
    String words) {}
