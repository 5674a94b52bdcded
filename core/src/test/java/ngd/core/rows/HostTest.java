package ngd.core.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import ngd.core.RandomInput;
import ngd.core.Seeds;
import ngd.core.linalg.Kernels;
import org.junit.jupiter.api.Test;

/** Oracle: identity of blocks, and the formulas of the operations by hand. */
class HostTest {
  private final Host host = new Host(Kernels.best(), new Workers(1));

  @Test
  void recycle_keptBlocks_areNeverHandedOutAgainAndOthersAre() {
    HostRows kept = host.of(new double[][] {{1, 2}, {3, 4}});
    HostRows passing = host.of(new double[][] {{5, 6}, {7, 8}});
    HostRows otherShape = host.zeros(2, 3);
    host.recycle(List.of(kept));
    HostRows first = host.block(2, 2);
    HostRows second = host.block(2, 2);
    assertThat(first).isSameAs(passing);
    assertThat(second).isNotSameAs(kept).isNotSameAs(passing);
    assertThat(host.block(2, 3)).isSameAs(otherShape);
    assertThat(kept.row(1)).containsExactly(3, 4);
    host.recycle(List.of());
    assertThat(List.of(host.block(2, 2), host.block(2, 2), host.block(2, 2)))
        .containsExactlyInAnyOrder(kept, first, second);
  }

  @Test
  void zeros_aRecycledBlock_isCleared() {
    HostRows dirty = host.of(new double[][] {{1, 2}});
    host.recycle(List.of());
    HostRows clean = host.zeros(1, 2);
    assertThat(clean).isSameAs(dirty);
    assertThat(clean.values()).containsOnly(0.0);
  }

  @Test
  void operations_smallBlocks_areTheFormulasAndLeaveTheirOperandsAlone() {
    HostRows a = host.of(new double[][] {{1, 2, 3}, {4, 5, 6}});
    HostRows b = host.of(new double[][] {{1, 0, -1}, {2, 2, 2}});
    assertThat(a.plus(2, b).row(0)).containsExactly(3, 2, 1);
    assertThat(a.plus(b).row(1)).containsExactly(6, 7, 8);
    assertThat(a.plus(0.1, b, -0.3, b).row(1)).isEqualTo(a.plus(0.1, b).minus(0.3, b).row(1));
    assertThat(a.minus(0.5, b).row(1)).containsExactly(3, 4, 5);
    assertThat(a.minus(b).row(0)).containsExactly(0, 2, 4);
    assertThat(a.times(-0.1).row(1))
        .containsExactly(new double[] {-0.4, -0.5, -0.6}, within(1e-16));
    assertThat(a.timesEach(new double[] {2, -1}).row(0)).containsExactly(2, 4, 6);
    assertThat(a.timesEach(new double[] {2, -1}).row(1)).containsExactly(-4, -5, -6);
    Rows each = a.of(new double[][] {{2}, {-1}});
    assertThat(a.timesEach(each).row(0)).containsExactly(2, 4, 6);
    assertThat(a.timesEach(each).row(1)).containsExactly(-4, -5, -6);
    assertThat(a.plusEach(new double[] {2, -1}, b).row(0)).containsExactly(3, 2, 1);
    assertThat(a.plusEach(new double[] {2, -1}, b).row(1)).containsExactly(2, 3, 4);
    assertThat(a.times(new double[] {1, 0, 2, 0, 1, 0, -1, 0, 3}).row(0))
        .containsExactly(-2, 2, 11);
    assertThat(a.outer(each).row(1)).containsExactly(-4, -5, -6);
    assertThat(b.outer(a).row(0)).containsExactly(1, 2, 3, 0, 0, 0, -1, -2, -3);
    assertThat(a.row(0)).containsExactly(1, 2, 3);
    assertThat(b.get(1, 2)).isEqualTo(2);
  }

