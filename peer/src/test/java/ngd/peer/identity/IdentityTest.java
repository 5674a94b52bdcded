package ngd.peer.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.CertificateException;
import java.text.MessageFormat;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import ngd.core.InvalidInput;
import ngd.peer.plan.PlanReader;
import ngd.peer.plan.Plans;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The oracles are the rules of certificates: signed by whom, for whom, until when. */
class IdentityTest {
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final Duration YEAR = Duration.ofDays(365);
  private static final InstantSource CLOCK = InstantSource.fixed(NOW);

  @TempDir Path dir;
  private Authority authority;

  @BeforeEach
  void federation() {
    authority = Authority.create(dir.resolve("authority"), "heart-study", CLOCK);
    for (String site : Plans.three().plan().names()) {
      authority.approve(CertificateRequest.make(site, dir.resolve(site)), YEAR);
    }
    pack();
  }

  private void pack() {
    for (String site : Plans.three().plan().names()) {
      Kit.unpacked(Kit.files(authority, Plans.three()), dir.resolve(site));
    }
  }

  private PeerIdentity identity(String site, InstantSource clock) {
    return PeerIdentity.open(Kit.open(dir.resolve(site)), site, clock);
  }

  @Test
  void check_aNeighbour_isBelievedAndNamed() throws Exception {
    PeerIdentity a = identity("a", CLOCK);
    a.check(identity("b", CLOCK).certificate());
    assertThat(PeerIdentity.siteOf(identity("b", CLOCK).certificate())).isEqualTo("b");
  }

  @Test
  void check_anotherAuthoritysCertificate_isRefused() {
    Authority other = Authority.create(dir.resolve("other"), "heart-study", CLOCK);
    var foreign = other.approve(CertificateRequest.make("b", dir.resolve("x")), YEAR);
    assertThatThrownBy(() -> identity("a", CLOCK).check(foreign))
        .isInstanceOf(CertificateException.class)
        .hasMessageContaining("not signed by this federation's authority");
  }

  @Test
  void check_expiredOrNotYetValid_isRefused() {
    var theirs = identity("b", CLOCK).certificate();
    PeerIdentity a = identity("a", CLOCK);
    assertThat(a.certificate()).isNotNull();
    var later = Authority.open(dir.resolve("authority"), InstantSource.fixed(NOW.plus(YEAR)));
    var fresh = later.approve(CertificateRequest.make("a", dir.resolve("a")), YEAR);
    Written.replace(dir.resolve("a/certificates/a.pem"), Authority.certificateText(fresh));
    PeerIdentity inAYear = identity("a", InstantSource.fixed(NOW.plus(YEAR).plusSeconds(1)));
    assertThatThrownBy(() -> inAYear.check(theirs)).hasMessageContaining("`b` expired on 2027");
    assertThatThrownBy(() -> a.check(fresh)).hasMessageContaining("this machine's clock says");
  }

