package ngd.peer.identity;

import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.util.List;
import ngd.core.file.Sha256;
import ngd.peer.machine.Machine;

/**
 * Signatures of the sites of one run, under the keys by which they prove who they are: ECDSA on
 * P-256. What is signed begins with a purpose and the run's hash, so that no handshake and no other
 * run can be made to yield one.
 */
public final class SiteSignatures {
  /** Two numbers of 32 bytes, without the variable lengths of DER. */
  public static final int BYTES = 64;

  private static final String ALGORITHM = "SHA256withECDSAinP1363Format";
  private static final String PURPOSE = "ngd term of a sum";

  private final PrivateKey own;
  private final List<PublicKey> keys;
  private final String run;

  /**
   * @param keys the sites' public keys in the order of the plan
   * @param run what the run is known by
   */
  public SiteSignatures(PrivateKey own, List<PublicKey> keys, String run) {
    this.own = own;
    this.keys = List.copyOf(keys);
    this.run = run;
  }

  private byte[] bound(byte[] statement) {
    return new Sha256().add(PURPOSE).add(run.length()).add(run).add(statement).bytes();
  }

  public byte[] sign(byte[] statement) {
    try {
      Signature signature = Signature.getInstance(ALGORITHM);
      signature.initSign(own, Machine.here().random());
      signature.update(bound(statement));
      return signature.sign();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java signs with ECDSA", e);
    }
  }

  public boolean verify(int site, byte[] statement, byte[] signed) {
    try {
      Signature signature = Signature.getInstance(ALGORITHM);
      signature.initVerify(keys.get(site));
      signature.update(bound(statement));
      return signature.verify(signed);
    } catch (GeneralSecurityException malformed) {
      return false;
    }
  }
}
