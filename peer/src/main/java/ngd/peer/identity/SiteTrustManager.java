package ngd.peer.identity;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Believes the sites of the plan. An extended manager, because the others are wrapped in checks of
 * host names, and a site is known by its name in the plan wherever it runs.
 */
final class SiteTrustManager extends X509ExtendedTrustManager {
  private final PeerIdentity identity;

  SiteTrustManager(PeerIdentity identity) {
    this.identity = identity;
  }

  private void check(X509Certificate[] chain) throws CertificateException {
    if (chain.length == 0) {
      throw new CertificateException("a certificate must be shown; there was none");
    }
    identity.check(chain[0]);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
    check(chain);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
    check(chain);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, @Nullable Socket socket)
      throws CertificateException {
    check(chain);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, @Nullable Socket socket)
      throws CertificateException {
    check(chain);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, @Nullable SSLEngine engine)
      throws CertificateException {
    check(chain);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, @Nullable SSLEngine engine)
      throws CertificateException {
    check(chain);
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return new X509Certificate[] {identity.kit().authority()};
  }
}
