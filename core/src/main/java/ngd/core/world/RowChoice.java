package ngd.core.world;

/** Which of its rows a client uses in which round: {@code order[from] .. order[to - 1]}. */
public interface RowChoice {
  int[] order(int row, int round);

  int from(int row, int round);

  int to(int row, int round);

  /** Two numbers that no other choice of rows of this client has. */
  double[] key(int row, int round);
}