  @Test
  void check_nearTheEndOfTheOwnCertificate_saysSoOnceADay() throws Exception {
    var theirs = identity("b", CLOCK).certificate();
    AtomicReference<Instant> now = new AtomicReference<>(NOW.plus(YEAR).minus(Duration.ofDays(31)));
    List<String> said = new ArrayList<>();
    Handler listening =
        new Handler() {
          @Override
          public void publish(LogRecord line) {
            said.add(MessageFormat.format(line.getMessage(), line.getParameters()));
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    Logger log = Logger.getLogger("ngd.peer");
    log.addHandler(listening);
    try {
      PeerIdentity a = identity("a", now::get);
      a.check(theirs);
      assertThat(said).isEmpty();
      now.set(NOW.plus(YEAR).minus(Duration.ofDays(12)));
      a.check(theirs);
      a.check(theirs);
      assertThat(said)
          .singleElement()
          .asString()
          .contains("certificate-ends file=a.pem on=" + NOW.plus(YEAR), "ngd peer request");
      now.set(now.get().plus(Duration.ofHours(25)));
      a.check(theirs);
      assertThat(said).hasSize(2);
    } finally {
      log.removeHandler(listening);
    }
  }

  @Test
  void check_revokedWhileRunning_isRefusedAfterTheListCame() throws Exception {
    PeerIdentity a = identity("a", CLOCK);
    var theirs = identity("b", CLOCK).certificate();
    a.check(theirs);
    Path list = authority.revoke("b");
    Files.copy(list, dir.resolve("a/revoked.crl"));
    assertThatThrownBy(() -> a.check(theirs)).hasMessageContaining("`b` is revoked");
    a.check(identity("c", CLOCK).certificate());
    assertThatThrownBy(() -> identity("a", CLOCK).check(theirs)).hasMessageContaining("revoked");
  }

  @Test
  void open_listOfAnotherAuthority_isRefused() throws Exception {
    Authority other = Authority.create(dir.resolve("other"), "x", CLOCK);
    other.approve(CertificateRequest.make("c", dir.resolve("x")), YEAR);
    Files.copy(other.revoke("c"), dir.resolve("a/revoked.crl"));
    assertThatThrownBy(() -> identity("a", CLOCK))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("revoked.crl: must be signed by this federation's authority");
  }

  @Test
  void certificate_renewedWhileRunning_isTheNewOne() throws Exception {
    PeerIdentity a = identity("a", CLOCK);
    var before = a.certificate();
    var key = Files.readString(dir.resolve("a/a.key"));
    var renewed = authority.approve(CertificateRequest.make("a", dir.resolve("a")), YEAR);
    Path file = dir.resolve("a/certificates/a.pem");
    Written.replace(file, Authority.certificateText(renewed));
    Files.setLastModifiedTime(file, FileTime.from(NOW.plusSeconds(9)));
    assertThat(a.certificate()).isEqualTo(renewed).isNotEqualTo(before);
    assertThat(Files.readString(dir.resolve("a/a.key"))).isEqualTo(key);
    Files.writeString(file, "half a certi");
    assertThat(a.certificate()).isEqualTo(renewed);
  }

  @Test
  void open_keyReadableByOthers_isRefused() throws Exception {
    Files.setPosixFilePermissions(
        dir.resolve("a/a.key"), PosixFilePermissions.fromString("rw-r-----"));
    assertThatThrownBy(() -> identity("a", CLOCK))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("readable by its owner alone")
        .hasMessageContaining("rw-r-----");
  }

  @Test
  void make_newKeys_areReadableByTheirOwnerAlone() throws Exception {
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(dir.resolve("a/a.key"))))
        .isEqualTo("rw-------");
    assertThat(
            PosixFilePermissions.toString(
                Files.getPosixFilePermissions(dir.resolve("authority/authority.key"))))
        .isEqualTo("rw-------");
    assertThat(
            PosixFilePermissions.toString(Files.getPosixFilePermissions(dir.resolve("authority"))))
        .isEqualTo("rwx------");
  }

  @Test
  void open_anotherSitesKey_isRefused() throws Exception {
    Files.delete(dir.resolve("a/a.key"));
    Files.copy(
        dir.resolve("b/b.key"),
        dir.resolve("a/a.key"),
        java.nio.file.StandardCopyOption.COPY_ATTRIBUTES);
    assertThatThrownBy(() -> identity("a", CLOCK)).hasMessageContaining("it is for another key");
  }

  @Test
  void open_changedPlan_isRefusedUnlessOnlyItsCommentsChanged() throws Exception {
    Path plan = dir.resolve("a/plan.yaml");
    Files.writeString(plan, Plans.THREE + "# a note\n");
    assertThat(Kit.open(dir.resolve("a")).plan().plan()).isEqualTo(Plans.three().plan());
    Files.writeString(plan, Plans.THREE + "seed: 2\n");
    assertThatThrownBy(() -> Kit.open(dir.resolve("a")))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("plan.yaml: must be signed by the authority");
  }

  @Test
  void requireFingerprint_theRequestsOwn_passesAndAnotherIsRefused() {
    CertificateRequest request = CertificateRequest.read(dir.resolve("a/a.csr"));
    request.requireFingerprint(request.fingerprint());
    request.requireFingerprint(
        request.fingerprint().toUpperCase(java.util.Locale.ROOT).replace("-", " "));
    CertificateRequest other = CertificateRequest.read(dir.resolve("b/b.csr"));
    assertThatThrownBy(() -> request.requireFingerprint(other.fingerprint()))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("the six words that the site itself reads out")
        .hasMessageNotContaining(request.fingerprint());
  }

