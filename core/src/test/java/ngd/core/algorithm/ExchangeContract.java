package ngd.core.algorithm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import ngd.core.InvalidInput;
import ngd.core.codec.Codec;
import ngd.core.codec.Malformed;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.network.Weights;
import ngd.core.random.Draws;
import ngd.core.random.Streams;
import ngd.core.rows.Edges;
import ngd.core.rows.Rows;
import ngd.core.world.Mixing;
import org.apache.commons.rng.UniformRandomProvider;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** What every exchange does. Oracle: dense W, its columns and its entries, computed here. */
public abstract class ExchangeContract {
  /** An exchange among all clients of a network, and how to make rows that it takes. */
  public record World(Exchange exchange, Function<double[][], Rows> rows) {}

  /** The world of a network whose clients average by a rule. */
  protected abstract World world(Network network, Mixing mixing);

  private World world(Network network) {
    return world(network, new Mixing.Mean());
  }

  private static final Mixing[] ROBUST = {
    new Mixing.Trimmed(1),
    new Mixing.Trimmed(2),
    new Mixing.Median(),
    new Mixing.Clipped(0.7),
    new Mixing.Clipped(100),
    new Mixing.AdaptivelyClipped(0.3),
    new Mixing.Bridge(1),
    new Mixing.GeometricMedian(),
    new Mixing.Krum(1),
    new Mixing.Nearest(2),
    new Mixing.NearestMixed(1, new Mixing.Trimmed(1)),
    new Mixing.NearestMixed(1, new Mixing.GeometricMedian()),
  };

  private static final double[][] DIRECTED = {
    {0, 0.5, 0.5, 0, 0},
    {0.25, 0, 0, 0.75, 0},
    {0.1, 0.2, 0.3, 0.4, 0}, // hears itself
    {0, 0, 1, 0, 0},
    {0, 0, 0, 0, 1}, // hears only itself, is heard by nobody
  };

  private static final Network[] NETWORKS = {
    Network.of(DIRECTED),
    Network.of(new double[][] {{1}}),
    Network.of(new Topology.Central(6)),
    Network.of(new Topology.Circle(7, 3)),
    Network.of(new Topology.Ring(9, 2), new Weights.Metropolis()),
    Network.of(Topology.parse("fixed:3", 23, Streams.of(4))),
    // Two parts that do not hear each other.
    Network.of(new double[][] {{0, 1, 0, 0}, {1, 0, 0, 0}, {0, 0, 0.5, 0.5}, {0, 0, 1, 0}}),
  };

  private static double[][] random(int rows, int width) {
    UniformRandomProvider draw = Streams.of(11).stream(Streams.Purpose.DATA, rows, width);
    double[][] values = new double[rows][width];
    for (double[] row : values) {
      Arrays.setAll(row, j -> draw.nextDouble() * 4 - 2);
    }
    return values;
  }

  private static void assertEqual(Rows found, double[][] expected, double tolerance) {
    assertThat(found.rows()).isEqualTo(expected.length);
    assertThat(found.width()).isEqualTo(expected[0].length);
    for (int m = 0; m < expected.length; m++) {
      for (int j = 0; j < expected[m].length; j++) {
        assertThat(found.get(m, j)).isCloseTo(expected[m][j], within(tolerance));
      }
    }
  }

  @Test
  void mix_anyNetwork_isDenseWTimesTheRows() {
    for (Network network : NETWORKS) {
      int clients = network.clients();
      for (int p : new int[] {1, 3, 8, 9}) {
        World world = world(network);
        double[][] x = random(clients, p);
        double[][] expected = new double[clients][p];
        for (int m = 0; m < clients; m++) {
          for (int k = 0; k < clients; k++) {
            for (int j = 0; j < p; j++) {
              expected[m][j] += network.weight(m, k) * x[k][j];
            }
          }
        }
        Rows in = world.rows().apply(x);
        assertEqual(world.exchange().mix(in), expected, 1e-15 * clients);
        assertEqual(in, x, 0);
      }
    }
  }

