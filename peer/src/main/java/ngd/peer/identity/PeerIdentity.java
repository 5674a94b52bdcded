package ngd.peer.identity;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;
import ngd.core.InvalidInput;
import org.jspecify.annotations.Nullable;

/**
 * Who this peer is and whom it believes. Its certificate and the list of revoked ones are read
 * again when their files change, so that neither needs a restart.
 */
public final class PeerIdentity {
  private static final System.Logger LOG = System.getLogger("ngd.peer");
  private static final int DNS_NAME = 2;

  /** So long before this site's certificate ends it is said, once a day; less if it is short. */
  private static final Duration NOTICE = Duration.ofDays(30);

  private static final int LAST_PART = 4;

  private static final Duration AGAIN = Duration.ofDays(1);

  private final String site;
  private final Kit kit;
  private final SiteKeys keys;
  private final InstantSource clock;
  private final Watched<X509Certificate> certificate;
  private final Watched<@Nullable X509CRL> revoked;
  private Instant saidOfEnd = Instant.MIN;

  private PeerIdentity(String site, Kit kit, SiteKeys keys, InstantSource clock) {
    this.site = site;
    this.kit = kit;
    this.keys = keys;
    this.clock = clock;
    certificate = new Watched<>(kit.certificate(site), this::checkedOwn);
    revoked = new Watched<>(kit.revoked(), this::checkedList);
  }

  /** The identity of the site whose key lies beside the kit; its files are checked now. */
  public static PeerIdentity open(Kit kit, String site, InstantSource clock) {
    List<String> members = kit.plan().plan().federation().members();
    if (!members.contains(site)) {
      throw new InvalidInput(
          "site `%s`: is not in the plan; its members are %s".formatted(site, members));
    }
    SiteKeys keys = SiteKeys.read(kit.folder().resolve(site + ".key"));
    PeerIdentity identity = new PeerIdentity(site, kit, keys, clock);
    identity.certificate.strictly();
    identity.revoked.strictly();
    try {
      identity.check(identity.certificate());
    } catch (CertificateException e) {
      throw new InvalidInput(
          "%s: cannot be used: %s".formatted(kit.certificate(site), e.getMessage()), e);
    }
    return identity;
  }

  public String site() {
    return site;
  }

  public Kit kit() {
    return kit;
  }

  /** This site's private keys. */
  public SiteKeys keys() {
    return keys;
  }

  /** This site's certificate as its file says it now. */
  public X509Certificate certificate() {
    return certificate.now();
  }

  /** The public key with which another site agrees on masks. */
  public PublicKey maskKey(String other) {
    return MaskKey.of(certificate(other));
  }

  /** The public key by which another site proves who it is, and under which it signs. */
  public PublicKey proofKey(String other) {
    return certificate(other).getPublicKey();
  }

  /** A site's certificate in the kit, by this federation's authority. */
  private X509Certificate certificate(String other) {
    X509Certificate theirs = Pem.certificate(kit.certificate(other));
    try {
      requireSigned(theirs);
      if (!siteOf(theirs).equals(other)) {
        throw new CertificateException("it names `%s`".formatted(siteOf(theirs)));
      }
    } catch (CertificateException e) {
      throw new InvalidInput(
          "%s: must be the certificate of `%s`: %s"
              .formatted(kit.certificate(other), other, e.getMessage()),
          e);
    }
    return theirs;
  }

  /** Signs bytes for a purpose, so that nothing signed for one serves another. */
  public byte[] sign(String purpose, byte[] bytes) {
    return SiteSignatures.sign(keys.proof(), purpose, bytes);
  }

  /** What members say to all others is signed for this purpose. */
  public static final String STATEMENT = "ngd statement";

  /** Whether a site signed these bytes, by its certificate in a kit; revoked or not. */
  static boolean verify(Kit kit, String site, String purpose, byte[] bytes, byte[] signed) {
    try {
      X509Certificate theirs = Pem.certificate(kit.certificate(site));
      theirs.verify(kit.authority().getPublicKey());
      return siteOf(theirs).equals(site)
          && SiteSignatures.verify(theirs.getPublicKey(), purpose, bytes, signed);
    } catch (GeneralSecurityException | InvalidInput malformed) {
      return false;
    }
  }

  /** Whether a member of the federation whose certificate holds signed these bytes. */
  public boolean verify(String member, String purpose, byte[] bytes, byte[] signed) {
    if (!kit.plan().plan().federation().members().contains(member)) {
      return false;
    }
    try {
      X509Certificate theirs = Pem.certificate(kit.certificate(member));
      requireSigned(theirs);
      X509CRL list = revoked.now();
      if (!siteOf(theirs).equals(member)
          || (list != null && list.getRevokedCertificate(theirs.getSerialNumber()) != null)) {
        return false;
      }
      return SiteSignatures.verify(theirs.getPublicKey(), purpose, bytes, signed);
    } catch (CertificateException malformed) {
      return false;
    }
  }

  /** The site that a certificate names. */
  public static String siteOf(X509Certificate certificate) throws CertificateException {
    try {
      Collection<List<?>> names = certificate.getSubjectAlternativeNames();
      if (names != null && names.size() == 1) {
        List<?> name = names.iterator().next();
        if (Objects.equals(name.get(0), DNS_NAME) && name.get(1) instanceof String site) {
          return site;
        }
      }
    } catch (CertificateParsingException e) {
      throw new CertificateException("its name cannot be read", e);
    }
    throw new CertificateException("must name one site");
  }

