package ngd.peer.wire;

import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509TrustManager;

/**
 * What a peer shows of itself and whom it believes. Both are asked anew at every handshake, so a
 * renewed certificate or a longer list of revoked ones takes effect without a restart.
 *
 * @param keys this site's private key and certificates
 * @param trust decides whether a chain of certificates is of the plan's authority, in time and not
 *     revoked; who may talk to whom is decided by the wire
 * @param names whose certificate it is
 */
public record Credentials(X509ExtendedKeyManager keys, X509TrustManager trust, Names names) {
  /** Reads the site's name from a certificate that is already trusted. */
  @FunctionalInterface
  public interface Names {
    String site(X509Certificate certificate) throws CertificateException;
  }
}