  /**
   * What is heard is what codecs leave of the rows, bit for bit; one's own row is what one says it
   * is. The oracle reads each row by the codec itself, which has its own tests.
   */
  @Test
  void mix_codedMessages_averagesOnesOwnRowAndWhatOthersSay() {
    Draws draws = new Draws(Streams.of(3), 4, 0);
    for (Network network : NETWORKS) {
      for (String codec :
          List.of("top:2", "random:2", "sign", "qsgd:5", "round:0.1", "noise:0.2", "none")) {
        int clients = network.clients();
        World world = world(network);
        double[][] x = random(clients, 9);
        Rows in = world.rows().apply(x);
        CodedRows said = CodedRows.of(Codec.parse(codec), in, draws, 1);
        double[][] read = new double[clients][];
        Arrays.setAll(read, m -> read(Codec.parse(codec), x[m], draws.ofMessage(1, m)));
        assertEqual(said.read(), read, 0);
        double[][] ofRead = new double[clients][9];
        double[][] withOwn = new double[clients][9];
        for (int m = 0; m < clients; m++) {
          for (int k = 0; k < clients; k++) {
            for (int j = 0; j < 9; j++) {
              ofRead[m][j] += network.weight(m, k) * read[k][j];
              withOwn[m][j] += network.weight(m, k) * (k == m ? x : read)[k][j];
            }
          }
        }
        assertEqual(world.exchange().mix(said.read(), said), ofRead, 1e-14 * clients);
        assertEqual(world.exchange().mix(in, said), withOwn, 1e-14 * clients);
      }
    }
  }

  @Test
  void mix_codedMessagesUnderARobustRule_guardsOnesOwnRow() {
    Draws draws = new Draws(Streams.of(3), 4, 0);
    Network network = NETWORKS[4];
    double[][] x = random(network.clients(), 4);
    for (Mixing mixing : List.of(new Mixing.Median(), new Mixing.Clipped(0.7))) {
      World world = world(network, mixing);
      Rows in = world.rows().apply(x);
      CodedRows said = CodedRows.of(new Codec.Top(3), in, draws, 0);
      double[][] expected = new double[x.length][];
      for (int m = 0; m < x.length; m++) {
        double[][] all = new double[x.length][];
        Arrays.setAll(all, said.read()::row);
        all[m] = x[m];
        expected[m] = RobustDefinition.of(network, mixing, m, all);
      }
      assertEqual(world.exchange().mix(in, said), expected, 1e-11);
    }
  }

