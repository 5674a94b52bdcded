package ngd.core.linalg;

/**
 * One row for each link along which a client hears another, grouped by the client that hears, in
 * ascending order of the client that is heard.
 */
public interface Edges {
  /** The values, a row for each link. */
  Rows values();

  /** The place of a client's first link; its last is just before the next client's first. */
  int first(int client);

  /** The same links with other values. */
  Edges with(Rows values);

  /** The same links, each with the row of the client that hears on it. */
  Edges own(Rows x);

  /** For each client, the sum over the links on which it hears. */
  Rows sum();
}
