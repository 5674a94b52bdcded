package ngd.core.formula;

/**
 * When a row is at risk of an event, and among whom.
 *
 * @param start after which it is at risk; −∞ where it always was
 * @param stop the last time at which it is at risk
 * @param stratum the rows that it is compared with, of those at its site
 */
public record RiskTime(double start, double stop, int stratum) {}
