package ngd.peer.identity;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import ngd.peer.plan.WrittenPlan;

/** Signs plans and puts kits where they are handed out from. */
public final class Packing {
  /** Long enough for a rehearsal, short enough to be of no other use. */
  private static final Duration REHEARSAL = Duration.ofDays(7);

  private Packing() {}

  /** A zip for each site, and the signature beside the plan. */
  public static void zipped(Authority authority, WrittenPlan plan, Path file, Path out) {
    requireFolder(out);
    Map<String, byte[]> files = Kit.files(authority, plan);
    Map<String, byte[]> zips = new LinkedHashMap<>();
    for (String site : plan.plan().federation().members()) {
      ByteArrayOutputStream zip = new ByteArrayOutputStream();
      try {
        Kit.zipped(files, zip);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      zips.put(site, zip.toByteArray());
    }
    writeSignature(file, files);
    zips.forEach((site, zip) -> Written.replace(out.resolve(site + ".zip"), zip));
  }

  /** A folder for each site with its key, and everything approved: for one machine alone. */
  public static void allLocal(Authority authority, WrittenPlan plan, Path file, Path out) {
    requireFolder(out);
    List<CertificateRequest> requests = new ArrayList<>();
    for (String site : plan.plan().federation().members()) {
      requests.add(request(site, out.resolve(site)));
    }
    Map<String, String> kit = rehearsed(authority, plan, file, requests);
    for (String site : plan.plan().federation().members()) {
      Kit.written(kit, out.resolve(site));
    }
  }

  /** The request of a site whose folder is made here, with its key in it. */
  public static CertificateRequest request(String site, Path folder) {
    if (!Files.exists(folder)) {
      PrivateFile.createFolder(folder);
    }
    return CertificateRequest.make(site, folder);
  }

  /**
   * Approves all requests, for a rehearsal, and signs the plan.
   *
   * @return the kit, as texts
   */
  public static Map<String, String> rehearsed(
      Authority authority, WrittenPlan plan, Path file, Collection<CertificateRequest> requests) {
    for (CertificateRequest request : requests) {
      if (!authority.hasApproved(request)) {
        authority.approve(request, REHEARSAL);
      }
    }
    Map<String, byte[]> files = Kit.files(authority, plan);
    writeSignature(file, files);
    return Kit.texts(files);
  }

  /** Refuses what is no folder and cannot become one, before anything is written. */
  public static void requireFolder(Path out) {
    Written.requireFolder(out);
  }

  private static void writeSignature(Path file, Map<String, byte[]> files) {
    byte[] signature = files.get(Kit.SIGNATURE);
    if (signature != null) {
      Written.replace(signatureOf(file), signature);
    }
  }

  private static Path signatureOf(Path plan) {
    return plan.resolveSibling(plan.getFileName() + ".sig");
  }

  /**
   * Puts a changed plan in the place of the one before, signed.
   *
   * @return where the plan before is kept
   */
  public static Path replace(
      Authority authority, WrittenPlan before, WrittenPlan changed, Path file) {
    Path kept = file.resolveSibling(before.shortHash() + "-" + file.getFileName());
    Written.replace(kept, before.text().getBytes(StandardCharsets.UTF_8));
    Written.replace(file, changed.text().getBytes(StandardCharsets.UTF_8));
    Written.replace(signatureOf(file), authority.sign(changed).getBytes(StandardCharsets.UTF_8));
    return kept;
  }
}
