package ngd.peer.identity;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.X509CRL;
import java.security.cert.X509CRLEntry;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Date;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import javax.security.auth.x500.X500Principal;
import ngd.core.InvalidInput;
import ngd.peer.machine.Machine;
import ngd.peer.plan.WrittenPlan;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.CRLNumber;
import org.bouncycastle.asn1.x509.CRLReason;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.CertIOException;
import org.bouncycastle.cert.X509v2CRLBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v2CRLBuilder;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.ContentSigner;
import org.bouncycastle.operator.OperatorCreationException;

/**
 * The authority of one federation: a key in a folder private to its owner, and all it has signed.
 * It takes no part in the computation and needs no machine of its own.
 *
 * <p>The folder holds {@code authority.key}, {@code authority.pem}, {@code certificates/}, the
 * valid one of each site, {@code issued/}, every one by its number, and {@code revoked.crl}.
 */
public final class Authority {
  /** How long the authority's own certificate holds. */
  private static final Duration OWN = Duration.ofDays(3650);

  /** Clocks of sites may be this far behind: certificates begin a little earlier. */
  private static final Duration SLACK = Duration.ofHours(1);

  /** A list says what is revoked until a newer one comes; it does not expire by itself sooner. */
  private static final Duration LIST = Duration.ofDays(3650);

  private static final int SERIAL_BITS = 127;

  private final Path folder;
  private final PrivateKey key;
  private final X509Certificate certificate;
  private final InstantSource clock;

  private Authority(Path folder, PrivateKey key, X509Certificate certificate, InstantSource clock) {
    this.folder = folder;
    this.key = key;
    this.certificate = certificate;
    this.clock = clock;
  }

  /** Makes the authority of a federation in a folder that is not there yet. */
  public static Authority create(Path folder, String federation, InstantSource clock) {
    PrivateFile.createFolder(folder);
    KeyPair pair = SiteKeys.p256();
    Instant now = clock.instant();
    X500Principal name = new X500Principal("CN=ngd authority,O=" + escaped(federation));
    JcaX509v3CertificateBuilder builder =
        new JcaX509v3CertificateBuilder(
            name,
            serial(),
            Date.from(now.minus(SLACK)),
            Date.from(now.plus(OWN)),
            name,
            pair.getPublic());
    X509Certificate certificate =
        signed(
            builder,
            pair.getPrivate(),
            b ->
                b.addExtension(Extension.basicConstraints, true, new BasicConstraints(0))
                    .addExtension(
                        Extension.keyUsage,
                        true,
                        new KeyUsage(
                            KeyUsage.keyCertSign | KeyUsage.cRLSign | KeyUsage.digitalSignature)));
    PrivateFile.create(
        folder.resolve("authority.key"), Pem.text(Pem.PRIVATE_KEY, pair.getPrivate().getEncoded()));
    Authority authority = new Authority(folder, pair.getPrivate(), certificate, clock);
    Written.replace(folder.resolve("authority.pem"), authority.pem());
    return authority;
  }

  /** The authority in a folder; its key must be private to its owner. */
  public static Authority open(Path folder, InstantSource clock) {
    if (!Files.isDirectory(folder)) {
      throw new InvalidInput(
          "%s: must be an authority's folder, as `ngd federation new` makes it; it %s"
              .formatted(folder, Files.exists(folder) ? "is a file" : "does not exist"));
    }
    Path file = folder.resolve("authority.key");
    byte[] encoded = Pem.blocks(file, PrivateFile.read(file), Pem.PRIVATE_KEY).getFirst();
    return new Authority(
        folder,
        Pem.privateKey(file, "EC", encoded),
        Pem.certificate(folder.resolve("authority.pem")),
        clock);
  }

  /**
   * Signs a site's request; the site's earlier certificate stays valid until it ends. A key that
   * was revoked is refused: whoever it was revoked for could pass for the site again.
   */
  public X509Certificate approve(CertificateRequest request, Duration validFor) {
    revokedFor(request)
        .ifPresent(
            when -> {
              throw new InvalidInput(
                  "request of `%s`: must not be for a key that was revoked; this one was, on %s. Ask the site for new keys (`ngd peer request` into an empty folder), or give --reinstate if nobody else ever had this one"
                      .formatted(request.site(), when));
            });
    return reinstate(request, validFor);
  }

