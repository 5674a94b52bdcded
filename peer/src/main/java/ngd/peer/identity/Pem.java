package ngd.peer.identity;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.List;
import ngd.core.InvalidInput;
import org.bouncycastle.util.io.pem.PemObject;
import org.bouncycastle.util.io.pem.PemReader;
import org.bouncycastle.util.io.pem.PemWriter;

/** The text form of keys, requests, certificates and lists: base64 between two lines. */
final class Pem {
  static final String PRIVATE_KEY = "PRIVATE KEY";
  static final String CERTIFICATE = "CERTIFICATE";
  static final String REQUEST = "CERTIFICATE REQUEST";
  static final String REVOKED = "X509 CRL";
  static final String SIGNATURE = "NGD PLAN SIGNATURE";

  /** Certificates and requests have a few kilobytes, a long list of revoked ones some hundred. */
  private static final long LARGEST = 1 << 22;

  private Pem() {}

  static String text(String type, byte[] content) {
    StringWriter text = new StringWriter();
    try (PemWriter writer = new PemWriter(text)) {
      writer.writeObject(new PemObject(type, content));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString();
  }

  /** The contents of every block of a type. */
  static List<byte[]> blocks(Path file, String text, String type) {
    List<byte[]> blocks = new ArrayList<>();
    try (PemReader reader = new PemReader(new StringReader(text))) {
      for (PemObject block = reader.readPemObject();
          block != null;
          block = reader.readPemObject()) {
        if (block.getType().equals(type)) {
          blocks.add(block.getContent());
        }
      }
    } catch (IOException | RuntimeException e) {
      throw new InvalidInput("%s: is not a PEM file: %s".formatted(file, e.getMessage()), e);
    }
    if (blocks.isEmpty()) {
      throw new InvalidInput("%s: must hold a %s in PEM form; it holds none".formatted(file, type));
    }
    return blocks;
  }

  static String read(Path file, String what) {
    try {
      if (Files.size(file) > LARGEST) {
        throw new InvalidInput("%s: is too large for %s".formatted(file, what));
      }
      return Files.readString(file);
    } catch (NoSuchFileException e) {
      throw new InvalidInput("%s: must be %s; it does not exist".formatted(file, what), e);
    } catch (IOException e) {
      throw new InvalidInput(
          "%s: must be %s; it cannot be read: %s".formatted(file, what, e.getMessage()), e);
    }
  }

  static PrivateKey privateKey(Path file, String algorithm, byte[] pkcs8) {
    try {
      return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
    } catch (GeneralSecurityException e) {
      throw new InvalidInput(
          "%s: must hold an %s key in PKCS#8; it does not".formatted(file, algorithm), e);
    }
  }

  static X509Certificate certificate(Path file) {
    byte[] der = blocks(file, read(file, "a certificate"), CERTIFICATE).getFirst();
    try {
      return (X509Certificate)
          CertificateFactory.getInstance("X.509")
              .generateCertificate(new ByteArrayInputStream(der));
    } catch (GeneralSecurityException e) {
      throw new InvalidInput("%s: holds no readable certificate".formatted(file), e);
    }
  }

  static X509CRL revoked(Path file) {
    byte[] der = blocks(file, read(file, "a list of revoked certificates"), REVOKED).getFirst();
    try {
      return (X509CRL)
          CertificateFactory.getInstance("X.509").generateCRL(new ByteArrayInputStream(der));
    } catch (GeneralSecurityException e) {
      throw new InvalidInput(
          "%s: holds no readable list of revoked certificates".formatted(file), e);
    }
  }
}
