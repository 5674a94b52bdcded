package ngd.core.inference;

import ngd.core.random.Streams;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * Where the random numbers come from with which clients fill their gaps. Whoever knows them and
 * sees sums over filled rows at many imputations can solve these for the rows, so that a real site
 * has its own, which nobody else knows.
 */
@FunctionalInterface
public interface GapDraws {
  /** Those of a client in one imputation, which are counted from 0: the same whenever asked for. */
  UniformRandomProvider of(int imputation, int client);

  /** From the seed, for simulations: what anyone can compute hides nothing. */
  static GapDraws seeded(Streams streams) {
    return (imputation, client) ->
        streams.replicate(imputation).stream(Streams.Purpose.IMPUTATION, client);
  }
}
