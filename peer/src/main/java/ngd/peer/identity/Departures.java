package ngd.peer.identity;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeSet;
import ngd.core.InvalidInput;
import ngd.core.file.Sha256;
import ngd.core.file.YamlTree;
import ngd.core.run.JsonObject;
import ngd.peer.plan.PlanEdit;
import ngd.peer.plan.WrittenPlan;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The sites that a quorum of the others has ended the part of, beside a plan that the authority
 * signed: the plan that holds follows from both, the same at every site.
 */
final class Departures {
  /** In the folder of a kit. */
  static final String FILE = "left.json";

  /** Digits of the new run's word. */
  private static final int RUN_DIGITS = 16;

  private Departures() {}

  /**
   * What one site said, as it was signed.
   *
   * @param statement the words {@code says: left}, with the site, the network and the plan that
   *     held
   */
  record Vote(String signer, String statement, String signature) {
    JsonNode json() {
      return JsonMapper.shared().readTree(statement);
    }
  }

  /** The plan that holds in a kit's folder. */
  static WrittenPlan applied(Kit signed, Path folder) {
    Path file = folder.resolve(FILE);
    WrittenPlan plan = signed.plan();
    if (Files.notExists(file)) {
      return plan;
    }
    try {
      for (JsonNode departure : JsonMapper.shared().readTree(YamlTree.text(file))) {
        List<Vote> votes = new ArrayList<>();
        for (JsonNode vote : departure) {
          votes.add(
              new Vote(
                  vote.path("signer").asString(),
                  vote.path("statement").asString(),
                  vote.path("signature").asString()));
        }
        String held = HexFormat.of().formatHex(plan.hash());
        // The authority has signed another plan since, in which it stands or comes back.
        boolean past =
            !votes.isEmpty()
                && votes.stream()
                    .noneMatch(vote -> vote.json().path("federation").asString().equals(held));
        plan = past ? plan : without(signed, plan, votes);
      }
      return plan;
    } catch (JacksonException | IllegalArgumentException e) {
      throw new InvalidInput(
          "%s: must hold what a quorum of sites signed: %s".formatted(file, e.getMessage()), e);
    }
  }

  /** The plan without the site that these votes name, if they are enough. */
  static WrittenPlan without(Kit signed, WrittenPlan plan, List<Vote> votes) {
    if (votes.isEmpty()) {
      throw new InvalidInput("no site has signed");
    }
    JsonNode first = votes.getFirst().json();
    String site = first.path("site").asString();
    String network = first.path("network").asString();
    String held = HexFormat.of().formatHex(plan.hash());
    TreeSet<String> signers = new TreeSet<>();
    for (Vote vote : votes) {
      JsonNode said = vote.json();
      boolean alike =
          said.path("says").asString().equals("left")
              && said.path("site").asString().equals(site)
              && said.path("network").asString().equals(network)
              && said.path("federation").asString().equals(held);
      if (alike
          && plan.plan().names().contains(vote.signer())
          && !vote.signer().equals(site)
          && PeerIdentity.verify(
              signed,
              vote.signer(),
              PeerIdentity.STATEMENT,
              vote.statement().getBytes(StandardCharsets.UTF_8),
              Base64.getDecoder().decode(vote.signature()))) {
        signers.add(vote.signer());
      }
    }
    int quorum = plan.plan().federation().quorum();
    if (quorum == 0 || signers.size() < quorum) {
      throw new InvalidInput(
          "site %s leaves when %s sites sign it; %s"
              .formatted(
                  site,
                  quorum == 0
                      ? "the authority signs it, or, by `quorum` in the plan, enough"
                      : quorum,
                  signers.isEmpty() ? "none has" : "signed by " + String.join(", ", signers)));
    }
    return PlanEdit.without(
        plan, site, network, Sha256.hex(held + " without " + site).substring(0, RUN_DIGITS));
  }

  /** What the file holds after one departure more. */
  static String text(Path folder, List<Vote> votes) {
    List<Object> departures = new ArrayList<>();
    Path file = folder.resolve(FILE);
    if (Files.exists(file)) {
      JsonMapper.shared().readTree(YamlTree.text(file)).forEach(departures::add);
    }
    departures.add(
        votes.stream()
            .map(
                vote ->
                    new JsonObject()
                        .put("signer", vote.signer())
                        .put("statement", vote.statement())
                        .put("signature", vote.signature()))
            .map(object -> JsonMapper.shared().readTree(object.toString()))
            .toList());
    return JsonMapper.shared().writeValueAsString(departures) + "\n";
  }
}