  @Test
  void read_requestWithAChangedByte_isRefused() throws Exception {
    Path file = dir.resolve("a/a.csr");
    String text = Files.readString(file);
    int middle = text.length() / 2;
    char changed = text.charAt(middle) == 'A' ? 'B' : 'A';
    Files.writeString(file, text.substring(0, middle) + changed + text.substring(middle + 1));
    assertThatThrownBy(() -> CertificateRequest.read(file)).isInstanceOf(InvalidInput.class);
  }

  @Test
  void files_siteWithoutCertificate_isNamed() {
    var four =
        PlanReader.parse(
            Plans.THREE.replace("  - name: c", "  - {name: d, address: 'd:1'}\n  - name: c"));
    assertThatThrownBy(() -> Kit.files(authority, four))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("d has none");
  }

  /** A kit in which somebody put another authority's certificate gives no key for masks. */
  @Test
  void maskKey_ofACertificateByAnotherAuthority_isRefused() throws Exception {
    PeerIdentity a = identity("a", CLOCK);
    Authority other = Authority.create(dir.resolve("other"), "heart-study", CLOCK);
    other.approve(CertificateRequest.make("b", dir.resolve("x")), YEAR);
    Files.copy(
        dir.resolve("other/certificates/b.pem"),
        dir.resolve("a/certificates/b.pem"),
        java.nio.file.StandardCopyOption.REPLACE_EXISTING);
    assertThatThrownBy(() -> a.maskKey("b"))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("not signed by this federation's authority");
    assertThatThrownBy(() -> a.proofKey("b")).isInstanceOf(InvalidInput.class);
    byte[] words = {1, 2};
    byte[] signed = identity("c", CLOCK).sign("test", words);
    assertThat(a.verify("c", "test", words, signed)).isTrue();
    assertThat(a.verify("c", "test", new byte[] {1, 3}, signed)).isFalse();
    assertThat(a.verify("c", "other", words, signed)).isFalse();
    assertThat(a.verify("d", "test", words, signed)).isFalse();
    assertThat(a.verify("b", "test", words, identity("b", CLOCK).sign("test", words))).isFalse();
  }

  @Test
  void verify_ofARevokedSite_isFalse() throws Exception {
    PeerIdentity a = identity("a", CLOCK);
    byte[] words = {1, 2};
    byte[] signed = identity("b", CLOCK).sign("test", words);
    assertThat(a.verify("b", "test", words, signed)).isTrue();
    Files.copy(authority.revoke("b"), dir.resolve("a/revoked.crl"));
    assertThat(a.verify("b", "test", words, signed)).isFalse();
  }

  /** The authority's own certificate proves no site, though the authority signed it. */
  @Test
  void check_theAuthoritysOwnCertificate_isRefused() {
    assertThatThrownBy(() -> identity("a", CLOCK).check(Kit.open(dir.resolve("a")).authority()))
        .isInstanceOf(CertificateException.class)
        .hasMessageContaining("authority's certificate, not a site's");
  }

  /** A folder whose key is the site's and whose request another's: the two must not be mixed. */
  @Test
  void make_whereTheRequestIsAnotherSites_isRefused() throws Exception {
    Files.copy(
        dir.resolve("b/b.csr"),
        dir.resolve("a/a.csr"),
        java.nio.file.StandardCopyOption.REPLACE_EXISTING);
    assertThatThrownBy(() -> CertificateRequest.make("a", dir.resolve("a")))
        .isInstanceOf(InvalidInput.class);
    assertThatThrownBy(() -> CertificateRequest.make("no name", dir.resolve("n")))
        .isInstanceOf(InvalidInput.class);
    assertThat(dir.resolve("n")).doesNotExist();
  }

  /** The shared secret of X25519 is the same from both ends. */
  @Test
  void maskKey_ofTwoSites_agree() throws Exception {
    PeerIdentity a = identity("a", CLOCK);
    PeerIdentity b = identity("b", CLOCK);
    assertThat(agreed(a, "b")).isEqualTo(agreed(b, "a"));
    assertThat(agreed(a, "b")).isNotEqualTo(agreed(a, "c"));
  }

  private static byte[] agreed(PeerIdentity own, String other) throws Exception {
    var agreement = javax.crypto.KeyAgreement.getInstance("X25519");
    agreement.init(own.keys().mask());
    agreement.doPhase(own.maskKey(other), true);
    return agreement.generateSecret();
  }
}
