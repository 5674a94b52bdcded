package ngd.core.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import ngd.core.InvalidInput;
import org.junit.jupiter.api.Test;

/** Oracle: the arrays that went in. */
class ShardsTest {
  @Test
  void of_unequalShardsOfAnyWidth_giveBackWhatWentIn() {
    for (int p = 1; p <= 17; p++) {
      int[] sizes = {1, 7, 8, 9, 20};
      double[][][] x = new double[sizes.length][][];
      double[][] y = new double[sizes.length][];
      double next = 1;
      for (int m = 0; m < sizes.length; m++) {
        x[m] = new double[sizes[m]][p];
        y[m] = new double[sizes[m]];
        for (int i = 0; i < sizes[m]; i++) {
          y[m][i] = next++;
          for (int j = 0; j < p; j++) {
            x[m][i][j] = next++;
          }
        }
      }
      Shards shards = Shards.of(x, y);
      assertThat(shards.totalRows()).isEqualTo(45);
      for (int m = 0; m < sizes.length; m++) {
        Shard shard = shards.shard(m);
        assertThat(shard.rows()).isEqualTo(sizes[m]);
        int[] last = {sizes[m] - 1, 0};
        Shard taken = shard.take(last, 0, 2);
        for (int i = 0; i < sizes[m]; i++) {
          double[] row = new double[p];
          shard.row(i, row);
          assertThat(row).isEqualTo(x[m][i]);
          assertThat(shard.y(i)).isEqualTo(y[m][i]);
          assertThat(shard.x(i, p - 1)).isEqualTo(x[m][i][p - 1]);
        }
        assertThat(taken.rows()).isEqualTo(2);
        assertThat(taken.x(0, p - 1)).isEqualTo(x[m][sizes[m] - 1][p - 1]);
        assertThat(taken.y(1)).isEqualTo(y[m][0]);
      }
    }
  }

  @Test
  void put_offsetsAndWeights_areKeptByRowAndByBatchAndAbsentWhereNoneIsGiven() {
    Shards.Filler filler = Shards.sized(1, new int[] {9, 2});
    for (int i = 0; i < 9; i++) {
      filler.put(0, i, new double[] {i}, i, 0, 1);
    }
    assertThat(filler.done().offsetArray()).isNull();
    assertThat(filler.done().weightArray()).isNull();
    filler.put(1, 0, new double[] {1}, 5);
    filler.put(1, 1, new double[] {2}, 6, -0.5, 3);
    Shard first = filler.done().shard(0);
    assertThat(first.weight(8)).isEqualTo(1);
    assertThat(first.offset(8)).isZero();
    Shard second = filler.done().shard(1);
    assertThat(second.weight(0)).isEqualTo(1);
    assertThat(second.offset(1)).isEqualTo(-0.5);
    assertThat(second.weight(1)).isEqualTo(3);
    Shard taken = second.take(new int[] {1, 0}, 0, 2);
    assertThat(taken.offset(0)).isEqualTo(-0.5);
    assertThat(taken.weight(0)).isEqualTo(3);
    assertThat(taken.weight(1)).isEqualTo(1);
  }

  @Test
  void put_offsetsOrWeightsThatCannotBe_areRefusedByPlace() {
    Shards.Filler filler = Shards.sized(1, new int[] {1});
    assertThatThrownBy(() -> filler.put(0, 0, new double[] {1}, 1, Double.NaN, 1))
        .isInstanceOf(InvalidInput.class)
        .hasMessage("client 0, row 0: the offset must be a finite number; got NaN");
    assertThatThrownBy(() -> filler.put(0, 0, new double[] {1}, 1, 0, -1))
        .isInstanceOf(InvalidInput.class)
        .hasMessage("client 0, row 0: the weight must be 0 or a positive finite number; got -1.0");
  }

  @Test
  void of_numbersThatAreNotFinite_areRefusedByPlace() {
    double[][][] x = {{{1, 2}}, {{3, 4}, {5, Double.NaN}}};
    assertThatThrownBy(() -> Shards.of(x, new double[][] {{1}, {2, 3}}))
        .isInstanceOf(InvalidInput.class)
        .hasMessage("client 1, row 1: feature 1 must be a finite number; got NaN");
    x[1][1][1] = 6;
    assertThatThrownBy(() -> Shards.of(x, new double[][] {{1}, {2, Double.POSITIVE_INFINITY}}))
        .isInstanceOf(InvalidInput.class)
        .hasMessage("client 1, row 1: the response must be a finite number; got Infinity");
  }

  private static Shards three(double offset, double weight, double x) {
    Shards.Filler filler = Shards.sized(2, new int[] {2, 11});
    for (int m = 0; m < 2; m++) {
      for (int i = 0; i < (m == 0 ? 2 : 11); i++) {
        boolean last = m == 1 && i == 10;
        filler.put(
            m,
            i,
            new double[] {1, last ? x : i},
            10 * m + i,
            last ? offset : 0.5,
            last ? weight : 1);
      }
    }
    return filler.done();
  }

  @Test
  void only_oneClient_hasItsRowsOffsetsAndWeights() {
    Shards alone = three(2, 3, 7).only(1);
    assertThat(alone.clients()).isEqualTo(1);
    assertThat(alone.rows(0)).isEqualTo(11);
    Shard shard = alone.shard(0);
    assertThat(shard.x(10, 1)).isEqualTo(7);
    assertThat(shard.y(10)).isEqualTo(20);
    assertThat(shard.offset(10)).isEqualTo(2);
    assertThat(shard.offset(3)).isEqualTo(0.5);
    assertThat(shard.weight(10)).isEqualTo(3);
    assertThat(shard.weight(3)).isEqualTo(1);
  }

  /** A run is bound to all that is used of its data. */
  @Test
  void hash_anyChangeOfWhatIsUsed_isAnother() {
    List<String> names = List.of("a", "b");
    String hash = ShardsHash.of(names, three(2, 3, 7));
    assertThat(ShardsHash.of(names, three(2, 3, 7))).isEqualTo(hash);
    assertThat(ShardsHash.of(names, three(2.5, 3, 7))).as("offset").isNotEqualTo(hash);
    assertThat(ShardsHash.of(names, three(2, 0, 7))).as("weight").isNotEqualTo(hash);
    assertThat(ShardsHash.of(names, three(2, 3, 7.5))).as("x").isNotEqualTo(hash);
    assertThat(ShardsHash.of(List.of("a", "c"), three(2, 3, 7))).as("names").isNotEqualTo(hash);
  }
}
