package ngd.peer.identity;

import java.io.ByteArrayInputStream;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import ngd.core.InvalidInput;
import ngd.core.file.Sha256;
import ngd.core.file.YamlTree;
import ngd.core.run.JsonObject;
import ngd.peer.plan.PlanReader;
import ngd.peer.plan.WrittenPlan;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a future member gets from whoever founds a federation: the plan, the authority's certificate
 * and where to ask for admission. It holds no secret. Who swaps it on the way is found out when two
 * people compare the words of {@link #fingerprint}, which cover it too.
 *
 * @param address where admissions are taken, host:port
 */
public record Invitation(WrittenPlan plan, X509Certificate authority, String address) {

  /** The invitation to a federation whose authority lies here. */
  public static Invitation of(Authority authority, WrittenPlan plan, String address) {
    return new Invitation(plan, authority.own(), address);
  }

  /** The text of its file. */
  public String text() {
    return new JsonObject()
            .put("ngd", "invitation")
            .put("address", address)
            .put("authority", Authority.certificateText(authority))
            .put("plan", plan.text())
        + "\n";
  }

  public static Invitation read(Path file) {
    try {
      JsonNode json = JsonMapper.shared().readTree(YamlTree.text(file));
      byte[] der =
          Pem.blocks(file, json.path("authority").asString(""), Pem.CERTIFICATE).getFirst();
      X509Certificate authority =
          (X509Certificate)
              CertificateFactory.getInstance("X.509")
                  .generateCertificate(new ByteArrayInputStream(der));
      return new Invitation(
          PlanReader.parse(json.path("plan").asString("")),
          authority,
          json.path("address").asString(""));
    } catch (JacksonException | GeneralSecurityException e) {
      throw new InvalidInput(
          "%s: must be an invitation, as `ngd federation admit` writes it; it is not"
              .formatted(file),
          e);
    }
  }

  /**
   * The words that a member and the founder compare: they are the same only if the request, the
   * authority and the plan are.
   */
  public String fingerprint(CertificateRequest request) {
    try {
      return SpokenWords.of(
          new Sha256().add(request.encoded()).add(authority.getEncoded()).add(plan.hash()).bytes());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("a certificate has an encoding", e);
    }
  }

  /** Whether these are the words, however they were typed. */
  public boolean matches(CertificateRequest request, String words) {
    return SpokenWords.plain(words).equals(SpokenWords.plain(fingerprint(request)));
  }

  /** The kit that belongs to this invitation: signed by its authority, with its plan. */
  public void requireKit(java.util.Map<String, String> files) {
    WrittenPlan packed = new Kit(Path.of("."), plan, authority).checked(files);
    if (!java.util.Arrays.equals(packed.hash(), plan.hash())) {
      throw new InvalidInput(
          "kit: must hold the plan of the invitation, %s; it holds %s"
              .formatted(plan.shortHash(), packed.shortHash()));
    }
  }
}
