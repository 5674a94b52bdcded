package ngd.peer.privacy;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import ngd.core.algorithm.Totals;
import ngd.core.data.Shards;
import ngd.core.linalg.Kernels;
import ngd.core.model.Linear;
import ngd.core.model.Objective;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.privacy.CentralFit;
import ngd.core.privacy.GradientPrivacy;
import ngd.core.privacy.NoiseSource;
import ngd.core.privacy.NoisedLocal;
import ngd.core.privacy.Privacy;
import ngd.core.random.Streams;
import ngd.core.rows.Host;
import ngd.core.rows.Workers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Noise in common: the oracle is the other end of the link, and the sum over all sites. */
class SecretNoiseTest {
  private static final List<Integer> PLACES = List.of(0, 1, 2, 3);
  private static final int ROWS = 10;

  @TempDir Path dir;
  private final Host host = new Host(Kernels.best(), new Workers(1));

  private static List<SecretNoise> sites(Map<String, KeyPair> keys, byte[] run) {
    return IntStream.range(0, PLACES.size())
        .mapToObj(
            m ->
                SecretNoise.with(
                    PLACES.stream().filter(other -> other != m).toList(),
                    PairwiseMasksTest.keys(PairwiseMasksTest.SITES.get(m), keys, run)))
        .toList();
  }

  private static List<Long> first(NoiseSource.Shared shared) {
    return IntStream.range(0, 300).mapToObj(_ -> shared.random().nextLong()).toList();
  }

  @Test
  void shared_bothEnds_haveTheSameNumbersWithOppositeSignsAndNobodyElseHas() throws Exception {
    List<SecretNoise> sites = sites(PairwiseMasksTest.keys(), new byte[32]);
    NoiseSource.Shared atOne = sites.get(1).shared(7).get(2);
    NoiseSource.Shared atThree = sites.get(3).shared(7).get(1);
    assertThat(atOne.adds()).isNotEqualTo(atThree.adds());
    assertThat(first(atOne)).isEqualTo(first(atThree));
    assertThat(first(sites.get(1).shared(7).get(2)))
        .isNotEqualTo(first(sites.get(1).shared(7).get(1)))
        .isNotEqualTo(first(sites.get(1).shared(8).get(2)));
  }

  /** Two different gradients under one noise would show their difference. */
  @Test
  void shared_everyPairNumberRunAndMask_neverTheSameTwice() throws Exception {
    Map<String, KeyPair> keys = PairwiseMasksTest.keys();
    byte[] other = new byte[32];
    other[5] = 1;
    Set<Long> seen = new HashSet<>();
    for (byte[] run : List.of(new byte[32], other)) {
      List<SecretNoise> sites = sites(keys, run);
      for (int m = 0; m < sites.size(); m++) {
        for (long number = 0; number < 20; number++) {
          List<NoiseSource.Shared> shared = sites.get(m).shared(number);
          for (int k = m; k < shared.size(); k++) {
            assertThat(seen.add(shared.get(k).random().nextLong())).isTrue();
          }
        }
      }
    }
    // Masks of the same pairs have keys of their own.
    PairwiseMasks masks =
        PairwiseMasks.of(PairwiseMasksTest.keys("a", Map.copyOf(keys), new byte[32]));
    int[] digits = new int[2];
    masks.mask(0, digits, 2);
    assertThat(seen)
        .doesNotContain(ByteBuffer.allocate(8).putInt(digits[0]).putInt(digits[1]).getLong(0));
  }

  private static Objective objective(int site) {
    Shards.Filler filler = Shards.sized(2, new int[] {ROWS + site});
    for (int i = 0; i < ROWS + site; i++) {
      filler.put(0, i, new double[] {1, i / 10.0}, site - i % 3);
    }
    return new Linear().over(filler.done());
  }

  private PrivacyBudget budget(int site) {
    Privacy privacy = Privacy.parse("epsilon=100,delta=1e-3,clip=100,noise=correlated,own=0.3334");
    GradientPrivacy gradients =
        GradientPrivacy.of(privacy, 4, Network.of(new Topology.Complete(PLACES.size())));
    // Own noise next to none, so that the sum shows whether the rest cancels.
    return new PrivacyBudget(
        privacy,
        new GradientPrivacy(gradients.clip(), 1e-5, gradients.pair(), 4),
        dir.resolve("site-" + site),
        "run");
  }

  private double[] said(int site, SecretNoise noise, double[] point) {
    PrivacyBudget budget = budget(site);
    try (PrivacyLog log = budget.log(2)) {
      return NoisedLocal.of(objective(site), budget.gradients(), noise, log, Streams.of(1), site)
          .gradient(host.of(new double[][] {point}))
          .row(0);
    }
  }

