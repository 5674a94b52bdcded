package ngd.peer.identity;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/** Shows a site's certificate of the moment; there is one key, and it is the answer to all. */
final class SiteKeyManager extends X509ExtendedKeyManager {
  private static final String TYPE = "EC";

  private final PeerIdentity identity;

  SiteKeyManager(PeerIdentity identity) {
    this.identity = identity;
  }

  /** A certificate's number: one that was renewed is another. */
  private String alias() {
    return identity.certificate().getSerialNumber().toString(16);
  }

  @Override
  public String[] getClientAliases(String keyType, Principal @Nullable [] issuers) {
    return new String[] {alias()};
  }

  @Override
  public @Nullable String chooseClientAlias(
      String[] keyTypes, Principal @Nullable [] issuers, @Nullable Socket socket) {
    for (String type : keyTypes) {
      if (type.startsWith(TYPE)) {
        return alias();
      }
    }
    return null;
  }

  @Override
  public String[] getServerAliases(String keyType, Principal @Nullable [] issuers) {
    return new String[] {alias()};
  }

  @Override
  public @Nullable String chooseServerAlias(
      String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
    return keyType.startsWith(TYPE) ? alias() : null;
  }

  @Override
  public @Nullable String chooseEngineClientAlias(
      String[] keyTypes, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
    return chooseClientAlias(keyTypes, issuers, null);
  }

  @Override
  public @Nullable String chooseEngineServerAlias(
      String keyType, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
    return chooseServerAlias(keyType, issuers, null);
  }

  @Override
  public X509Certificate[] getCertificateChain(String alias) {
    return new X509Certificate[] {identity.certificate()};
  }

  @Override
  public PrivateKey getPrivateKey(String alias) {
    return identity.keys().proof();
  }
}
