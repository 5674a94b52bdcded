package ngd.studies.report;

/**
 * A claim of the paper or of the theory, and what the data say of it.
 *
 * @param numbers the numbers behind the verdict, in words
 */
public record Claim(String text, Verdict verdict, String numbers) {}
