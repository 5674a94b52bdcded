package ngd.peer;

import java.io.InputStream;
import java.io.OutputStream;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509TrustManager;
import ngd.peer.wire.Credentials;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** An authority for tests, made in memory: it signs whatever it is asked to. */
public final class TestAuthority {
  private static final char[] NO_PASSWORD = {};

  private final AtomicLong serial = new AtomicLong(1);
  private final KeyPair keys;
  private final X500Name name;
  private final X509Certificate certificate;

  public TestAuthority(String name) {
    try {
      keys = keyPair();
      this.name = new X500Name("CN=" + name);
      certificate = sign(keys, this.name, Duration.ofDays(1), true);
    } catch (Exception impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private static KeyPair keyPair() throws GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(new ECGenParameterSpec("secp256r1"));
    return generator.generateKeyPair();
  }

  private X509Certificate sign(KeyPair subject, X500Name whose, Duration valid, boolean authority)
      throws Exception {
    Instant now = Instant.now();
    Instant from = valid.isNegative() ? now.plus(valid.multipliedBy(2)) : now.minusSeconds(60);
    X509v3CertificateBuilder builder =
        new JcaX509v3CertificateBuilder(
            name,
            BigInteger.valueOf(serial.getAndIncrement()),
            Date.from(from),
            Date.from(now.plus(valid)),
            whose,
            subject.getPublic());
    builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(authority));
    return new JcaX509CertificateConverter()
        .getCertificate(
            builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(keys.getPrivate())));
  }

  public Credentials credentials(String site) {
    return credentials(site, Duration.ofDays(1), this);
  }

  /**
   * @param valid negative for a certificate that has expired by that much
   * @param trusted whose certificates the site believes
   */
  public Credentials credentials(String site, Duration valid, TestAuthority trusted) {
    try {
      KeyPair own = keyPair();
      X509Certificate signed = sign(own, new X500Name("CN=" + site), valid, false);
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      store.setKeyEntry(
          "site", own.getPrivate(), NO_PASSWORD, new X509Certificate[] {signed, certificate});
      KeyManagerFactory keyManagers = KeyManagerFactory.getInstance("PKIX");
      keyManagers.init(store, NO_PASSWORD);
      return new Credentials(
          (X509ExtendedKeyManager) keyManagers.getKeyManagers()[0],
          trust(trusted.certificate),
          NAMES);
    } catch (Exception impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** Writes a site's key, certificate and authority to a file. */
  public void write(String site, Path file) {
    try (OutputStream out = Files.newOutputStream(file)) {
      KeyPair own = keyPair();
      X509Certificate signed = sign(own, new X500Name("CN=" + site), Duration.ofDays(1), false);
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      store.setKeyEntry(
          "site", own.getPrivate(), NO_PASSWORD, new X509Certificate[] {signed, certificate});
      store.setCertificateEntry("authority", certificate);
      store.store(out, NO_PASSWORD);
    } catch (Exception impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** Reads such a file. */
  public static Credentials credentials(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(in, NO_PASSWORD);
      KeyManagerFactory keyManagers = KeyManagerFactory.getInstance("PKIX");
      keyManagers.init(store, NO_PASSWORD);
      return new Credentials(
          (X509ExtendedKeyManager) keyManagers.getKeyManagers()[0],
          trust((X509Certificate) store.getCertificate("authority")),
          NAMES);
    } catch (Exception impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private static final Credentials.Names NAMES =
      shown -> shown.getSubjectX500Principal().getName().replaceFirst("CN=", "");

  private static X509TrustManager trust(X509Certificate authority) throws Exception {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    store.setCertificateEntry("authority", authority);
    TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
    factory.init(store);
    return (X509TrustManager) factory.getTrustManagers()[0];
  }
}
