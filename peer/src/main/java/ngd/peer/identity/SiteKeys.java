package ngd.peer.identity;

import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.NamedParameterSpec;
import java.util.List;
import ngd.core.InvalidInput;
import ngd.peer.machine.Machine;

/**
 * A site's two private keys, made at the site and never sent: ECDSA on P-256, by which it proves
 * who it is, and X25519, from which it agrees on masks with every other site. One key for both
 * purposes would save a line of the file and cost the proofs of both.
 */
public record SiteKeys(PrivateKey proof, PrivateKey mask) {

  /** Keys and the public halves that go into a request. */
  record Fresh(KeyPair proof, KeyPair mask) {
    /** The file that holds both, private to its owner. */
    void write(Path file) {
      PrivateFile.create(
          file,
          Pem.text(Pem.PRIVATE_KEY, proof.getPrivate().getEncoded())
              + Pem.text(Pem.PRIVATE_KEY, mask.getPrivate().getEncoded()));
    }

    SiteKeys keys() {
      return new SiteKeys(proof.getPrivate(), mask.getPrivate());
    }
  }

  /** New keys from the machine's secure random numbers. */
  static Fresh generate() {
    return new Fresh(p256(), x25519());
  }

  static KeyPair p256() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"), Machine.here().random());
      return generator.generateKeyPair();
    } catch (GeneralSecurityException absent) {
      throw new IllegalStateException("every Java has P-256", absent);
    }
  }

  private static KeyPair x25519() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("X25519");
      generator.initialize(NamedParameterSpec.X25519, Machine.here().random());
      return generator.generateKeyPair();
    } catch (GeneralSecurityException absent) {
      throw new IllegalStateException("every Java has X25519", absent);
    }
  }

  /** The keys in a file; refused where others than its owner may read it. */
  public static SiteKeys read(Path file) {
    List<byte[]> blocks = Pem.blocks(file, PrivateFile.read(file), Pem.PRIVATE_KEY);
    if (blocks.size() != 2) {
      throw new InvalidInput(
          "%s: must hold two private keys, as `ngd peer request` writes them; it holds %d"
              .formatted(file, blocks.size()));
    }
    return new SiteKeys(
        Pem.privateKey(file, "EC", blocks.get(0)), Pem.privateKey(file, "X25519", blocks.get(1)));
  }
}