  /** By hand, for widths within a vector, of one, and beyond. */
  @Test
  void beside_blocksOfAnyWidth_areOneAndItsSegmentsComeBack() {
    for (int width : new int[] {1, 3, 7, 8, 9}) {
      HostRows a = numbered(3, width, 0);
      HostRows b = numbered(3, width, 100);
      HostRows one = host.zeros(3, 1).of(new double[] {7, 8, 9});
      HostRows all = a.beside(List.of(b, one));
      assertThat(all.width()).isEqualTo(2 * width + 1);
      for (int m = 0; m < 3; m++) {
        double[] expected = Arrays.copyOf(a.row(m), 2 * width + 1);
        System.arraycopy(b.row(m), 0, expected, width, width);
        expected[2 * width] = 7 + m;
        assertThat(all.row(m)).isEqualTo(expected);
      }
      HostRows both = a.beside(List.of(b));
      HostRows chosen = both.segment(new int[] {0, 1, 0}, width);
      assertThat(chosen.row(0)).isEqualTo(a.row(0));
      assertThat(chosen.row(1)).isEqualTo(b.row(1));
      HostRows turned = both.withSegment(new int[] {1, 0, 0}, b);
      assertThat(turned.segment(new int[3], width).row(0)).isEqualTo(a.row(0));
      assertThat(turned.segment(new int[3], width).row(2)).isEqualTo(b.row(2));
      assertThat(turned.segment(new int[] {1, 1, 1}, width).row(1)).isEqualTo(b.row(1));
    }
  }

  private HostRows numbered(int rows, int width, int from) {
    double[] values = new double[rows * width];
    Arrays.setAll(values, i -> from + i);
    return host.rows(rows, width, values);
  }

