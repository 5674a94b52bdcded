package ngd.core.data;

import ngd.core.formula.RiskTime;

/** Other times for rows, such as those of a grid that sites share. */
public interface TimeChange {
  /** When a row is at risk there. */
  RiskTime time(RiskTime of);

  /**
   * A row's response there.
   *
   * @param of its time before the change
   */
  double event(RiskTime of, double response);
}
