package ngd.peer.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import ngd.core.InvalidInput;
import ngd.core.run.JsonObject;
import ngd.peer.identity.Departures.Vote;
import ngd.peer.plan.PlanReader;
import ngd.peer.plan.Plans;
import ngd.peer.plan.WrittenPlan;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The oracle is the rule: two different sites that stay sign the same words about this plan. */
class DeparturesTest {
  private static final InstantSource CLOCK =
      InstantSource.fixed(Instant.parse("2026-03-01T12:00:00Z"));

  @TempDir Path dir;
  private Authority authority;
  private WrittenPlan plan;

  @BeforeEach
  void federation() {
    authority = Authority.create(dir.resolve("authority"), "heart-study", CLOCK);
    plan = packed(Plans.THREE + "quorum: 2\n");
  }

  private WrittenPlan packed(String text) {
    WrittenPlan written = PlanReader.parse(text);
    for (String site : written.plan().names()) {
      Path folder = dir.resolve(site);
      authority.approve(CertificateRequest.make(site, folder), Duration.ofDays(365));
    }
    for (String site : written.plan().names()) {
      Kit.unpacked(Kit.files(authority, written), dir.resolve(site));
    }
    return written;
  }

  private Kit kit() {
    return Kit.open(dir.resolve("a"));
  }

  private Vote vote(String signer, String says, String site, String network, WrittenPlan of) {
    String words =
        new JsonObject()
            .put("says", says)
            .put("site", site)
            .put("network", network)
            .put("federation", HexFormat.of().formatHex(of.hash()))
            .toString();
    return vote(signer, words, PeerIdentity.STATEMENT);
  }

  private Vote vote(String signer, String words, String purpose) {
    PeerIdentity identity = PeerIdentity.open(Kit.open(dir.resolve(signer)), signer, CLOCK);
    return new Vote(
        signer,
        words,
        Base64.getEncoder()
            .encodeToString(identity.sign(purpose, words.getBytes(StandardCharsets.UTF_8))));
  }

  private Vote good(String signer) {
    return vote(signer, "left", "c", "complete", plan);
  }

  private void refused(Vote... second) {
    assertThatThrownBy(() -> Departures.without(kit(), plan, List.of(second)))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("leaves when 2 sites sign it; signed by a");
  }

  @Test
  void without_twoSitesThatStay_isAPlanOfTheRest() {
    WrittenPlan rest = Departures.without(kit(), plan, List.of(good("a"), good("b")));
    assertThat(rest.plan().names()).containsExactly("a", "b");
    assertThat(rest.hash()).isNotEqualTo(plan.hash());
  }

  @Test
  void without_oneSite_orOneTwice_orTheOneThatLeaves_isRefused() {
    refused(good("a"));
    refused(good("a"), good("a"));
    refused(good("a"), good("c"));
  }

  @Test
  void without_otherWordsOfTheSecond_isRefused() {
    refused(good("a"), vote("b", "decided", "c", "complete", plan));
    refused(good("a"), vote("b", "left", "a", "complete", plan));
    refused(good("a"), vote("b", "left", "c", "circle:1", plan));
    refused(good("a"), vote("b", "left", "c", "complete", Plans.three()));
  }

  @Test
  void without_aSignatureThatDoesNotHold_isRefused() {
    Vote a = good("a");
    Vote b = good("b");
    refused(a, new Vote("b", b.statement(), a.signature()));
    refused(a, new Vote("d", b.statement(), b.signature()));
    refused(a, vote("b", b.statement(), "ngd another purpose"));
  }

  @Test
  void without_noVotesOrNoQuorumInThePlan_isRefused() {
    assertThatThrownBy(() -> Departures.without(kit(), plan, List.of()))
        .hasMessage("no site has signed");
    plan = packed(Plans.THREE);
    assertThatThrownBy(() -> Departures.without(kit(), plan, List.of(good("a"), good("b"))))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("the authority signs it");
  }
}
