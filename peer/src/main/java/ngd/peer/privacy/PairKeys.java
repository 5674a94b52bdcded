package ngd.peer.privacy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.util.List;
import java.util.function.Function;
import javax.crypto.Cipher;
import javax.crypto.KDF;
import javax.crypto.KeyAgreement;
import javax.crypto.SecretKey;
import javax.crypto.spec.HKDFParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * The keys that every pair of sites has without a word: X25519 over the keys in their certificates,
 * by HKDF with the run's hash, one for each purpose. Another plan, other keys or other data of any
 * site have other keys.
 *
 * @param self the site whose keys they are
 * @param sites all sites, this one among them, in the same order at all
 * @param publicKey another site's X25519 key, from its certificate
 * @param run what the run is known by: its plan, all sites' keys and commitments
 */
public record PairKeys(
    String self,
    List<String> sites,
    PrivateKey own,
    Function<String, PublicKey> publicKey,
    Run run) {
  private static final int KEY_BYTES = 32;
  private static final int BLOCK = 16;

  public PairKeys {
    sites = List.copyOf(sites);
  }

  /** A hash that stays as it is. */
  public static final class Run {
    private final byte[] hash;

    public Run(byte[] hash) {
      this.hash = hash.clone();
    }
  }

  /** The place of this site among all. */
  int here() {
    return sites.indexOf(self);
  }

  /**
   * The key that this site and the one at {@code other} have for a purpose.
   *
   * @param here this site's place, which the caller knows: among many sites it is long to look for
   */
  SecretKey key(String purpose, int here, int other) {
    String first = sites.get(Math.min(other, here));
    String second = sites.get(Math.max(other, here));
    try {
      KeyAgreement agreement = KeyAgreement.getInstance("X25519");
      agreement.init(own);
      agreement.doPhase(publicKey.apply(sites.get(other)), true);
      byte[] info =
          "ngd %s %s %s".formatted(purpose, first, second).getBytes(StandardCharsets.UTF_8);
      return KDF.getInstance("HKDF-SHA256")
          .deriveKey(
              "AES",
              HKDFParameterSpec.ofExtract()
                  .addIKM(agreement.generateSecret())
                  .addSalt(run.hash)
                  .thenExpand(info, KEY_BYTES));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(
          "%s of %s and %s: no common key".formatted(purpose, first, second), e);
    }
  }

  /** AES in counter mode, to be begun under one key after another. */
  static Cipher cipher() {
    try {
      return Cipher.getInstance("AES/CTR/NoPadding");
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has AES in counter mode", e);
    }
  }

  /** Begins a stream under a key, the number of what it is for in the counter's first half. */
  static Cipher begun(Cipher cipher, SecretKey key, long number) {
    try {
      byte[] counter = ByteBuffer.allocate(BLOCK).putLong(number).array();
      cipher.init(
          Cipher.ENCRYPT_MODE,
          new SecretKeySpec(key.getEncoded(), "AES"),
          new IvParameterSpec(counter));
      return cipher;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has AES in counter mode", e);
    }
  }
}