  private static double[] read(Codec codec, double[] row, UniformRandomProvider draw) {
    try {
      return codec.decode(codec.encode(row, draw), row.length);
    } catch (Malformed e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void mix_everyRobustRule_isItsDefinition() {
    for (Network network : NETWORKS) {
      for (Mixing mixing : ROBUST) {
        World world = world(network, mixing);
        double[][] x = random(network.clients(), 3);
        double[][] expected = new double[network.clients()][];
        Arrays.setAll(expected, m -> RobustDefinition.of(network, mixing, m, x));
        assertEqual(world.exchange().mix(world.rows().apply(x)), expected, 1e-11);
      }
    }
  }

  /** What is pushed, heard link by link or summed is no average that a rule could stand in for. */
  @Test
  void others_everyRobustRule_areRefusedInEveryWorld() {
    Network ring = Network.of(new Topology.Ring(4, 1));
    for (Mixing mixing : ROBUST) {
      World world = world(ring, mixing);
      Rows x = world.rows().apply(random(4, 2));
      Exchange exchange = world.exchange();
      for (ThrowingCallable call :
          List.<ThrowingCallable>of(
              () -> exchange.push(x), () -> exchange.hear(x), () -> exchange.total(x))) {
        assertThatThrownBy(call)
            .isInstanceOf(InvalidInput.class)
            .hasMessageContaining("mix " + mixing.spec() + ": cannot guard");
      }
      assertThat(exchange.total(new double[][] {{1}, {2}, {3}, {4}})).containsExactly(10);
      assertThat(exchange.max(1, 4, 3, 2)).isEqualTo(4);
    }
  }

  @Test
  void push_anyNetwork_splitsEachRowOverListenersAndItself() {
    for (Network network : NETWORKS) {
      int clients = network.clients();
      World world = world(network);
      double[][] x = random(clients, 2);
      double[][] expected = new double[clients][2];
      for (int k = 0; k < clients; k++) {
        int shares = 1;
        for (int m = 0; m < clients; m++) {
          shares += m != k && network.weight(m, k) > 0 ? 1 : 0;
        }
        for (int m = 0; m < clients; m++) {
          if (m == k || network.weight(m, k) > 0) {
            expected[m][0] += x[k][0] / shares;
            expected[m][1] += x[k][1] / shares;
          }
        }
      }
      assertEqual(world.exchange().push(world.rows().apply(x)), expected, 1e-14);
    }
  }

  @Test
  void push_manyRounds_keepsTheTotal() {
    for (Network network : NETWORKS) {
      World world = world(network);
      double[][] x = random(network.clients(), 1);
      double before = Arrays.stream(x).mapToDouble(row -> row[0]).sum();
      Rows pushed = world.rows().apply(x);
      for (int round = 0; round < 50; round++) {
        pushed = world.exchange().push(pushed);
      }
      double after = 0;
      for (int m = 0; m < pushed.rows(); m++) {
        after += pushed.get(m, 0);
      }
      assertThat(after).isCloseTo(before, within(1e-12));
    }
  }

  /** Links in order of the hearing, then of the heard client; no client hears itself. */
  @Test
  void hear_anyNetwork_givesTheHeardClientsRowOnEachLink() {
    for (Network network : NETWORKS) {
      World world = world(network);
      double[][] x = random(network.clients(), 3);
      Edges heard = world.exchange().hear(world.rows().apply(x));
      double[] weights = world.exchange().linkWeights();
      int link = 0;
      for (int m = 0; m < network.clients(); m++) {
        assertThat(heard.first(m)).isEqualTo(link);
        for (int k = 0; k < network.clients(); k++) {
          if (k != m && network.weight(m, k) > 0) {
            assertThat(heard.values().row(link)).isEqualTo(x[k]);
            assertThat(weights[link]).isEqualTo(network.weight(m, k));
            link++;
          }
        }
      }
      assertThat(heard.first(network.clients())).isEqualTo(link);
      assertThat(heard.values().rows()).isEqualTo(link);
      assertThat(weights).hasSize(link);
    }
  }

  @Test
  void hearAndSum_anyNetwork_isTheSumOverTheHeardClients() {
    for (Network network : NETWORKS) {
      World world = world(network);
      double[][] x = random(network.clients(), 2);
      double[][] expected = new double[network.clients()][2];
      for (int m = 0; m < network.clients(); m++) {
        for (int k = 0; k < network.clients(); k++) {
          if (k != m && network.weight(m, k) > 0) {
            expected[m][0] += x[k][0];
            expected[m][1] += x[k][1];
          }
        }
      }
      assertEqual(world.exchange().hear(world.rows().apply(x)).sum(), expected, 1e-13);
    }
  }

  /** On the link (m hears k) lies what k put on the link (k hears m). */
  @Test
  void reply_mutualLinks_exchangesTheTwoEndsOfEachLink() {
    for (Network network :
        new Network[] {
          Network.of(new Topology.Central(5)),
          Network.of(new Topology.Ring(8, 2)),
          Network.of(new Topology.Ring(8, 3), new Weights.Metropolis()),
          Network.of(new Topology.Complete(4)),
        }) {
      int clients = network.clients();
      World world = world(network);
      Edges heard = world.exchange().hear(world.rows().apply(new double[clients][2]));
      double[][] names = new double[heard.values().rows()][];
      for (int m = 0, e = 0; m < clients; m++) {
        for (int k = 0; k < clients; k++) {
          if (k != m && network.weight(m, k) > 0) {
            names[e++] = new double[] {m, k};
          }
        }
      }
      Edges sent = heard.with(world.rows().apply(names));
      Rows replies = world.exchange().reply(sent).values();
      for (int e = 0; e < names.length; e++) {
        assertThat(replies.row(e)).containsExactly(names[e][1], names[e][0]);
      }
    }
  }

  @Test
  void reply_aLinkThatIsNotMutual_isRefusedByName() {
    World world = world(Network.of(new Topology.Circle(4, 1)));
    Edges heard = world.exchange().hear(world.rows().apply(random(4, 1)));
    assertThatThrownBy(() -> world.exchange().reply(heard))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("mutual")
        .hasMessageContaining("client 0 hears 1");
  }

  @Test
  void total_termsThatCancel_isExactWhateverTheOrder() {
    World world = world(Network.of(new Topology.Circle(4, 1)));
    double[][] terms = {{1e300, 0.1}, {1, 0.2}, {-1e300, 0.3}, {1e-300, -0.6}};
    double[] expected = {1, 0.1 + 0.2 + (0.3 - 0.6)};
    expected[1] =
        new java.math.BigDecimal(terms[0][1])
            .add(new java.math.BigDecimal(terms[1][1]))
            .add(new java.math.BigDecimal(terms[2][1]))
            .add(new java.math.BigDecimal(terms[3][1]))
            .doubleValue();
    int[][] orders = {{0, 1, 2, 3}, {3, 2, 1, 0}, {2, 0, 3, 1}};
    for (int[] order : orders) {
      double[][] permuted = Arrays.stream(order).mapToObj(m -> terms[m]).toArray(double[][]::new);
      assertThat(world.exchange().total(permuted)).containsExactly(expected);
    }
  }

  @Test
  void totalAndMax_aTermOfOneClientThatIsNotFinite_areNotFiniteForAll() {
    for (double bad : new double[] {Double.NaN, Double.POSITIVE_INFINITY}) {
      World world = world(Network.of(new Topology.Circle(3, 1)));
      assertThatThrownBy(
              () ->
                  world
                      .exchange()
                      .total(new double[] {1}, new double[] {-1e300}, new double[] {bad}))
          .isInstanceOf(NotFinite.class)
          .hasMessageContaining("sum over all clients is not finite");
    }
    for (int place = 0; place < 3; place++) {
      World world = world(Network.of(new Topology.Circle(3, 1)));
      double[] numbers = {1, 2, 3};
      numbers[place] = Double.NaN;
      assertThatThrownBy(() -> world.exchange().max(numbers))
          .isInstanceOf(NotFinite.class)
          .hasMessageContaining("not a number");
    }
  }

  @Test
  void total_vectorsOfDifferentLengths_areRefused() {
    World world = world(Network.of(new Topology.Circle(2, 1)));
    assertThatThrownBy(() -> world.exchange().total(new double[] {1}, new double[] {1, 2}))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> world.exchange().total(new double[] {1, 2}, new double[] {1}))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void max_anyNumbers_isTheLargest() {
    World world = world(Network.of(new Topology.Circle(3, 1)));
    assertThat(world.exchange().max(-3, -1, -2)).isEqualTo(-1);
    assertThat(world.exchange().max(Double.NEGATIVE_INFINITY, 5, 0)).isEqualTo(5);
  }

  @Test
  void all_oneClient_hearsItself() {
    World world = world(Network.of(new double[][] {{1}}));
    double[][] x = {{1.5, -2}};
    assertEqual(world.exchange().mix(world.rows().apply(x)), x, 0);
    assertEqual(world.exchange().push(world.rows().apply(x)), x, 0);
    Edges nothing = world.exchange().hear(world.rows().apply(x));
    assertThat(nothing.values().rows()).isZero();
    assertEqual(nothing.sum(), new double[1][2], 0);
    assertThat(world.exchange().reply(nothing).values().rows()).isZero();
    assertThat(world.exchange().total(new double[] {0.1})).containsExactly(0.1);
  }

  @Test
  void all_anotherNumberOfRows_isRefused() {
    World world = world(Network.of(new Topology.Circle(3, 1)));
    Rows two = world.rows().apply(new double[2][1]);
    assertThatThrownBy(() -> world.exchange().mix(two)).hasMessageContaining("3 clients; got 2");
    assertThatThrownBy(() -> world.exchange().push(two)).hasMessageContaining("3 clients; got 2");
    assertThatThrownBy(() -> world.exchange().hear(two)).hasMessageContaining("3 clients; got 2");
    assertThatThrownBy(() -> world.exchange().max(1, 2)).hasMessageContaining("3 clients; got 2");
  }
}
