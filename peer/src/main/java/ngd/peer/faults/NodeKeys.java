package ngd.peer.faults;

import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.spec.NamedParameterSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import ngd.core.file.Sha256;
import ngd.core.linalg.ExactSum;
import ngd.core.random.Streams;
import ngd.peer.Masks;
import ngd.peer.Signatures;
import ngd.peer.privacy.PairKeys;
import ngd.peer.privacy.PairwiseMasks;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * Keys of sites without certificates: masks as in production, and signatures that cost little,
 * because nobody here forges one.
 */
final class NodeKeys {
  private static final int MOST = 16;
  private static final List<String> NAMES =
      IntStream.range(0, MOST).mapToObj(m -> "site-" + m).toList();
  private static final List<KeyPair> PAIRS = pairs();

  private NodeKeys() {}

  private static List<KeyPair> pairs() {
    try {
      UniformRandomProvider draw = Streams.of(0).stream(Streams.Purpose.EVENTS, 3);
      List<KeyPair> pairs = new ArrayList<>();
      for (int m = 0; m < MOST; m++) {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("X25519");
        generator.initialize(NamedParameterSpec.X25519, SimulatedMachine.random(draw));
        pairs.add(generator.generateKeyPair());
      }
      return pairs;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has X25519", e);
    }
  }

  static List<String> names(int sites) {
    return NAMES.subList(0, sites);
  }

  static Masks masks(int self, int sites, String run) {
    return Masks.unbound(
        commitments -> {
          PairwiseMasks masks =
              PairwiseMasks.of(
                  new PairKeys(
                      NAMES.get(self),
                      names(sites),
                      PAIRS.get(self).getPrivate(),
                      name -> PAIRS.get(NAMES.indexOf(name)).getPublic(),
                      new PairKeys.Run(new Sha256().add(run).add(commitments).bytes())));
          return (call, terms) -> masks.mask(call, terms, ExactSum.WORDS);
        });
  }

  static Signatures signatures(int self, String run) {
    return new Signatures() {
      @Override
      public int bytes() {
        return 32;
      }

      @Override
      public byte[] sign(byte[] statement) {
        return signature(self, statement);
      }

      @Override
      public boolean verify(int client, byte[] statement, byte[] signature) {
        return Arrays.equals(signature, signature(client, statement));
      }

      private byte[] signature(int client, byte[] statement) {
        return new Sha256().add(run).add(client).add(statement).bytes();
      }
    };
  }
}
