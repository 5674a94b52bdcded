package ngd.peer.wire;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Believes a certificate that the credentials believe, if it is of the one site that is dialled or,
 * for those who come, of a neighbour.
 */
final class PinnedTrust extends X509ExtendedTrustManager {
  private final Credentials credentials;
  private final Neighbours neighbours;
  private final @Nullable PeerAddress dialled;

  PinnedTrust(Credentials credentials, Neighbours neighbours, @Nullable PeerAddress dialled) {
    this.credentials = credentials;
    this.neighbours = neighbours;
    this.dialled = dialled;
  }

  private interface Decision {
    void decide() throws CertificateException;
  }

  private void check(X509Certificate[] chain, Decision authority) throws CertificateException {
    String name = null;
    try {
      authority.decide();
      name = credentials.names().site(chain[0]);
      if (dialled != null && !dialled.name().equals(name)) {
        throw new CertificateException(
            "must be the certificate of `%s`; got that of `%s`".formatted(dialled.name(), name));
      }
      if (neighbours.named(name).isEmpty()) {
        throw new CertificateException(
            "must be of a site that the network links to this one; `%s` is not".formatted(name));
      }
    } catch (CertificateException refused) {
      neighbours.refusedCertificate(
          chain.length == 0 ? "nobody" : chain[0].getSubjectX500Principal().getName(),
          claimed(chain, name),
          String.valueOf(refused.getMessage()));
      throw refused;
    }
  }

  /** The site that a certificate claims to be of, trusted or not; empty where it names none. */
  private String claimed(X509Certificate[] chain, @Nullable String known) {
    if (known != null) {
      return known;
    }
    try {
      return chain.length == 0 ? "" : credentials.names().site(chain[0]);
    } catch (CertificateException nameless) {
      return "";
    }
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType)
      throws CertificateException {
    check(chain, () -> credentials.trust().checkClientTrusted(chain, authType));
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType)
      throws CertificateException {
    check(chain, () -> credentials.trust().checkServerTrusted(chain, authType));
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
      throws CertificateException {
    checkClientTrusted(chain, authType);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
      throws CertificateException {
    checkServerTrusted(chain, authType);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
      throws CertificateException {
    checkClientTrusted(chain, authType);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
      throws CertificateException {
    checkServerTrusted(chain, authType);
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return credentials.trust().getAcceptedIssuers();
  }
}
