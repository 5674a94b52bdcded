package ngd.core.data;

import java.util.Optional;

/** Rows that a partition can cut among clients: all that it looks at. */
public interface Cases {
  /** What the rows came from. */
  String source();

  int rows();

  /** A row's response. */
  double y(int row);

  /** The column that a partition reads clients from, where one was asked for. */
  Optional<Labels> labels();
}