  /** Each site computes alone, restarts between gradients, and the sum is what it is without. */
  @Test
  void gradient_atAllSitesWithRestarts_addsUpToTheSumWithoutNoise() throws Exception {
    Map<String, KeyPair> keys = PairwiseMasksTest.keys();
    for (double[] point : List.of(new double[] {0, 0}, new double[] {0.3, -0.2})) {
      double[] sum = new double[2];
      double[] plain = new double[2];
      double loudest = 0;
      for (int m : PLACES) {
        SecretNoise noise = sites(keys, new byte[32]).get(m);
        double[] noised = said(m, noise, point);
        assertThat(said(m, sites(keys, new byte[32]).get(m), point)).isEqualTo(noised);
        Objective objective = objective(m);
        double[] own = new double[2];
        objective.batchGradient(
            0, IntStream.range(0, ROWS + m).toArray(), 0, ROWS + m, point, 0, own, 0);
        for (int j = 0; j < 2; j++) {
          sum[j] += (ROWS + m) * noised[j];
          plain[j] += (ROWS + m) * own[j];
          loudest = Math.max(loudest, Math.abs((ROWS + m) * (noised[j] - own[j])));
        }
      }
      assertThat(loudest).isGreaterThan(1);
      for (int j = 0; j < 2; j++) {
        assertThat(sum[j]).isCloseTo(plain[j], org.assertj.core.api.Assertions.within(0.05));
      }
    }
  }

  /** Whoever deletes the log cannot have the same noise again: its word is gone with it. */
  @Test
  void word_ofALog_staysWithItAndIsNeverDrawnTwice() throws Exception {
    PrivacyBudget budget = budget(0);
    String word = budget.word();
    budget.log(2).close();
    assertThat(budget.word()).isEqualTo(word).hasSize(32);
    said(0, sites(PairwiseMasksTest.keys(), new byte[32]).get(0), new double[] {0, 0});
    assertThat(budget.word()).isEqualTo(word);
    assertThat(budget.spent()).isPositive();
    List<String> words = new ArrayList<>(List.of(word));
    for (int i = 0; i < 3; i++) {
      Files.delete(dir.resolve("site-0/run.log"));
      words.add(budget.word());
    }
    assertThat(words).doesNotHaveDuplicates();
    assertThat(budget.spent()).isZero();
  }

  /** Logs of versions without a word still count. */
  @Test
  void spent_ofALogWithoutAWord_isCounted() throws Exception {
    PrivacyBudget budget = budget(0);
    said(0, sites(PairwiseMasksTest.keys(), new byte[32]).get(0), new double[] {0, 0});
    double spent = budget.spent();
    Path file = dir.resolve("site-0/run.log");
    byte[] now = Files.readAllBytes(file);
    byte[] before = new byte[now.length - 16];
    System.arraycopy(now, 0, before, 0, 32);
    System.arraycopy(now, 48, before, 32, now.length - 48);
    before[7] = '1';
    Files.write(file, before);
    assertThat(budget.spent()).isEqualTo(spent).isPositive();
    double[] again =
        said(0, sites(PairwiseMasksTest.keys(), new byte[32]).get(0), new double[] {0, 0});
    assertThat(again).hasSize(2);
    assertThat(budget.spent()).isEqualTo(spent);
  }

  /** After a restart the noise in sums is that which was said, and nothing more is spent. */
  @Test
  void centralFit_afterARestart_saysTheSameSums() throws Exception {
    Privacy privacy = Privacy.parse("epsilon=1,delta=1e-5,noise=central,bound=2,steps=3,clip=2");
    Network three = Network.of(new Topology.Complete(3));
    PrivacyBudget budget =
        new PrivacyBudget(privacy, GradientPrivacy.of(privacy, 4, three), dir, "central");
    List<List<double[]>> runs = new ArrayList<>();
    for (int run = 0; run < 2; run++) {
      List<double[]> terms = new ArrayList<>();
      Totals totals =
          new Totals() {
            @Override
            public double[] total(double[]... perRow) {
              terms.add(perRow[0]);
              return perRow[0];
            }

            @Override
            public double max(double... perRow) {
              throw new AssertionError("a maximum has no noise");
            }
          };
      try (PrivacyLog log = budget.log(CentralFit.width(2))) {
        new CentralFit(
                objective(0),
                new Linear(),
                privacy,
                budget.gradients(),
                List.of(SecretNoise.alone()),
                List.of(log),
                3)
            .run(totals);
        assertThat(log.count()).isEqualTo(4);
      }
      runs.add(terms);
    }
    assertThat(runs.get(1)).usingRecursiveComparison().isEqualTo(runs.get(0));
    assertThat(budget.spent()).isBetween(0.8, 1.0);
    assertThat(budget.afterThisRun()).isEqualTo(budget.spent());
  }
}