  /** Refuses a certificate that is not of this federation, not valid now, or revoked. */
  public void check(X509Certificate theirs) throws CertificateException {
    Instant now = clock.instant();
    // Looked at with every neighbour's, so that a renewed one is known before it is needed.
    sayOfEnd(certificate.now(), now);
    requireSigned(theirs);
    String name = siteOf(theirs);
    if (now.isAfter(theirs.getNotAfter().toInstant())) {
      throw new CertificateException(
          "the certificate of `%s` expired on %s"
              .formatted(name, theirs.getNotAfter().toInstant()));
    }
    if (now.isBefore(theirs.getNotBefore().toInstant())) {
      throw new CertificateException(
          "the certificate of `%s` is valid from %s; this machine's clock says %s"
              .formatted(name, theirs.getNotBefore().toInstant(), now));
    }
    if (!kit.plan().plan().federation().members().contains(name)) {
      throw new CertificateException("`%s` is not a site of the plan".formatted(name));
    }
    X509CRL list = revoked.now();
    if (list != null && list.getRevokedCertificate(theirs.getSerialNumber()) != null) {
      throw new CertificateException("the certificate of `%s` is revoked".formatted(name));
    }
  }

  private synchronized void sayOfEnd(X509Certificate own, Instant now) {
    Instant end = own.getNotAfter().toInstant();
    Duration lastPart = Duration.between(own.getNotBefore().toInstant(), end).dividedBy(LAST_PART);
    Instant notice = end.minus(lastPart.compareTo(NOTICE) < 0 ? lastPart : NOTICE);
    if (now.isAfter(notice) && now.isBefore(end) && now.isAfter(saidOfEnd)) {
      saidOfEnd = now.plus(AGAIN);
      LOG.log(
          WARNING,
          "certificate-ends file={0} on={1} detail=renew it before: ngd peer request, then approve"
              + " and pack",
          kit.certificate(site).getFileName(),
          end);
    }
  }

  private void requireSigned(X509Certificate theirs) throws CertificateException {
    try {
      theirs.verify(kit.authority().getPublicKey());
    } catch (GeneralSecurityException e) {
      throw new CertificateException(
          "not signed by this federation's authority: %s"
              .formatted(theirs.getSubjectX500Principal().getName()),
          e);
    }
    if (theirs.getBasicConstraints() >= 0) {
      throw new CertificateException("it is an authority's certificate, not a site's");
    }
    boolean[] usage = theirs.getKeyUsage();
    if (usage == null || !usage[0]) {
      throw new CertificateException("its key may not sign, so it proves nothing");
    }
  }

  private X509Certificate checkedOwn(Path file) {
    X509Certificate own = Pem.certificate(file);
    try {
      requireSigned(own);
      if (!siteOf(own).equals(site)) {
        throw new CertificateException("it names `%s`".formatted(siteOf(own)));
      }
      requireKey(own);
    } catch (GeneralSecurityException e) {
      throw new InvalidInput(
          "%s: must be the certificate of `%s` for %s.key: %s"
              .formatted(file, site, site, e.getMessage()),
          e);
    }
    return own;
  }

  /** A signature by the key must be one under the certificate. */
  private void requireKey(X509Certificate own) throws CertificateException {
    String purpose = "ngd own certificate";
    byte[] signed = SiteSignatures.sign(keys.proof(), purpose, own.getSignature());
    if (!SiteSignatures.verify(own.getPublicKey(), purpose, own.getSignature(), signed)) {
      throw new CertificateException("it is for another key");
    }
  }

  private @Nullable X509CRL checkedList(Path file) {
    if (!Files.exists(file)) {
      return null;
    }
    X509CRL list = Pem.revoked(file);
    try {
      list.verify(kit.authority().getPublicKey());
    } catch (GeneralSecurityException e) {
      throw new InvalidInput(
          "%s: must be signed by this federation's authority; it is not".formatted(file), e);
    }
    return list;
  }

  /** What proves who this peer is, at each handshake with the certificate of that moment. */
  public X509ExtendedKeyManager keyManager() {
    return new SiteKeyManager(this);
  }

  /** Who is believed: the sites of the plan, by {@link #check}, asked anew at each handshake. */
  public X509ExtendedTrustManager trustManager() {
    return new SiteTrustManager(this);
  }

  /**
   * A file's content, read again after it changed. A change that cannot be used leaves what was
   * there: a peer must not fall over because an administrator is still copying.
   */
  private static final class Watched<T extends @Nullable Object> {
    private final Path file;
    private final Function<Path, T> read;
    private @Nullable FileTime seen;
    private @Nullable FileTime complained;
    private boolean known;
    private @Nullable T value;

    Watched(Path file, Function<Path, T> read) {
      this.file = file;
      this.read = read;
    }

    synchronized void strictly() {
      seen = modified();
      value = read.apply(file);
      known = true;
    }

    synchronized T now() {
      FileTime time = modified();
      if (!known || !Objects.equals(time, seen)) {
        try {
          value = read.apply(file);
          LOG.log(INFO, "read-again file={0}", file.getFileName());
          known = true;
          seen = time;
        } catch (InvalidInput unusable) {
          if (!known) {
            throw unusable;
          }
          if (!Objects.equals(time, complained)) {
            complained = time;
            LOG.log(
                WARNING, "kept-the-one-before file={0} detail={1}", file, unusable.getMessage());
          }
        }
      }
      return value;
    }

    private @Nullable FileTime modified() {
      try {
        return Files.getLastModifiedTime(file);
      } catch (IOException absent) {
        return null;
      }
    }
  }
}
