package ngd.peer.privacy;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.KeyPair;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What fills a site's gaps. Oracle: the other sites' numbers, and the same site's again. */
class SecretDrawsTest {
  private static long first(int site, Map<String, KeyPair> keys, byte[] run, int imputation) {
    return new SecretDraws(PairwiseMasksTest.keys(PairwiseMasksTest.SITES.get(site), keys, run))
        .of(imputation, site)
        .nextLong();
  }

  @Test
  void of_againAfterARestart_isTheSame() throws Exception {
    Map<String, KeyPair> keys = PairwiseMasksTest.keys();
    assertThat(first(1, keys, new byte[32], 3)).isEqualTo(first(1, keys, new byte[32], 3));
  }

  @Test
  void of_everySiteRunKeyAndImputation_neverTheSameTwice() throws Exception {
    byte[] other = new byte[32];
    other[5] = 1;
    Set<Long> seen = new HashSet<>();
    for (Map<String, KeyPair> keys : List.of(PairwiseMasksTest.keys(), PairwiseMasksTest.keys())) {
      for (byte[] run : List.of(new byte[32], other)) {
        for (int site = 0; site < 4; site++) {
          for (int imputation = 0; imputation < 20; imputation++) {
            assertThat(seen.add(first(site, keys, run, imputation))).isTrue();
          }
        }
      }
    }
  }
}