  /** When a certificate for a key of this request was last revoked, if one was. */
  private Optional<Instant> revokedFor(CertificateRequest request) {
    Path file = folder.resolve(Kit.REVOKED);
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    X509CRL list = Pem.revoked(file);
    return files(folder.resolve("issued"))
        .map(Pem::certificate)
        .filter(given -> given.getPublicKey().equals(request.proof()))
        .map(list::getRevokedCertificate)
        .filter(Objects::nonNull)
        .map(entry -> entry.getRevocationDate().toInstant())
        .max(Comparator.naturalOrder());
  }

  /** Signs a request and keeps no record of it: for connections of this authority's own. */
  X509Certificate temporary(CertificateRequest request, Duration validFor) {
    Instant now = clock.instant();
    BigInteger number = serial();
    JcaX509v3CertificateBuilder builder =
        new JcaX509v3CertificateBuilder(
            certificate,
            number,
            Date.from(now.minus(SLACK)),
            Date.from(now.plus(validFor)),
            new X500Principal("CN=" + request.site()),
            request.proof());
    return signed(
        builder,
        key,
        b ->
            b.addExtension(Extension.basicConstraints, true, new BasicConstraints(false))
                .addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature))
                .addExtension(
                    Extension.extendedKeyUsage,
                    false,
                    new ExtendedKeyUsage(
                        new KeyPurposeId[] {
                          KeyPurposeId.id_kp_serverAuth, KeyPurposeId.id_kp_clientAuth
                        }))
                .addExtension(
                    Extension.subjectAlternativeName,
                    false,
                    CertificateRequest.name(request.site()))
                .addExtension(CertificateRequest.mask(request.mask())));
  }

  /** Signs a site's request even where its key was revoked before. */
  public X509Certificate reinstate(CertificateRequest request, Duration validFor) {
    X509Certificate made = temporary(request, validFor);
    String text = certificateText(made);
    Written.replace(
        folder
            .resolve("issued")
            .resolve(request.site() + "-" + made.getSerialNumber().toString(16) + ".pem"),
        text);
    Written.replace(certificates().resolve(request.site() + ".pem"), text);
    return made;
  }

  /** The certificate of a site that was not revoked, if it has one. */
  public Optional<X509Certificate> certificate(String site) {
    Path file = certificates().resolve(site + ".pem");
    return Files.exists(file) ? Optional.of(Pem.certificate(file)) : Optional.empty();
  }

  /** Whether a site has a certificate that has not ended. */
  public boolean knows(String site) {
    return certificate(site)
        .filter(own -> own.getNotAfter().toInstant().isAfter(clock.instant()))
        .isPresent();
  }

  /** Whether the certificate of a site is for the very keys of this request. */
  public boolean hasApproved(CertificateRequest request) {
    return certificate(request.site())
        .filter(own -> own.getPublicKey().equals(request.proof()))
        .filter(own -> MaskKey.of(own).equals(request.mask()))
        .isPresent();
  }

  /** The list of revoked certificates, if there is one. */
  Optional<String> revoked() {
    Path list = folder.resolve(Kit.REVOKED);
    return Files.exists(list)
        ? Optional.of(Pem.read(list, "a list of revoked certificates"))
        : Optional.empty();
  }

  Path certificates() {
    return folder.resolve("certificates");
  }

  X509Certificate own() {
    return certificate;
  }

  String pem() {
    return certificateText(certificate);
  }

  /** The detached signature of a plan's canonical form. */
  public String sign(WrittenPlan plan) {
    try {
      Signature signature = Signature.getInstance(CertificateRequest.SIGNATURE);
      signature.initSign(key, Machine.here().random());
      signature.update(plan.canonicalBytes());
      return Pem.text(Pem.SIGNATURE, signature.sign());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the plan could not be signed", e);
    }
  }

  /**
   * Revokes every certificate that a site was given so far and signs the longer list.
   *
   * @return where the list is; it is to be handed to all sites
   */
  public Path revoke(String site) {
    List<X509Certificate> given = issued(site);
    if (given.isEmpty()) {
      throw new InvalidInput(
          "site `%s`: has no certificate of this authority; those that have one: %s"
              .formatted(site, String.join(", ", sites())));
    }
    Path file = folder.resolve(Kit.REVOKED);
    Instant now = clock.instant();
    try {
      X509v2CRLBuilder list =
          new JcaX509v2CRLBuilder(certificate.getSubjectX500Principal(), Date.from(now));
      list.setNextUpdate(Date.from(now.plus(LIST)));
      List<BigInteger> listed = new ArrayList<>();
      if (Files.exists(file)) {
        X509CRL before = Pem.revoked(file);
        if (before.getRevokedCertificates() != null) {
          for (X509CRLEntry entry : before.getRevokedCertificates()) {
            listed.add(entry.getSerialNumber());
            list.addCRLEntry(
                entry.getSerialNumber(), entry.getRevocationDate(), CRLReason.unspecified);
          }
        }
      }
      for (X509Certificate one : given) {
        if (!listed.contains(one.getSerialNumber())) {
          list.addCRLEntry(one.getSerialNumber(), Date.from(now), CRLReason.unspecified);
        }
      }
      // Milliseconds make a number that grows with every list.
      list.addExtension(
          Extension.cRLNumber, false, new CRLNumber(BigInteger.valueOf(now.toEpochMilli())));
      Written.replace(file, Pem.text(Pem.REVOKED, list.build(signer(key)).getEncoded()));
      Files.deleteIfExists(certificates().resolve(site + ".pem"));
    } catch (IOException e) {
      throw new IllegalStateException("the list of revoked certificates could not be made", e);
    }
    return file;
  }

  private List<X509Certificate> issued(String site) {
    return files(folder.resolve("issued"))
        .filter(
            file ->
                file.getFileName()
                    .toString()
                    .matches(java.util.regex.Pattern.quote(site) + "-[0-9a-f]+\\.pem"))
        .map(Pem::certificate)
        .toList();
  }

  /** The sites that have a certificate now. */
  public List<String> sites() {
    return files(certificates())
        .map(file -> file.getFileName().toString())
        .filter(name -> name.endsWith(".pem"))
        .map(name -> name.substring(0, name.length() - ".pem".length()))
        .toList();
  }

  private static Stream<Path> files(Path folder) {
    if (!Files.isDirectory(folder)) {
      return Stream.of();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files.sorted(Comparator.comparing(Path::toString)).toList().stream();
    } catch (IOException e) {
      throw new InvalidInput("%s: cannot be read".formatted(folder), e);
    }
  }

  /** What may be added to a certificate before it is signed. */
  private interface Additions {
    void addTo(JcaX509v3CertificateBuilder builder) throws CertIOException;
  }

  private static X509Certificate signed(
      JcaX509v3CertificateBuilder builder, PrivateKey key, Additions additions) {
    try {
      additions.addTo(builder);
      return new JcaX509CertificateConverter().getCertificate(builder.build(signer(key)));
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalStateException("a certificate could not be made", e);
    }
  }

  private static ContentSigner signer(PrivateKey key) {
    try {
      return CertificateRequest.signer(key);
    } catch (OperatorCreationException e) {
      throw new IllegalStateException("every JDK signs with P-256", e);
    }
  }

  private static BigInteger serial() {
    return new BigInteger(SERIAL_BITS, Machine.here().random()).setBit(SERIAL_BITS - 1);
  }

  static String certificateText(X509Certificate certificate) {
    try {
      return Pem.text(Pem.CERTIFICATE, certificate.getEncoded());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("a certificate has an encoding", e);
    }
  }

  /** A name for a distinguished name: letters that mean something there are left out. */
  private static String escaped(String federation) {
    String plain =
        new String(federation.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8)
            .replaceAll("[^A-Za-z0-9 ._-]", " ")
            .strip();
    return plain.isEmpty() ? "federation" : plain;
  }
}
