package ngd.core.theory;

import org.jspecify.annotations.Nullable;

/**
 * One of the paper's sufficient conditions, with its numbers.
 *
 * @param name the theorem and what it asks
 * @param holds null where it could not be decided
 * @param value the number that must stay on its side of the limit; null where it was not computed
 * @param limit null where it was not computed
 * @param largestAlpha the step sizes below this one would satisfy the condition; null where the
 *     step size does not decide it or none would
 * @param words what the numbers say, for a person
 */
public record Condition(
    String name,
    @Nullable Boolean holds,
    @Nullable Double value,
    @Nullable Double limit,
    @Nullable Double largestAlpha,
    String words) {}
