package ngd.peer.identity;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.util.List;
import ngd.core.file.Sha256;
import ngd.peer.machine.Machine;

/**
 * Signatures of sites, under the keys by which they prove who they are: ECDSA on P-256. What is
 * signed begins with its purpose, so that no handshake and nothing signed for another purpose can
 * be made to yield one; the terms of a run's sums also with the run's hash.
 */
public final class SiteSignatures {
  /** Two numbers of 32 bytes, without the variable lengths of DER. */
  public static final int BYTES = 64;

  private static final String ALGORITHM = "SHA256withECDSAinP1363Format";
  private static final String TERM = "ngd term of a sum";

  private final PrivateKey own;
  private final List<PublicKey> keys;
  private final String run;

  /**
   * Those of the terms of one run's sums.
   *
   * @param keys the sites' public keys in the order of the plan
   * @param run what the run is known by
   */
  public SiteSignatures(PrivateKey own, List<PublicKey> keys, String run) {
    this.own = own;
    this.keys = List.copyOf(keys);
    this.run = run;
  }

  public byte[] sign(byte[] statement) {
    return sign(own, TERM, ofRun(statement));
  }

  public boolean verify(int site, byte[] statement, byte[] signed) {
    return verify(keys.get(site), TERM, ofRun(statement), signed);
  }

  private byte[] ofRun(byte[] statement) {
    byte[] name = run.getBytes(StandardCharsets.UTF_8);
    return new Sha256().add(name.length).add(name).add(statement).bytes();
  }

  /** Signs bytes for a purpose. */
  static byte[] sign(PrivateKey own, String purpose, byte[] bytes) {
    try {
      Signature signature = Signature.getInstance(ALGORITHM);
      signature.initSign(own, Machine.here().random());
      signature.update(forPurpose(purpose, bytes));
      return signature.sign();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java signs with ECDSA", e);
    }
  }

  /** Whether these bytes were signed for this purpose. */
  static boolean verify(PublicKey key, String purpose, byte[] bytes, byte[] signed) {
    try {
      Signature signature = Signature.getInstance(ALGORITHM);
      signature.initVerify(key);
      signature.update(forPurpose(purpose, bytes));
      return signature.verify(signed);
    } catch (GeneralSecurityException malformed) {
      return false;
    }
  }

  private static byte[] forPurpose(String purpose, byte[] bytes) {
    byte[] name = purpose.getBytes(StandardCharsets.UTF_8);
    return new Sha256().add(name.length).add(name).add(bytes).bytes();
  }
}