  @Test
  void operations_otherShapesAndIndices_areRefused() {
    HostRows a = host.zeros(2, 3);
    assertThatThrownBy(() -> a.plus(host.zeros(2, 4))).hasMessageContaining("2 x 3 and 2 x 4");
    assertThatThrownBy(() -> a.plus(host.zeros(3, 3))).hasMessageContaining("2 x 3 and 3 x 3");
    assertThatThrownBy(() -> a.timesEach(new double[3])).hasMessageContaining("got 3");
    assertThatThrownBy(() -> a.plusEach(new double[3], a)).hasMessageContaining("got 3");
    assertThatThrownBy(() -> a.times(new double[8])).hasMessageContaining("3 x 3; got 8");
    assertThatThrownBy(() -> a.timesEach(host.zeros(2, 2))).hasMessageContaining("got 2 x 2");
    assertThatThrownBy(() -> a.timesEach(host.zeros(3, 1))).hasMessageContaining("got 3 x 1");
    assertThatThrownBy(() -> a.everywhere(new double[2])).hasMessageContaining("got 2");
    // Padding is there but no entry.
    assertThatThrownBy(() -> a.get(0, 3)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> a.row(2)).isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void of_anyRows_makesABlockOfTheirWidth() {
    HostRows a = host.zeros(2, 3);
    Rows other = a.of(new double[][] {{7}, {8}});
    assertThat(other.width()).isEqualTo(1);
    assertThat(other.get(1, 0)).isEqualTo(8);
  }

  /** Widths below, at and above the lanes, in blocks that were used before. */
  @Test
  void everywhere_anyShape_isThatRowInAllOfThem() {
    for (int rows : new int[] {1, 2, 3, 7, 64, 65}) {
      for (int width : new int[] {1, 7, 8, 9, 17}) {
        HostRows like = host.zeros(rows, width);
        double[] row = new double[width];
        Arrays.setAll(row, j -> j + 0.5);
        HostRows all = like.everywhere(row);
        assertThat(all.rows()).isEqualTo(rows);
        for (int m = 0; m < rows; m++) {
          assertThat(all.row(m)).isEqualTo(row);
          for (int j = width; j < all.stride(); j++) {
            assertThat(all.values()[m * all.stride() + j]).as("padding").isZero();
          }
        }
        host.recycle(List.of());
      }
    }
  }

  /** By hand, for links with values of their own and for links into a block; client 1 has none. */
  @Test
  void fromMean_links_isTheOwnRowLessTheMeanAndZeroWithoutLinks() {
    int[] offsets = {0, 2, 2, 3};
    HostRows own = host.of(new double[][] {{1, 2}, {3, 4}, {5, 6}});
    HostEdges values =
        new HostEdges(host, offsets, host.of(new double[][] {{3, 4}, {5, 6}, {1, 2}}));
    HostEdges heard = HostEdges.hearing(host, offsets, new int[] {1, 2, 0}, own);
    for (HostEdges links : List.of(values, heard)) {
      assertThat(links.fromMean(own).row(0)).containsExactly(-3, -3);
      assertThat(links.fromMean(own).row(1)).containsExactly(0, 0);
      assertThat(links.fromMean(own).row(2)).containsExactly(4, 4);
    }
    assertThatThrownBy(() -> values.fromMean(host.zeros(2, 2))).hasMessageContaining("got 2 x 2");
  }

  /** By hand, for links with values of their own and for links into a block; client 1 has none. */
  @Test
  void links_sumsDistancesAndColumns_areTheFormulas() {
    int[] offsets = {0, 2, 2, 3};
    HostRows own = host.of(new double[][] {{1, 2}, {3, 4}, {5, 6}});
    HostEdges values =
        new HostEdges(host, offsets, host.of(new double[][] {{3, 4}, {5, 6}, {1, 2}}));
    HostEdges heard = HostEdges.hearing(host, offsets, new int[] {1, 2, 0}, own);
    double[] weights = {2, -1, 0.5};
    for (HostEdges links : List.of(values, heard)) {
      assertThat(links.apart(own).row(0)).containsExactly(-6, -6);
      assertThat(links.apart(own).row(1)).containsExactly(0, 0);
      assertThat(links.apart(own).row(2)).containsExactly(4, 4);
      assertThat(links.sum(weights).row(0)).containsExactly(1, 2);
      assertThat(links.sum(weights).row(1)).containsExactly(0, 0);
      assertThat(links.sum(weights).row(2)).containsExactly(0.5, 1);
      assertThat(links.distances(own)).containsExactly(8, 32, 32);
      assertThat(links.column(1)).containsExactly(4, 6, 2);
      assertThat(links.ends(host.of(new double[][] {{10}, {20}, {30}}), 1))
          .containsExactly(14, 16, 32);
      assertThat(links.leading(1).values().row(1)).containsExactly(5);
      assertThat(links.leading(1).sum().row(0)).containsExactly(8);
      assertThatThrownBy(() -> links.apart(host.zeros(2, 2))).hasMessageContaining("got 2 x 2");
      assertThatThrownBy(() -> links.sum(new double[2])).hasMessageContaining("got 2");
    }
  }

  /** Oracle: the same on plain arrays, whatever else is done with the host in between. */
  @Seeds(30)
  void withSegment_roundAfterRound_isACopyWithOtherSegments(RandomInput input) {
    Host own = new Host(Kernels.best(), new Workers(1));
    int rows = input.between(1, 5);
    double[][] expected = new double[rows][12];
    HostRows table = own.of(expected);
    for (int round = 0; round < 40; round++) {
      int wide = input.oneOf(3, 3, 3, 4);
      int[] which = new int[rows];
      double[][] parts = new double[rows][wide];
      double[][] before = expected;
      expected = Arrays.stream(expected).map(double[]::clone).toArray(double[][]::new);
      for (int m = 0; m < rows; m++) {
        which[m] = input.between(0, 12 / wide - 1);
        Arrays.setAll(parts[m], _ -> input.between(-1.0, 1.0));
        System.arraycopy(parts[m], 0, expected[m], which[m] * wide, wide);
      }
      HostRows next = table.withSegment(which, own.of(parts));
      Arrays.fill(which, -1);
      for (int m = 0; m < rows; m++) {
        assertThat(next.row(m)).isEqualTo(expected[m]);
        assertThat(table.row(m)).isEqualTo(before[m]);
      }
      switch (input.between(0, 5)) {
        case 0 -> Arrays.fill(own.block(rows, 12).values(), Double.NaN);
        case 1 -> {
          expected[0] = new double[] {9, 8, 7, 6, 5, 4, 3, 2, 1, 0, -1, -2};
          own.write(next, 0, expected[0]);
        }
        case 2 -> next.withSegment(new int[rows], own.of(parts));
        default -> {}
      }
      own.recycle(List.of(next));
      if (input.between(0, 5) == 0) {
        Arrays.fill(own.block(rows, 12).values(), Double.NaN);
        own.recycle(List.of(next));
      }
      table = next;
    }
  }
}
