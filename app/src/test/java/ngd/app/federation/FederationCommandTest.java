package ngd.app.federation;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import ngd.app.Command;
import ngd.peer.identity.Kit;
import ngd.peer.plan.PlanReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The commands that set up a federation; the oracle is what the files then hold. */
class FederationCommandTest {
  private static final String SITES =
      "--site a=localhost:7401 --site b=localhost:7402 --site c=localhost:7403";

  @TempDir Path dir;

  private Command run(String line) {
    return Command.line(line.replace("@", dir.toString()));
  }

  private Command make() {
    return run(
        "federation new @/plan.yaml --authority @/authority --network complete --formula y~x "
            + SITES);
  }

  private String request(String site) {
    Command asked = run("peer request --name %s --into @/%s".formatted(site, site));
    assertThat(asked.code()).isZero();
    return asked
        .out()
        .lines()
        .filter(l -> l.startsWith("fingerprint "))
        .findFirst()
        .orElseThrow()
        .substring(12);
  }

  private Command approve(String site, String fingerprint) {
    return run(
        "federation approve @/%s/%s.csr --authority @/authority --fingerprint %s"
            .formatted(site, site, fingerprint));
  }

  private Command pack() {
    return run("federation pack @/plan.yaml --authority @/authority --out @/kits");
  }

  private long files() throws Exception {
    try (Stream<Path> files = Files.walk(dir)) {
      return files.count();
    }
  }

