package ngd.core.inference;

/**
 * A line of the table.
 *
 * @param statistic estimate / standardError: z, or t where a dispersion was estimated
 * @param pValue two-sided
 * @param low the lower end of the interval
 * @param high its upper end
 */
public record Coefficient(
    String term,
    double estimate,
    double standardError,
    double statistic,
    double pValue,
    double low,
    double high) {}
