package ngd.peer.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import ngd.core.random.Streams;
import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.api.Test;

/**
 * Who shares masks, and how safe that is. Oracles: exact fractions by counting, which a program
 * checked by trying every arrangement (oracles/masks_oracle.py); and searching drawn graphs.
 */
class MaskGraphTest {
  private static final byte[] SEED = "seed".getBytes(StandardCharsets.UTF_8);

  private static List<List<Integer>> graph(int sites, byte[] seed) {
    List<List<Integer>> graph = new ArrayList<>();
    for (int m = 0; m < sites; m++) {
      graph.add(MaskGraph.partnersOf(m, sites, seed));
    }
    return graph;
  }

  /** Never below the truth, and near it where it matters. */
  @Test
  void breaking_beside_theExactProbability() throws Exception {
    List<String> lines = Files.readAllLines(Path.of("../oracles/masks/parted.csv"));
    int near = 0;
    for (String line : lines.subList(1, lines.size())) {
      String[] cells = line.split(",", -1);
      double exact = Double.parseDouble(cells[3]);
      double bound =
          MaskGraph.breaking(
              Integer.parseInt(cells[0]), Integer.parseInt(cells[1]), Integer.parseInt(cells[2]));
      assertThat(bound).as(line).isGreaterThanOrEqualTo(exact * (1 - 1e-9));
      if (exact > 0 && exact < 1e-6) {
        near++;
        assertThat(bound).as(line).isLessThan(1.01 * exact);
      }
    }
    assertThat(near).isGreaterThan(10);
  }

  @Test
  void partners_ofAnyNumberOfSites_keepTheProbabilityBelowTheBound() {
    assertThat(MaskGraph.partners(2)).isEqualTo(1);
    assertThat(MaskGraph.partners(100)).isEqualTo(99);
    for (int sites : new int[] {101, 300, 1000, 10_000, 1_000_000}) {
      int partners = MaskGraph.partners(sites);
      assertThat(MaskGraph.breaking(sites, sites / 3, partners)).isLessThanOrEqualTo(0x1p-40);
      assertThat(MaskGraph.breaking(sites, sites / 3, partners - 2)).isGreaterThan(0x1p-40);
      // O(log M).
      assertThat(partners).isBetween(20, (int) (4 * Math.log(sites) + 10));
    }
  }

  @Test
  void partnersOf_manySites_areMutualAndDrawnAnewByEverySeed() {
    int sites = 211;
    List<List<Integer>> graph = graph(sites, SEED);
    for (int m = 0; m < sites; m++) {
      assertThat(graph.get(m)).hasSize(MaskGraph.partners(sites)).doesNotContain(m);
      assertThat(new HashSet<>(graph.get(m))).hasSize(MaskGraph.partners(sites));
      for (int k : graph.get(m)) {
        assertThat(graph.get(k)).contains(m);
      }
    }
    assertThat(graph(sites, "seeds".getBytes(StandardCharsets.UTF_8))).isNotEqualTo(graph);
    assertThat(graph(7, SEED).get(3)).containsExactly(0, 1, 2, 4, 5, 6);
  }

  /**
   * Sites collude at random, far more of them than the number of partners is made for, so that it
   * happens at all.
   */
  @Test
  void partnersOf_drawnColludingSites_partTheOthersAsOftenAsCounted() {
    int sites = 120;
    int colluding = 100;
    int trials = 1000;
    List<List<Integer>> graph = graph(sites, SEED);
    UniformRandomProvider draw = Streams.of(5).stream(Streams.Purpose.EVENTS);
    int parted = 0;
    for (int trial = 0; trial < trials; trial++) {
      Set<Integer> bad = new HashSet<>();
      while (bad.size() < colluding) {
        bad.add(draw.nextInt(sites));
      }
      parted += connected(graph, bad) ? 0 : 1;
    }
    double expected = exact(sites, colluding, MaskGraph.partners(sites));
    assertThat((double) parted / trials)
        .isEqualTo(expected, within(5 * Math.sqrt(expected * (1 - expected) / trials)));
    assertThat(expected).isBetween(0.02, 0.98);
  }

  private static boolean connected(List<List<Integer>> graph, Set<Integer> bad) {
    int first = 0;
    while (bad.contains(first)) {
      first++;
    }
    Set<Integer> seen = new HashSet<>(Set.of(first));
    ArrayDeque<Integer> next = new ArrayDeque<>(seen);
    while (!next.isEmpty()) {
      for (int k : graph.get(next.remove())) {
        if (!bad.contains(k) && seen.add(k)) {
          next.add(k);
        }
      }
    }
    return seen.size() == graph.size() - bad.size();
  }

  /** P(at least two gaps of k/2), gap by gap: ways to fill some gaps with some sites. */
  private static double exact(int sites, int colluding, int partners) {
    int others = sites - colluding;
    double[][] ways = new double[3][colluding + 1];
    ways[0][0] = 1;
    for (int gap = 0; gap < others; gap++) {
      double[][] next = new double[3][colluding + 1];
      for (int wide = 0; wide < 3; wide++) {
        for (int filled = 0; filled <= colluding; filled++) {
          for (int more = 0; filled + more <= colluding; more++) {
            int now = Math.min(2, wide + (more >= partners / 2 ? 1 : 0));
            next[now][filled + more] += ways[wide][filled];
          }
        }
      }
      ways = next;
    }
    return ways[2][colluding] / (ways[0][colluding] + ways[1][colluding] + ways[2][colluding]);
  }
}