  @Test
  void request_intoANewFolder_isItsOwnersAlone() throws Exception {
    request("a");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(dir.resolve("a"))))
        .isEqualTo("rwx------");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(dir.resolve("a/a.key"))))
        .isEqualTo("rw-------");
  }

  /** Whoever took the key could else come back with the request that was approved before. */
  @Test
  void approve_ofARevokedKey_needsAWord() throws Exception {
    assertThat(make().code()).isZero();
    String fingerprint = request("a");
    assertThat(approve("a", fingerprint).code()).isZero();
    // Not revoked, the same request renews a certificate.
    assertThat(approve("a", fingerprint).code()).isZero();
    assertThat(run("federation revoke a --authority @/authority").code()).isZero();
    Command again = approve("a", fingerprint);
    assertThat(again.code()).isEqualTo(2);
    assertThat(again.err()).contains("a key that was revoked").contains("--reinstate");
    assertThat(dir.resolve("authority/certificates/a.pem")).doesNotExist();
    assertThat(
            run("federation approve @/a/a.csr --authority @/authority --reinstate --fingerprint "
                    + fingerprint)
                .code())
        .isZero();
    assertThat(dir.resolve("authority/certificates/a.pem")).exists();
  }

  /** The oracle: no peer was ever started in either folder, nor at the port. */
  @Test
  void status_ofAFolderThatNeverStarted_isOneRowAmongAll() throws Exception {
    Files.createDirectory(dir.resolve("a"));
    Files.createDirectories(dir.resolve("b/state"));
    Command status = run("federation status @/a 1 @/b");
    assertThat(status.code()).isEqualTo(1);
    assertThat(status.out().lines().skip(1).map(line -> line.strip().replaceAll(" +", " ")))
        .containsExactly(
            dir + "/a never started here", "1 not running", dir + "/b never started here");
    assertThat(run("peer status @/a").code()).isEqualTo(2);
  }

  @Test
  void federation_fromNewToKits_leavesSignedPlansAndNoKeysInThem() throws Exception {
    assertThat(make().code()).isZero();
    for (String site : new String[] {"a", "b", "c"}) {
      assertThat(approve(site, request(site)).code()).isZero();
    }
    Command packed = pack();
    assertThat(packed.err()).contains("masked sums: each site learns sums over the other 2");
    assertThat(packed.code()).isZero();
    try (var zip = new java.util.zip.ZipFile(dir.resolve("kits/b.zip").toFile())) {
      assertThat(zip.stream().map(Object::toString))
          .containsExactly(
              "plan.yaml",
              "plan.yaml.sig",
              "authority.pem",
              "certificates/a.pem",
              "certificates/b.pem",
              "certificates/c.pem");
      for (var entry : zip.stream().toList()) {
        assertThat(
                new String(
                    zip.getInputStream(entry).readAllBytes(),
                    java.nio.charset.StandardCharsets.UTF_8))
            .doesNotContain("PRIVATE");
        Path unpacked = dir.resolve("b").resolve(entry.getName());
        Files.createDirectories(unpacked.getParent());
        Files.write(unpacked, zip.getInputStream(entry).readAllBytes());
      }
    }
    assertThat(Kit.open(dir.resolve("b")).plan().plan().names()).containsExactly("a", "b", "c");
  }

  @Test
  void new_circle_saysWhatSitesLearnOfEachOther() {
    Command made =
        run(
            "federation new @/plan.yaml --authority @/authority --network circle:1 --formula y~x "
                + SITES);
    assertThat(made.code()).isZero();
    assertThat(made.err())
        .contains("masked sums: each site learns sums over the other 2")
        .doesNotContain("models in rounds");
  }

  /** Three sites on a one-way circle: alone each hears one, and through it the other. */
  @Test
  void exposure_ofAPlanOrItsFolder_saysWhoCanSolveForWhom() throws Exception {
    assertThat(
            Command.run(
                    ("federation new @/plan.yaml --authority @/authority --network circle:1"
                            + " --algorithm ngd --alpha 0.1 --rounds 40 --formula y¶~¶x "
                            + SITES)
                        .replace("@/", dir + "/")
                        .replace("¶", " ")
                        .split(" (?!~|x)", -1))
                .err())
        .contains("ngd federation new: models in rounds: every site alone can solve");
    Command text = run("federation exposure @/plan.yaml");
    assertThat(text.code()).as(text.err()).isZero();
    assertThat(text.out())
        .contains(
            "models in rounds: every site alone can solve for the second moments of every other"
                + " from round ")
        .contains("masked sums: each site learns sums over the other 2");
    JsonNode json =
        JsonMapper.shared()
            .readTree(run("federation exposure @ --coalition 2 --format json").out());
    assertThat(json.path("models")).hasSize(6);
    assertThat(json.path("models").get(0).path("sites").get(0).path("verdict").stringValue())
        .isEqualTo("solved");
    assertThat(run("federation exposure @/plan.yaml --rounds 1").out())
        .contains("does not determine");
    Command refused = run("federation exposure @/plan.yaml --coalition 3 --rounds -1");
    assertThat(refused.code()).isEqualTo(2);
    assertThat(refused.err()).contains("--rounds: must be 0 or more; got -1");
    assertThat(run("federation exposure @/plan.yaml --coalition 3").code()).isEqualTo(2);
    assertThat(run("federation exposure @/none.yaml").code()).isEqualTo(2);
  }

  @Test
  void new_everyFlag_isInThePlan() {
    Command made =
        Command.run(
            ("federation new @/plan.yaml --authority @/authority --name heart --network ring:1"
                    + " --weights uniform --seed 3 --family binomial --algorithm ngd --alpha"
                    + " 0.1,0.05@100 --rounds 200 --mix median --policy last:5 --precision float32"
                    + " --privacy epsilon=2,delta=1e-5,clip=3 --formula y¶~¶x*z "
                    + SITES)
                .replace("@/", dir + "/")
                .replace("¶", " ")
                .split(" (?!~|x)", -1));
    assertThat(made.code()).as(made.err()).isZero();
    assertThat(PlanReader.read(dir.resolve("plan.yaml")).plan().canonical())
        .contains(
            "federation: heart",
            "seed: 3",
            "family: binomial",
            "algorithm: ngd",
            "alpha: 0.1,0.05@100",
            "rounds: 200",
            "mix: median",
            "policy: last:5",
            "precision: float32",
            "privacy: epsilon=2.0,delta=1.0E-5,clip=3.0");
  }

  @Test
  void new_again_overwritesNothing() throws Exception {
    assertThat(make().code()).isZero();
    String before = Files.readString(dir.resolve("plan.yaml"));
    Command again = make();
    assertThat(again.code()).isEqualTo(2);
    assertThat(again.err()).contains("already exists");
    assertThat(Files.readString(dir.resolve("plan.yaml"))).isEqualTo(before);
  }

  @Test
  void everyCommand_wrongInput_isRefusedAndWritesNothing() throws Exception {
    make();
    request("a");
    long before = files();
    String[] wrong = {
      "federation new",
      "federation new @/other.yaml --authority @/new",
      "federation new @/other.yaml --authority @/new --site a=localhost:1",
      "federation new @/other.yaml --authority @/new --site A=localhost:1 --site b=localhost:x",
      "federation new @/other.yaml --authority @/new --network ring:9 " + SITES,
      "federation new @/other.yaml --authority @/new --privacy epsilon=0,delta=1 " + SITES,
      "federation new @/other.yaml --authority @/a " + SITES,
      "federation approve",
      "federation approve @/a/a.csr --authority @/authority",
      "federation approve @/a/a.csr --authority @/authority --fingerprint 00:11",
      "federation approve @/plan.yaml --authority @/authority --fingerprint 00:11",
      "federation approve @/none.csr --authority @/authority --fingerprint 00:11",
      "federation approve @/a/a.csr --authority @/nowhere --fingerprint 00:11 --days 0",
      "federation pack",
      "federation pack @/none.yaml",
      "federation pack @/plan.yaml --authority @/authority --out @/kits",
      "federation pack @/plan.yaml --authority @/a --out @/kits",
      "federation add @/plan.yaml --authority @/authority",
      "federation add @/plan.yaml a=localhost:9 --authority @/authority",
      "federation add @/plan.yaml d --authority @/authority",
      "federation add @/plan.yaml d=localhost:7401 --authority @/authority",
      "federation revoke",
      "federation revoke z --authority @/authority",
      "federation nw",
      "peer request",
      "peer request --name Not_A_Name --into @/x",
    };
    for (String line : wrong) {
      Command refused = run(line);
      assertThat(refused.code()).as(line).isEqualTo(2);
      assertThat(refused.err()).as(line).isNotBlank().doesNotContain("Exception");
      assertThat(refused.out()).as(line).isEmpty();
      assertThat(files()).as(line).isEqualTo(before);
    }
  }

  @Test
  void add_aSite_leavesTheOthersCertificatesAndSignsANewRun() throws Exception {
    make();
    for (String site : new String[] {"a", "b", "c"}) {
      approve(site, request(site));
    }
    pack();
    byte[] certificate = Files.readAllBytes(dir.resolve("authority/certificates/a.pem"));
    var before = PlanReader.read(dir.resolve("plan.yaml"));
    Command added = run("federation add @/plan.yaml d=localhost:7404 --authority @/authority");
    assertThat(added.code()).as(added.err()).isZero();
    assertThat(added.err())
        .contains("whoever has the results before and after can subtract them")
        .contains("the sums of d alone");
    var after = PlanReader.read(dir.resolve("plan.yaml"));
    assertThat(after.plan().names()).containsExactly("a", "b", "c", "d");
    assertThat(after.plan().run()).isNotEqualTo(before.plan().run());
    assertThat(after.text()).contains("# Who takes part");
    assertThat(pack().err()).contains("d has none");
    approve("d", request("d"));
    assertThat(pack().code()).isZero();
    assertThat(Files.readAllBytes(dir.resolve("authority/certificates/a.pem")))
        .isEqualTo(certificate);
    assertThat(dir.resolve(before.shortHash() + "-plan.yaml")).exists();
  }

  /**
   * The site's own rules lie beside its key from the first command on, and are never written over.
   */
  @Test
  void request_aSite_hasItsOwnRulesAndKeepsThem() throws Exception {
    Command requested = run("peer request --name a --into @/a");
    assertThat(requested.out()).contains("site.yaml: this site's own rules");
    Path rules = dir.resolve("a/site.yaml");
    assertThat(Files.readString(rules)).contains("# nfilter.tab: 3");
    Files.writeString(rules, "nfilter.tab: 5\n");
    assertThat(run("peer request --name a --into @/a").code()).isZero();
    assertThat(rules).hasContent("nfilter.tab: 5");
  }

  @Test
  void packAllLocal_makesEverySitesFolder() {
    make();
    Command packed =
        run("federation pack @/plan.yaml --authority @/authority --out @/kits --all-local");
    assertThat(packed.code()).as(packed.err()).isZero();
    assertThat(dir.resolve("kits/a/a.key")).exists();
    assertThat(Kit.open(dir.resolve("kits/c")).plan().plan().names()).hasSize(3);
  }

  @Test
  void revoke_aSite_isNamedInTheListAndNeedsANewRequest() {
    make();
    run("federation pack @/plan.yaml --authority @/authority --out @/kits --all-local");
    Command revoked = run("federation revoke b --authority @/authority");
    assertThat(revoked.code()).isZero();
    assertThat(dir.resolve("authority/revoked.crl")).exists();
    assertThat(pack().err()).contains("b has none");
  }
}
