package ngd.core.data;

/** What each row counts beside its prior weight. */
@FunctionalInterface
public interface RowFactors {
  double of(int client, int row);
}
