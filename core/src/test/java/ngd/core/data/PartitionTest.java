package ngd.core.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import ngd.core.InvalidInput;
import ngd.core.RandomInput;
import ngd.core.Seeds;
import ngd.core.random.Streams;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PartitionTest {

  /** Every row's feature is its own number, so that shards can be traced back. */
  private static Table table(double... responses) {
    double[] number = IntStream.range(0, responses.length).asDoubleStream().toArray();
    return Table.of("y", responses, List.of("row"), new double[][] {number});
  }

  private static Assignment assign(String spec, Table table, int clients, Placement placement) {
    return Partition.parse(spec).assign(table, OptionalInt.of(clients), placement, Streams.of(5));
  }

  @Seeds(300)
  void shards_anyPartition_holdEveryRowOnceAndNoneIsEmpty(RandomInput input) {
    int rows = input.between(1, 60);
    int clients = input.between(1, rows);
    int largest = input.between(0, 15);
    String spec = input.oneOf("random", "sorted", "dirichlet:0.1", "dirichlet:100");
    Table table =
        table(
            input.listOf(rows, () -> input.between(0, largest)).stream()
                .mapToDouble(Integer::doubleValue)
                .toArray());
    Assignment assignment = assign(spec, table, clients, input.oneOf(Placement.values()));
    Shards shards = assignment.shards(table);
    int[] seen = new int[table.rows()];
    for (int m = 0; m < clients; m++) {
      assertThat(shards.rows(m)).isPositive().isEqualTo(assignment.sizes()[m]);
      for (int i = 0; i < shards.rows(m); i++) {
        int row = (int) shards.shard(m).x(i, 0);
        seen[row]++;
        assertThat(assignment.client(row)).isEqualTo(m);
        assertThat(shards.shard(m).y(i)).isEqualTo(table.y(row));
      }
    }
    assertThat(seen).containsOnly(1);
  }

  /** Oracle: the definition, a stable sort of boxed rows and equal consecutive pieces. */
  @Seeds(200)
  void sorted_anyResponses_isAStableSortInEqualPieces(RandomInput input) {
    int largest = input.between(0, 3);
    List<Integer> responses =
        input.listOf(input.between(1, 40), () -> input.between(-largest, largest));
    int clients = input.between(1, responses.size());
    double[] y = responses.stream().mapToDouble(v -> v == 0 ? -0.0 : v).toArray();
    Assignment assignment = assign("sorted", table(y), clients, Placement.IN_ORDER);
    List<Integer> order =
        IntStream.range(0, y.length)
            .boxed()
            .sorted(Comparator.comparingInt(responses::get))
            .toList();
    int larger = y.length % clients;
    int size = y.length / clients;
    for (int i = 0; i < y.length; i++) {
      int expected = i < larger * (size + 1) ? i / (size + 1) : (i - larger) / size;
      assertThat(assignment.client(order.get(i))).isEqualTo(expected);
    }
  }

  @Test
  void random_tenThousandRows_mixesResponsesAndFollowsTheSeed() {
    double[] y = IntStream.range(0, 10_000).asDoubleStream().toArray();
    Table table = table(y);
    Assignment one = assign("random", table, 10, Placement.IN_ORDER);
    double[] sums = new double[10];
    for (int row = 0; row < y.length; row++) {
      sums[one.client(row)] += y[row] / 1000;
    }
    // mean 4999.5, standard error of a mean of 1000 of them about 87
    assertThat(Arrays.stream(sums).boxed()).allMatch(mean -> mean > 4650 && mean < 5350);
    Assignment again = assign("random", table, 10, Placement.IN_ORDER);
    Assignment other =
        Partition.parse("random")
            .assign(table, OptionalInt.of(10), Placement.IN_ORDER, Streams.of(6));
    int[] clients = IntStream.range(0, y.length).map(one::client).toArray();
    assertThat(IntStream.range(0, y.length).map(again::client).toArray()).isEqualTo(clients);
    assertThat(IntStream.range(0, y.length).map(other::client).toArray()).isNotEqualTo(clients);
  }

  @Test
  void placementRandom_anyPartition_permutesThePieces() {
    double[] y = IntStream.range(0, 100).asDoubleStream().toArray();
    Assignment inOrder = assign("sorted", table(y), 20, Placement.IN_ORDER);
    Assignment placed = assign("sorted", table(y), 20, Placement.RANDOM);
    int[] to = new int[20];
    for (int row = 0; row < 100; row++) {
      to[inOrder.client(row)] = placed.client(row);
    }
    assertThat(Arrays.stream(to).distinct().count()).isEqualTo(20);
    assertThat(to).isNotEqualTo(IntStream.range(0, 20).toArray());
    for (int row = 0; row < 100; row++) {
      assertThat(placed.client(row)).isEqualTo(to[inOrder.client(row)]);
    }
  }

  /**
   * Oracle: the Dirichlet's moments; the share of a class at a client has variance
   * (1/M)(1−1/M)/(MA+1).
   */
  @ParameterizedTest
  @ValueSource(doubles = {0.2, 1, 10})
  void dirichlet_twoClasses_sharesHaveTheirVariance(double concentration) {
    double[] y = IntStream.range(0, 1000).mapToDouble(i -> i % 2).toArray();
    Table table = table(y);
    int clients = 5;
    double squares = 0;
    int draws = 600;
    for (int seed = 0; seed < draws; seed++) {
      Assignment assignment =
          new Partition.Dirichlet(concentration)
              .assign(table, OptionalInt.of(clients), Placement.IN_ORDER, Streams.of(seed));
      int held = 0;
      for (int row = 1; row < 1000; row += 2) {
        held += assignment.client(row) == 0 ? 1 : 0;
      }
      squares += Math.pow(held / 500.0 - 0.2, 2) / draws;
    }
    double variance = 0.2 * 0.8 / (clients * concentration + 1);
    assertThat(squares).isBetween(0.78 * variance, 1.22 * variance);
  }

  @Test
  void dirichlet_tinyConcentrationAndAsManyClientsAsRows_leavesNoneEmpty() {
    double[] y = IntStream.range(0, 50).mapToDouble(i -> i * 0.5).toArray();
    assertThat(assign("dirichlet:1e-6", table(y), 50, Placement.IN_ORDER).sizes()).containsOnly(1);
    int[] sizes = assign("dirichlet:1e-6", table(y), 10, Placement.IN_ORDER).sizes();
    assertThat(Arrays.stream(sizes).min().orElseThrow()).isPositive();
  }

  /** More than ten responses are cut into tenths of the rows. */
  @Test
  void classes_manyResponses_areTenEqualBinsInOrder() {
    double[] y = IntStream.range(0, 100).mapToDouble(i -> (i * 37) % 100).toArray();
    int[][] classes = Responses.classes(table(y));
    assertThat(classes).hasDimensions(10, 10);
    for (int c = 0; c < 10; c++) {
      int own = c;
      assertThat(Arrays.stream(classes[c])).allMatch(row -> (int) y[row] / 10 == own);
    }
    assertThat(Responses.classes(table(3, 1, 3, 2))).isEqualTo(new int[][] {{1}, {3}, {0, 2}});
  }

  @Test
  void sizes_given_areConsecutiveRows() {
    Assignment assignment =
        Partition.parse("rows:2,1,3")
            .assign(
                table(9, 8, 7, 6, 5, 4), OptionalInt.empty(), Placement.IN_ORDER, Streams.of(1));
    assertThat(List.of(0, 1, 2, 3, 4, 5)).map(assignment::client).containsExactly(0, 0, 1, 2, 2, 2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"random", "sorted", "dirichlet:0.5", "column:site:a", "rows:1,2,3"})
  void parse_ownSpec_givesItBack(String spec) {
    assertThat(Partition.parse(spec).spec()).isEqualTo(spec);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          randon       | partition: must be one of random, sorted, dirichlet:A, column:NAME, rows:n1,n2,…; got `randon`; did you mean `random`?
          Sorted       | did you mean `sorted`?
          random:3     | partition random: takes no argument; got `random:3`
          dirichlet    | partition dirichlet: needs an argument after the colon
          dirichlet:   | partition dirichlet: needs an argument after the colon
          dirichlet:0  | partition dirichlet: the concentration must be positive and finite; got `0`
          dirichlet:x  | partition dirichlet: the concentration must be positive and finite; got `x`
          rows:3,x     | partition rows: the sizes must be whole numbers; got `x`
          rows:3,0     | partition rows: every client needs at least one row; client 1 got 0
          """)
  void parse_wrongSpec_isRefused(String spec, String message) {
    assertThatThrownBy(() -> Partition.parse(spec))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining(message);
  }

  @Test
  void assign_wrongNumbers_areRefused() {
    Table table = table(1, 2, 3);
    assertThatThrownBy(() -> assign("sorted", table, 4, Placement.IN_ORDER))
        .isInstanceOf(InvalidInput.class)
        .hasMessage(
            "clients: must lie in [1, 3], the number of rows of table, as each client needs one; got 4");
    assertThatThrownBy(() -> assign("random", table, 0, Placement.IN_ORDER))
        .hasMessageContaining("got 0");
    assertThatThrownBy(() -> assign("rows:1,1", table, 2, Placement.IN_ORDER))
        .hasMessage("partition rows: the sizes must sum to the 3 rows of table; they sum to 2");
    assertThatThrownBy(() -> assign("rows:1,2", table, 3, Placement.IN_ORDER))
        .hasMessageContaining("clients: must be 2, the number that the partition rows:1,2 makes");
    assertThatThrownBy(
            () ->
                Partition.parse("random")
                    .assign(table, OptionalInt.empty(), Placement.IN_ORDER, Streams.of(1)))
        .hasMessageContaining("clients: must be given");
    assertThatThrownBy(() -> Placement.parse("inorder"))
        .hasMessage(
            "placement: must be in-order or random; got `inorder`; did you mean `in-order`?");
    assertThat(Placement.parse("random")).isEqualTo(Placement.RANDOM);
  }
}
