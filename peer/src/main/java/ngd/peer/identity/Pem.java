package ngd.peer.identity;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
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
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import ngd.core.InvalidInput;

/**
 * The text form of keys, requests, certificates and lists: base64 between two lines. Read without
 * Bouncy Castle, whose signed jar would cost every peer megabytes and tenths of a second.
 */
final class Pem {
  static final String PRIVATE_KEY = "PRIVATE KEY";
  static final String CERTIFICATE = "CERTIFICATE";
  static final String REQUEST = "CERTIFICATE REQUEST";
  static final String REVOKED = "X509 CRL";
  static final String SIGNATURE = "NGD PLAN SIGNATURE";

  /** Certificates and requests have a few kilobytes, a long list of revoked ones some hundred. */
  private static final long LARGEST = 1 << 22;

  private static final Base64.Encoder LINES =
      Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII));
  private static final Pattern BEGIN = Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----");
  private static final Pattern BLANK = Pattern.compile("\\s+");

  private Pem() {}

  static String text(String type, byte[] content) {
    return "-----BEGIN %s-----\n%s\n-----END %s-----\n"
        .formatted(type, LINES.encodeToString(content), type);
  }

  /** The contents of every block of a type. */
  static List<byte[]> blocks(Path file, String text, String type) {
    List<byte[]> blocks = new ArrayList<>();
    Matcher begin = BEGIN.matcher(text);
    for (int at = 0; begin.find(at); ) {
      String end = "-----END %s-----".formatted(begin.group(1));
      int stop = text.indexOf(end, begin.end());
      if (stop < 0) {
        throw new InvalidInput(
            "%s: is not a PEM file: the line %s is missing".formatted(file, end));
      }
      if (begin.group(1).equals(type)) {
        blocks.add(decode(file, type, text.substring(begin.end(), stop)));
      }
      at = stop + end.length();
    }
    if (blocks.isEmpty()) {
      throw new InvalidInput("%s: must hold a %s in PEM form; it holds none".formatted(file, type));
    }
    return blocks;
  }

  private static byte[] decode(Path file, String type, String base64) {
    try {
      return Base64.getDecoder().decode(BLANK.matcher(base64).replaceAll(""));
    } catch (IllegalArgumentException e) {
      throw new InvalidInput(
          "%s: is not a PEM file: the %s must be base64: %s".formatted(file, type, e.getMessage()),
          e);
    }
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
