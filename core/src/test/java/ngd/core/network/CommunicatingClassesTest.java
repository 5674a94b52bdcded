package ngd.core.network;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.stream.IntStream;
import ngd.core.random.Streams;
import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.api.Test;

class CommunicatingClassesTest {

  /** Oracle: reachability by repeated squaring of the adjacency matrix, cycles by its powers. */
  @Test
  void of_smallRandomNetworks_agreesWithPowersOfTheAdjacencyMatrix() {
    UniformRandomProvider random = Streams.of(7).stream(Streams.Purpose.NETWORK);
    for (int trial = 0; trial < 500; trial++) {
      int clients = 1 + random.nextInt(8);
      double density = 0.1 + 0.4 * random.nextDouble();
      Network network = RandomNetworks.rowStochastic(clients, density, random);
      check(network);
    }
  }

  private static void check(Network network) {
    int clients = network.clients();
    boolean[][] step = new boolean[clients][clients];
    for (int m = 0; m < clients; m++) {
      for (int k = 0; k < clients; k++) {
        step[m][k] = network.weight(m, k) > 0;
      }
    }
    // power[m][k]: a walk of exactly `length` links leads from m to k.
    boolean[][] power = identity(clients);
    boolean[][] reach = identity(clients);
    int[] cycles = new int[clients];
    for (int length = 1; length <= 4 * clients * clients; length++) {
      power = product(power, step);
      for (int m = 0; m < clients; m++) {
        for (int k = 0; k < clients; k++) {
          reach[m][k] |= power[m][k];
        }
        cycles[m] = power[m][m] ? gcd(cycles[m], length) : cycles[m];
      }
    }
    CommunicatingClasses classes = CommunicatingClasses.of(network);
    int previousSmallest = -1;
    for (int c = 0; c < classes.count(); c++) {
      int[] members = classes.members(c);
      assertThat(members).isSorted().hasSize(classes.size(c));
      assertThat(members[0]).isGreaterThan(previousSmallest);
      previousSmallest = members[0];
      boolean leaves = false;
      for (int m : members) {
        assertThat(classes.classOf(m)).isEqualTo(c);
        assertThat(classes.period(c)).isEqualTo(cycles[m]);
        for (int k = 0; k < clients; k++) {
          assertThat(classes.classOf(k) == c).isEqualTo(reach[m][k] && reach[k][m]);
          leaves |= reach[m][k] && !reach[k][m];
        }
      }
      assertThat(classes.closed(c)).isEqualTo(!leaves);
    }
    assertThat(Arrays.stream(classes.closedClasses())).isNotEmpty().allMatch(classes::closed);
  }

  @Test
  void of_aPathOfAMillionClients_needsNoDeepStack() {
    int clients = 1_000_000;
    int[][] hears =
        IntStream.range(0, clients)
            .mapToObj(m -> new int[] {m + 1 < clients ? m + 1 : m - 1})
            .toArray(int[][]::new);
    CommunicatingClasses classes =
        CommunicatingClasses.of(Network.of(Graph.of(hears), new Weights.Uniform()));
    assertThat(classes.count()).isEqualTo(clients - 1);
    assertThat(classes.closedClasses()).containsExactly(clients - 2);
    assertThat(classes.members(clients - 2)).containsExactly(clients - 2, clients - 1);
    assertThat(classes.period(clients - 2)).isEqualTo(2);
    assertThat(classes.period(0)).isEqualTo(0);
  }

  private static boolean[][] identity(int size) {
    boolean[][] matrix = new boolean[size][size];
    for (int i = 0; i < size; i++) {
      matrix[i][i] = true;
    }
    return matrix;
  }

  private static boolean[][] product(boolean[][] a, boolean[][] b) {
    boolean[][] c = new boolean[a.length][a.length];
    for (int i = 0; i < a.length; i++) {
      for (int j = 0; j < a.length; j++) {
        for (int k = 0; k < a.length; k++) {
          c[i][j] |= a[i][k] && b[k][j];
        }
      }
    }
    return c;
  }

  private static int gcd(int a, int b) {
    return b == 0 ? a : gcd(b, a % b);
  }
}
