package ngd.peer.identity;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
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
import java.util.zip.ZipInputStream;
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
  public static final String PLAN = "plan.yaml";
  static final String SIGNATURE = "plan.yaml.sig";
  static final String AUTHORITY = "authority.pem";
  static final String CERTIFICATES = "certificates";

  /** No file of a kit is longer. */
  private static final int LARGEST = 1 << 22;

  /** The name under which a site keeps the list of revoked certificates. */
  public static final String REVOKED = "revoked.crl";

  /** Opens a kit and checks that the plan is the one that the authority signed. */
  public static Kit open(Path folder) {
    if (!Files.isDirectory(folder)) {
      throw new InvalidInput(
          "%s: must be the folder of an unpacked kit; it %s"
              .formatted(folder, Files.exists(folder) ? "is a file" : "does not exist"));
    }
    if (Files.notExists(folder.resolve(PLAN))) {
      throw new InvalidInput(
          "%s: must be the folder of an unpacked kit; %s does not exist there"
              .formatted(folder, PLAN));
    }
    WrittenPlan plan = PlanReader.read(folder.resolve(PLAN));
    X509Certificate authority = Pem.certificate(folder.resolve(AUTHORITY));
    while (!signed(folder, plan, authority)) {
      WrittenPlan now = PlanReader.read(folder.resolve(PLAN));
      // Its peer may have put another plan in place between the two files.
      if (now.text().equals(plan.text())) {
        throw new InvalidInput(
            "%s: must be signed by the authority of %s; %s is not a signature of it: it was changed after `ngd federation pack`, or the files are of different kits"
                .formatted(
                    folder.resolve(PLAN), folder.resolve(AUTHORITY), folder.resolve(SIGNATURE)));
      }
      plan = now;
    }
    Kit kit = new Kit(folder, plan, authority);
    return new Kit(folder, Departures.applied(kit, folder), authority);
  }

  private static boolean signed(Path folder, WrittenPlan plan, X509Certificate authority) {
    Path file = folder.resolve(SIGNATURE);
    return Pem.blocks(file, Pem.read(file, "the signature of the plan"), Pem.SIGNATURE).stream()
        .anyMatch(one -> verify(plan, one, authority.getPublicKey()));
  }

  /**
   * The plan without a site, if a quorum of the others has signed that.
   *
   * @param votes what sites said: signer, statement and signature in Base64 each
   */
  public WrittenPlan without(List<List<String>> votes) {
    return Departures.without(this, plan, votes(votes));
  }

  /** Lets the site go that a quorum of the others has signed off. */
  public void letGo(List<List<String>> votes) {
    var _ = without(votes);
    Written.replace(folder.resolve(Departures.FILE), bytes(Departures.text(folder, votes(votes))));
  }

  private static List<Departures.Vote> votes(List<List<String>> votes) {
    return votes.stream()
        .map(vote -> new Departures.Vote(vote.get(0), vote.get(1), vote.get(2)))
        .toList();
  }

  /**
   * The plan of a kit that came as texts by their names, if its authority is this kit's too and has
   * signed it.
   */
  public WrittenPlan checked(Map<String, String> files) {
    WrittenPlan next = PlanReader.parse(files.getOrDefault(PLAN, ""));
    Path name = Path.of(SIGNATURE);
    byte[] signature =
        Pem.blocks(name, files.getOrDefault(SIGNATURE, ""), Pem.SIGNATURE).getFirst();
    if (!verify(next, signature, authority.getPublicKey())) {
      throw new InvalidInput("kit: must be signed by this federation's authority; it is not");
    }
    files.forEach(
        (file, _) -> {
          if (!file.matches("plan\\.yaml(\\.sig)?|authority\\.pem|revoked\\.crl")
              && !file.matches(CERTIFICATES + "/[A-Za-z0-9][A-Za-z0-9._-]*\\.pem")) {
            throw new InvalidInput("kit: holds a file that is not of a kit: `%s`".formatted(file));
          }
        });
    return next;
  }

  /**
   * Puts another kit's files in the place of this one's; the plan before is kept under its hash.
   */
  public void replaceBy(Map<String, String> files) {
    Written.replace(
        folder.resolve(plan.shortHash() + "-" + PLAN),
        plan.text().getBytes(StandardCharsets.UTF_8));
    Map<String, byte[]> contents = new LinkedHashMap<>();
    // The plan last: where a crash comes between, the old plan stands with more certificates.
    files.forEach(
        (name, text) -> {
          if (!name.startsWith(PLAN) && !name.equals(AUTHORITY)) {
            contents.put(name, bytes(text));
          }
        });
    unpacked(contents, folder);
    String signature = files.getOrDefault(SIGNATURE, "");
    Path signed = folder.resolve(SIGNATURE);
    // Whichever plan is there when a crash comes or somebody looks, its signature is there too.
    Written.replace(
        signed, signature.stripTrailing() + "\n" + Pem.read(signed, "the signature of the plan"));
    Written.replace(folder.resolve(PLAN), files.getOrDefault(PLAN, ""));
    Written.replace(signed, signature);
    try {
      // What a quorum had signed off is in the plan that the authority signed, or it came back.
      Files.deleteIfExists(folder.resolve(Departures.FILE));
    } catch (IOException e) {
      throw new UncheckedIOException("%s: cannot be changed".formatted(folder), e);
    }
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
    authority.revoked().ifPresent(list -> files.put(REVOKED, bytes(list)));
    if (!absent.isEmpty()) {
      throw new InvalidInput(
          "pack: every site of the plan needs an approved certificate; %s %s none: `ngd peer request` there, then `ngd federation approve`"
              .formatted(String.join(", ", absent), absent.size() == 1 ? "has" : "have"));
    }
    return files;
  }

  /** The same as texts. */
  public static Map<String, String> texts(Authority authority, WrittenPlan plan) {
    return texts(files(authority, plan));
  }

  static Map<String, String> texts(Map<String, byte[]> files) {
    Map<String, String> texts = new LinkedHashMap<>();
    files.forEach((name, content) -> texts.put(name, new String(content, StandardCharsets.UTF_8)));
    return texts;
  }

  /** The files of a kit in an archive, as texts. */
  public static Map<String, String> texts(Path archive) throws IOException {
    return texts(Files.readAllBytes(archive));
  }

  static Map<String, String> texts(byte[] archive) throws IOException {
    Map<String, String> texts = new LinkedHashMap<>();
    try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(archive))) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        texts.put(entry.getName(), new String(zip.readNBytes(LARGEST), StandardCharsets.UTF_8));
      }
    }
    return texts;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Writes the texts of a kit into a folder, each whole or not at all. */
  public static void written(Map<String, String> texts, Path folder) {
    texts.forEach((name, text) -> Written.replace(folder.resolve(name), bytes(text)));
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
