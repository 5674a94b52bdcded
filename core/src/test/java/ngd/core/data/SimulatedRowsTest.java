package ngd.core.data;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalInt;
import ngd.core.random.Streams;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Oracle: the table of the same model, which keeps its rows. */
class SimulatedRowsTest {
  private static final Streams STREAMS = Streams.of(7);

  @ParameterizedTest
  @EnumSource(PaperModel.class)
  void shardsAndHash_equalThoseOfTheTable(PaperModel model) {
    Table table = model.table(500, STREAMS);
    SimulatedRows drawn = model.rows(500, STREAMS);
    assertThat(drawn.hash()).isEqualTo(table.hash());
    for (String spec : new String[] {"random", "sorted", "dirichlet:0.5"}) {
      Partition partition = Partition.parse(spec);
      Assignment kept = partition.assign(table, OptionalInt.of(20), Placement.IN_ORDER, STREAMS);
      Assignment assignment =
          partition.assign(drawn, OptionalInt.of(20), Placement.IN_ORDER, STREAMS);
      assertThat(assignment.sizes()).isEqualTo(kept.sizes());
      assertThat(ShardsHash.of(drawn.features(), drawn.shards(assignment)))
          .isEqualTo(ShardsHash.of(table.features(), kept.shards(table)));
    }
  }
}
