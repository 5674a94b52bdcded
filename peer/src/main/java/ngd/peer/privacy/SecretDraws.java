package ngd.peer.privacy;

import ngd.core.inference.GapDraws;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * The random numbers with which a real site fills its gaps: AES in counter mode under a key that
 * follows from its private key, the plan and all sites' data. After a restart they are the same;
 * nobody else can compute them.
 *
 * @param keys of which a site's with itself is known to it alone
 */
public record SecretDraws(PairKeys keys) implements GapDraws {
  @Override
  public UniformRandomProvider of(int imputation, int client) {
    return SecretNoise.numbers(
        PairKeys.begun(PairKeys.cipher(), keys.key("gaps", keys.here(), client), imputation));
  }
}
