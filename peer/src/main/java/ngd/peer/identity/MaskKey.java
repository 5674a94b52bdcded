package ngd.peer.identity;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import ngd.core.InvalidInput;

/**
 * The public X25519 key that a certificate carries beside its own, in an extension. A peer reads it
 * and so needs none of Bouncy Castle's classes.
 */
final class MaskKey {
  /** A number of our own below the arc of UUIDs, which needs no registration. */
  static final String OID = "2.25.192430717206337640531470166583614837791";

  private static final byte OCTET_STRING = 4;

  private MaskKey() {}

  /** The key in the DER form of a SubjectPublicKeyInfo. */
  static PublicKey decode(String subject, byte[] encoded) {
    try {
      return KeyFactory.getInstance("X25519").generatePublic(new X509EncodedKeySpec(encoded));
    } catch (GeneralSecurityException e) {
      throw new InvalidInput(
          "%s: its key for masks must be X25519; it is not".formatted(subject), e);
    }
  }

  /** The key that a certificate carries. */
  static PublicKey of(X509Certificate certificate) {
    String subject = certificate.getSubjectX500Principal().getName();
    byte[] value = certificate.getExtensionValue(OID);
    if (value == null) {
      throw new InvalidInput(
          "%s: its certificate must carry a key for masks; it has none".formatted(subject));
    }
    return decode(subject, octets(subject, value));
  }

  /**
   * What the DER octet string of an extension holds. A key has 44 bytes, so that the length is one
   * byte.
   */
  private static byte[] octets(String subject, byte[] value) {
    if (value.length < 2 || value[0] != OCTET_STRING || value[1] != value.length - 2) {
      throw new InvalidInput(
          "%s: its key for masks must be a short octet string; it is not".formatted(subject));
    }
    return Arrays.copyOfRange(value, 2, value.length);
  }
}
