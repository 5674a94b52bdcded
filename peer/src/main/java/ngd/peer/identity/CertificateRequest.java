package ngd.peer.identity;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.interfaces.ECPublicKey;
import java.security.spec.X509EncodedKeySpec;
import javax.security.auth.x500.X500Principal;
import ngd.core.InvalidInput;
import ngd.peer.machine.Machine;
import ngd.peer.plan.Site;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.Extensions;
import org.bouncycastle.asn1.x509.ExtensionsGenerator;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.operator.ContentSigner;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.operator.jcajce.JcaContentVerifierProviderBuilder;
import org.bouncycastle.pkcs.PKCS10CertificationRequest;
import org.bouncycastle.pkcs.PKCSException;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequestBuilder;

/**
 * What a site sends to the authority: its name and public keys, signed with its own key (PKCS #10).
 * It holds no secret, but whoever could swap it on the way could pass for the site: so the two
 * people compare its fingerprint by another channel.
 */
public final class CertificateRequest {
  static final String SIGNATURE = "SHA256withECDSA";
  private static final int P256_BITS = 256;
  private static final ASN1ObjectIdentifier MASK = new ASN1ObjectIdentifier(MaskKey.OID);

  private final String site;
  private final PublicKey proof;
  private final PublicKey mask;
  private final byte[] encoded;

  private CertificateRequest(String site, PublicKey proof, PublicKey mask, byte[] encoded) {
    this.site = site;
    this.proof = proof;
    this.mask = mask;
    this.encoded = encoded;
  }

  /**
   * Makes a site's keys and its request: {@code name.key}, private to its owner, and {@code
   * name.csr}. Keys that are there are used again: a certificate is renewed by a new request.
   */
  public static CertificateRequest make(String site, Path folder) {
    Site.requireName(site);
    Written.requireFolder(folder);
    Path key = folder.resolve(site + ".key");
    Path csr = folder.resolve(site + ".csr");
    if (java.nio.file.Files.exists(key)) {
      SiteKeys.read(key);
      CertificateRequest again = read(csr);
      again.requireSite(site, csr);
      return again;
    }
    SiteKeys.Fresh fresh = SiteKeys.generate();
    CertificateRequest request = of(site, fresh);
    if (java.nio.file.Files.notExists(folder)) {
      PrivateFile.createFolder(folder);
    }
    Written.replace(csr, Pem.text(Pem.REQUEST, request.encoded));
    fresh.write(key);
    return request;
  }

  static CertificateRequest of(String site, SiteKeys.Fresh keys) {
    try {
      ExtensionsGenerator asked = new ExtensionsGenerator();
      asked.addExtension(Extension.subjectAlternativeName, false, name(site));
      asked.addExtension(mask(keys.mask().getPublic()));
      byte[] encoded =
          new JcaPKCS10CertificationRequestBuilder(
                  new X500Principal("CN=" + site), keys.proof().getPublic())
              .addAttribute(PKCSObjectIdentifiers.pkcs_9_at_extensionRequest, asked.generate())
              .build(signer(keys.proof().getPrivate()))
              .getEncoded();
      return new CertificateRequest(
          site, keys.proof().getPublic(), keys.mask().getPublic(), encoded);
    } catch (IOException | OperatorCreationException e) {
      throw new IllegalStateException("a request for `%s` could not be made".formatted(site), e);
    }
  }

  static ContentSigner signer(PrivateKey key) throws OperatorCreationException {
    return new JcaContentSignerBuilder(SIGNATURE)
        .setSecureRandom(Machine.here().random())
        .build(key);
  }

  static GeneralNames name(String site) {
    return new GeneralNames(new GeneralName(GeneralName.dNSName, site));
  }

  /** The request in a file; its signature must be that of the key it shows. */
  public static CertificateRequest read(Path file) {
    return parse(file, Pem.read(file, "a certificate request"));
  }

  /** The request of a site from its {@link #text}. */
  public static CertificateRequest of(String site, String text) {
    Path name = Path.of(Site.requireName(site) + ".csr");
    CertificateRequest request = parse(name, text);
    request.requireSite(site, name);
    return request;
  }

  private static CertificateRequest parse(Path file, String text) {
    byte[] der = Pem.blocks(file, text, Pem.REQUEST).getFirst();
    try {
      PKCS10CertificationRequest request = new PKCS10CertificationRequest(der);
      PublicKey proof =
          KeyFactory.getInstance("EC")
              .generatePublic(
                  new X509EncodedKeySpec(request.getSubjectPublicKeyInfo().getEncoded()));
      if (!request.isSignatureValid(new JcaContentVerifierProviderBuilder().build(proof))) {
        throw new InvalidInput(
            "%s: must be signed with the key it asks for; it is not".formatted(file));
      }
      if (((ECPublicKey) proof).getParams().getCurve().getField().getFieldSize() != P256_BITS) {
        throw new InvalidInput("%s: its key must be on the curve P-256".formatted(file));
      }
      Extensions asked = request.getRequestedExtensions();
      Extension mask = asked == null ? null : asked.getExtension(MASK);
      GeneralNames names =
          asked == null
              ? null
              : GeneralNames.fromExtensions(asked, Extension.subjectAlternativeName);
      if (mask == null || names == null || names.getNames().length != 1) {
        throw new InvalidInput(
            "%s: must name one site and carry its key for masks, as `ngd peer request` writes it"
                .formatted(file));
      }
      String site = Site.requireName(names.getNames()[0].getName().toString());
      return new CertificateRequest(
          site, proof, MaskKey.decode(file.toString(), mask.getExtnValue().getOctets()), der);
    } catch (IOException
        | GeneralSecurityException
        | PKCSException
        | OperatorCreationException
        | IllegalArgumentException e) {
      if (e instanceof InvalidInput invalid) {
        throw invalid;
      }
      throw new InvalidInput("%s: is not a readable certificate request".formatted(file), e);
    }
  }

  private void requireSite(String expected, Path file) {
    if (!site.equals(expected)) {
      throw new InvalidInput(
          "%s: must ask for `%s`; it asks for `%s`".formatted(file, expected, site));
    }
  }

  public String site() {
    return site;
  }

  /** As {@code name.csr} holds it. */
  public String text() {
    return Pem.text(Pem.REQUEST, encoded);
  }

  byte[] encoded() {
    return encoded.clone();
  }

  PublicKey proof() {
    return proof;
  }

  /** The extension that carries a key for masks. */
  static Extension mask(PublicKey key) {
    try {
      return Extension.create(MASK, false, SubjectPublicKeyInfo.getInstance(key.getEncoded()));
    } catch (IOException e) {
      throw new IllegalArgumentException("a public key has an encoding", e);
    }
  }

  PublicKey mask() {
    return mask;
  }

  /** Six words that no other request has: what two people read to each other. */
  public String fingerprint() {
    return SpokenWords.of(encoded);
  }

  /** Refuses a request whose fingerprint is not the one that the site read out. */
  public void requireFingerprint(String expected) {
    if (!SpokenWords.plain(expected).equals(SpokenWords.plain(fingerprint()))) {
      throw new InvalidInput(
          "fingerprint: must be the six words that the site itself reads out; those of the request of `%s` are others than `%s`. Do not sign it before the site has read out the right ones"
              .formatted(site, expected));
    }
  }
}
