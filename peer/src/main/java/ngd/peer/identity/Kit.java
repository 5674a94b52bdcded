package ngd.peer.identity;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import ngd.core.InvalidInput;
import ngd.peer.plan.PlanReader;
import ngd.peer.plan.WrittenPlan;

/**
 * What a site gets from its federation: the signed plan, the authority's certificate and the
 * certificate of every site. No secret is in it.
 *
 * @param folder where it was unpacked
 */
public record Kit(Path folder, WrittenPlan plan, X509Certificate authority) {
  static final String PLAN = "plan.yaml";
  static final String SIGNATURE = "plan.yaml.sig";
  static final String AUTHORITY = "authority.pem";
  static final String CERTIFICATES = "certificates";

  /** The name under which a site keeps the list of revoked certificates. */
  public static final String REVOKED = "revoked.crl";

  /** Opens a kit and checks that the plan is the one that the authority signed. */
  public static Kit open(Path folder) {
    if (!Files.isDirectory(folder)) {
      throw new InvalidInput(
          "%s: must be the folder of an unpacked kit; it %s"
              .formatted(folder, Files.exists(folder) ? "is a file" : "does not exist"));
    }
    WrittenPlan plan = PlanReader.read(folder.resolve(PLAN));
    X509Certificate authority = Pem.certificate(folder.resolve(AUTHORITY));
    Path signed = folder.resolve(SIGNATURE);
    byte[] signature =
        Pem.blocks(signed, Pem.read(signed, "the signature of the plan"), Pem.SIGNATURE).getFirst();
    if (!verify(plan, signature, authority.getPublicKey())) {
      throw new InvalidInput(
          "%s: must be signed by the authority of %s; %s is not a signature of it: it was changed after `ngd federation pack`, or the files are of different kits"
              .formatted(folder.resolve(PLAN), folder.resolve(AUTHORITY), signed));
    }
    return new Kit(folder, plan, authority);
  }

  private static boolean verify(WrittenPlan plan, byte[] signature, PublicKey key) {
    try {
      Signature check = Signature.getInstance(CertificateRequest.SIGNATURE);
      check.initVerify(key);
      check.update(plan.canonicalBytes());
      return check.verify(signature);
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  Path certificate(String site) {
    return folder.resolve(CERTIFICATES).resolve(site + ".pem");
  }

  Path revoked() {
    return folder.resolve(REVOKED);
  }

  /**
   * The files of a kit by their names.
   *
   * @throws InvalidInput where a site of the plan has no certificate
   */
  public static Map<String, byte[]> files(Authority authority, WrittenPlan plan) {
    List<String> absent = new ArrayList<>();
    Map<String, byte[]> files = new LinkedHashMap<>();
    files.put(PLAN, bytes(plan.text()));
    files.put(SIGNATURE, bytes(authority.sign(plan)));
    files.put(AUTHORITY, bytes(authority.pem()));
    for (String site : plan.plan().federation().members()) {
      authority
          .certificate(site)
          .ifPresentOrElse(
              own ->
                  files.put(
                      CERTIFICATES + "/" + site + ".pem", bytes(Authority.certificateText(own))),
              () -> absent.add(site));
    }
    if (!absent.isEmpty()) {
      throw new InvalidInput(
          "pack: every site of the plan needs an approved certificate; %s %s none: `ngd peer request` there, then `ngd federation approve`"
              .formatted(String.join(", ", absent), absent.size() == 1 ? "has" : "have"));
    }
    return files;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Writes the files into a folder, each whole or not at all. */
  public static void unpacked(Map<String, byte[]> files, Path folder) {
    files.forEach((name, content) -> Written.replace(folder.resolve(name), content));
  }

  /** Writes the files into one archive. */
  public static void zipped(Map<String, byte[]> files, OutputStream out) throws IOException {
    try (ZipOutputStream zip = new ZipOutputStream(out)) {
      for (Map.Entry<String, byte[]> file : files.entrySet()) {
        zip.putNextEntry(new ZipEntry(file.getKey()));
        zip.write(file.getValue());
        zip.closeEntry();
      }
    }
  }
}
