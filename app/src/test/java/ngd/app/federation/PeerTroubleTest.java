package ngd.app.federation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.InputStream;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import ngd.app.Command;
import ngd.app.QuickStart;
import ngd.app.SiteTables;
import ngd.core.algorithm.Algorithms;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.random.Streams;
import ngd.peer.bench.FreePorts;
import ngd.peer.identity.Authority;
import ngd.peer.identity.CertificateRequest;
import ngd.peer.plan.PlanReader;
import ngd.peer.plan.PlanTemplate;
import ngd.peer.plan.Site;
import ngd.peer.plan.WrittenPlan;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/**
 * What happens to real peer processes over weeks: certificates end, keys are revoked, machines go
 * and come back, sites join. Oracles: the simulator; a fixed point of fewer sites.
 *
 * <p>With {@code -Dngd.processes=all} more policies and methods, and a rehearsal: some fifty
 * seconds of processor time more.
 */
@ExtendWith(QuickStart.class)
class PeerTroubleTest {
  private static final long PATIENCE_S = 120;
  private static final boolean ALL = System.getProperty("ngd.processes", "").equals("all");

  @TempDir Path dir;
  private SiteTables tables = new SiteTables(List.of());

  @BeforeEach
  void tables() throws Exception {
    tables = SiteTables.in(dir);
  }

  private static Network network(String spec, int clients) {
    return Network.of(Topology.parse(spec, clients, Streams.of(1)));
  }

  private LocalFederation federation(SiteTables own, PlanTemplate plan) throws Exception {
    Path work = Files.createDirectory(dir.resolve("work"));
    return LocalFederation.make(work, plan.text(own.sites()), own.data());
  }

  private static void await(String what, Callable<Boolean> holds) throws Exception {
    long begin = System.nanoTime();
    while (!holds.call()) {
      assertThat(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin))
          .as(what)
          .isLessThan(PATIENCE_S);
      LockSupport.parkNanos(20_000_000);
    }
  }

  private static void awaitRound(LocalFederation federation, String site, int round)
      throws Exception {
    await(
        "%s in round %d".formatted(site, round),
        () -> federation.rounds().getOrDefault(site, 0) >= round);
  }

  private static String log(LocalFederation federation, String site) throws Exception {
    Path log = federation.site(site).resolve("log.err");
    return Files.exists(log) ? Files.readString(log) : "";
  }

  private static void awaitLog(LocalFederation federation, String site, String words)
      throws Exception {
    await("%s says `%s`".formatted(site, words), () -> log(federation, site).contains(words));
  }

  private static void awaitEnd(LocalFederation federation) throws Exception {
    await("all peers end", () -> federation.ended(50));
  }

  private static double[] estimates(LocalFederation federation, String site) {
    List<Double> found = new ArrayList<>();
    for (JsonNode term : federation.result(site).path("coefficients")) {
      found.add(term.path("estimate").asDouble());
    }
    return found.stream().mapToDouble(Double::doubleValue).toArray();
  }

  private static void signal(LocalFederation federation, String site, String name)
      throws Exception {
    String pid = Long.toString(federation.peer(site).pid());
    assertThat(new ProcessBuilder("kill", "-" + name, pid).start().waitFor()).isZero();
  }

  /**
   * While nobody restarts: b is revoked, its open connections end and the others wait, as the plan
   * says; a certificate renewed for the same key is laid down, and all go on to the same bits.
   */
  @Test
  void peers_revokedAndRenewedUnderWay_waitAndEndWithTheSimulatorsBits() throws Exception {
    int rounds = 2500;
    try (LocalFederation federation = federation(tables, tables.plan("complete", "ngd", rounds))) {
      Authority authority = Authority.open(dir.resolve("work/authority"), InstantSource.system());
      federation.start();
      awaitRound(federation, "a", 20);
      // c stands still, and everybody with it, with all streams open.
      signal(federation, "c", "STOP");
      Path list = authority.revoke("b");
      for (String site : List.of("a", "c")) {
        Files.copy(list, federation.site(site).resolve("revoked.crl"));
      }
      awaitLog(federation, "a", "refused peer=b reason=CERTIFICATE");
      awaitLog(federation, "b", "refused-by peer=a detail=the certificate of `b` is revoked");
      signal(federation, "c", "CONT");
      awaitLog(federation, "c", "refused peer=b reason=CERTIFICATE");
      String waiting = Command.run("peer", "status", federation.site("a").toString()).out();
      assertThat(waiting).contains("of " + rounds);
      int stuck = federation.rounds().getOrDefault("a", 0);
      assertThat(Command.run("peer", "status", federation.site("b").toString()).out())
          .contains("b: refused by a: the certificate of `b` is revoked");

      Path own = federation.site("b").resolve("certificates/b.pem");
      Files.writeString(own, "still being copied");
      awaitLog(federation, "b", "kept-the-one-before");
      authority.reinstate(
          CertificateRequest.read(federation.site("b").resolve("b.csr")), Duration.ofDays(1));
      assertThat(federation.rounds().getOrDefault("a", 0)).isLessThanOrEqualTo(stuck + 1);
      Files.copy(
          dir.resolve("work/authority/certificates/b.pem"),
          own,
          StandardCopyOption.REPLACE_EXISTING);
      awaitEnd(federation);

      assertThat(log(federation, "b")).contains("read-again file=b.pem");
      assertThat(log(federation, "a").split("connected peer=b", -1)).hasSizeGreaterThan(2);
      double[][] expected = tables.simulated(network("complete", 3), "ngd", rounds);
      for (int m = 0; m < 3; m++) {
        assertThat(estimates(federation, tables.data().get(m).site())).isEqualTo(expected[m]);
      }
    }
  }

  static List<String> policies() {
    return ALL ? List.of("drop", "last:10") : List.of("drop");
  }

  /**
   * A site dies and the others go on without it to the fixed point of those who are left; brought
   * back, on a disk that is full at first, it catches up and all end.
   */
  @ParameterizedTest
  @MethodSource("policies")
  void peers_oneKilledAndBroughtBack_goOnAsThePolicySays(String policy) throws Exception {
    int rounds = 3000;
    try (LocalFederation federation =
        federation(tables, tables.plan("complete", "ngd", rounds).with("policy", policy))) {
      federation.start();
      assertThat(federation.killUnderWay("c")).isTrue();
      awaitLog(federation, "a", "gone peer=c");
      awaitRound(federation, "a", rounds);
      awaitRound(federation, "b", rounds);
      assertThat(log(federation, "a")).contains("policy=" + policy);
      double[][] expected = tables.first(2).simulated(network("complete", 2), "ngd", rounds);

      Path state = federation.site("c").resolve("state");
      try (var folders = Files.list(state)) {
        Path own = folders.filter(Files::isDirectory).findFirst().orElseThrow();
        // It may have been killed in the middle of one.
        Files.deleteIfExists(own.resolve("snapshot.unfinished"));
        Files.createSymbolicLink(own.resolve("snapshot.unfinished"), Path.of("/dev/full"));
      }
      federation.start("c");
      awaitEnd(federation);
      assertThat(log(federation, "c"))
          .contains("snapshot-failed detail=No space left on device")
          .contains("snapshot-written after failures");
      assertThat(federation.result("c").path("rounds").asInt()).isEqualTo(rounds);
      for (int m = 0; m < 2; m++) {
        assertThat(estimates(federation, tables.data().get(m).site()))
            .containsExactly(expected[m], within(1e-3));
      }
    }
  }

  static List<String> methods() {
    return ALL ? List.of("async-ngd:20", "gosgd:1", "push-diging", "sgp") : List.of("async-ngd:20");
  }

  /**
   * Methods that are not rounds of averages. The asynchronous come near their fixed points, one
   * killed on the way; gossip scales gradients by the sites' rows, as balanced NGD does. Those that
   * push end with the simulator's bits.
   */
  @ParameterizedTest
  @MethodSource("methods")
  void peers_methodsWithoutAverages_comeWhereTheirTheorySays(String method) throws Exception {
    SiteTables two = tables.first(2);
    boolean asynchronous = Algorithms.parse(method).descriptor().asynchronous();
    int rounds = asynchronous ? 1000 : 200;
    try (LocalFederation federation = federation(two, two.plan("complete", method, rounds))) {
      federation.start();
      assertThat(federation.killUnderWay("b")).isTrue();
      federation.start("b");
      awaitEnd(federation);
      String oracle =
          switch (method) {
            case "async-ngd:20" -> "ngd";
            case "gosgd:1" -> "balanced-ngd";
            default -> method;
          };
      double[][] expected =
          two.simulated(network("complete", 2), oracle, asynchronous ? 20_000 : rounds);
      for (int m = 0; m < 2; m++) {
        String site = two.data().get(m).site();
        assertThat(log(federation, site)).doesNotContain("refused peer");
        assertThat(estimates(federation, site))
            .containsExactly(expected[m], within(asynchronous ? 0.3 : 0.0));
      }
    }
  }

  /**
   * As two people at two sites do it, and a third who joins at an IPv6 address: by commands and zip
   * files alone.
   */
  @Test
  void federation_aSiteAdded_runsAndRehearsesWithTheKeysThatWereThere() throws Exception {
    Path work = Files.createDirectory(dir.resolve("joined"));
    List<Integer> ports = FreePorts.take(3);
    List<String> made =
        new ArrayList<>(
            List.of("federation", "new", work.resolve("plan.yaml").toString(), "--authority"));
    made.addAll(List.of(work.resolve("authority").toString(), "--network", "complete"));
    made.addAll(List.of("--formula", "y ~ x + z", "--family", "binomial"));
    made.addAll(List.of("--site", "a=127.0.0.1:" + ports.get(0)));
    made.addAll(List.of("--site", "b=127.0.0.1:" + ports.get(1)));
    done(made.toArray(String[]::new));
    join(work, "a");
    join(work, "b");
    pack(work, "a", "b");
    byte[] before = Files.readAllBytes(work.resolve("sites/a/certificates/a.pem"));

    String authority = work.resolve("authority").toString();
    String plan = work.resolve("plan.yaml").toString();
    done(
        "federation",
        "add",
        plan,
        "c=%s:%d".formatted(loopback(), ports.get(2)),
        "--authority",
        authority);
    join(work, "c");
    pack(work, "a", "b", "c");
    assertThat(work.resolve("sites/a/certificates/a.pem")).hasBinaryContent(before);

    WrittenPlan added = PlanReader.read(work.resolve("plan.yaml"));
    try (LocalFederation federation = LocalFederation.packed(work, added, tables.data())) {
      federation.start();
      awaitEnd(federation);
      assertThat(federation.result("a").path("rows").asInt()).isEqualTo(155);
      for (String site : List.of("b", "c")) {
        assertThat(federation.result(site).path("coefficients"))
            .isEqualTo(federation.result("a").path("coefficients"));
      }
    }
    if (ALL) {
      Command rehearsed = rehearse(work);
      assertThat(rehearsed.code()).as(rehearsed.err()).isZero();
      assertThat(rehearsed.out())
          .contains("killed (kill -9)")
          .contains("all 3 sites have bit-identical results");
      assertThat(work.resolve("rehearsal/report.html")).exists();
      assertThat(PlanReader.read(work.resolve("rehearsal/plan.yaml")).plan().names())
          .containsExactly("a", "b", "c");
    }
  }

  /** An IPv6 address, where this machine has them. */
  private static String loopback() throws Exception {
    return NetworkInterface.getByInetAddress(InetAddress.ofLiteral("::1")) == null
        ? "127.0.0.1"
        : "[::1]";
  }

  private Command rehearse(Path work) {
    List<String> words =
        new ArrayList<>(
            List.of("federation", "rehearse", work.resolve("plan.yaml").toString(), "--query"));
    words.add("SELECT * FROM t");
    tables.data().forEach(t -> words.addAll(List.of("--data", t.site() + "=" + t.location())));
    words.addAll(List.of("--out", work.resolve("rehearsal").toString()));
    return Command.run(words.toArray(String[]::new));
  }

  private static Command done(String... words) {
    Command command = Command.run(words);
    assertThat(command.code()).as(command.err()).isZero();
    return command;
  }

  private static void join(Path work, String site) {
    Path own = work.resolve("sites").resolve(site);
    String fingerprint =
        done("peer", "request", "--name", site, "--into", own.toString())
            .out()
            .lines()
            .filter(line -> line.startsWith("fingerprint "))
            .findFirst()
            .orElseThrow()
            .substring("fingerprint ".length());
    String authority = work.resolve("authority").toString();
    String csr = own.resolve(site + ".csr").toString();
    done("federation", "approve", csr, "--authority", authority, "--fingerprint", fingerprint);
  }

  private static void pack(Path work, String... sites) throws Exception {
    String authority = work.resolve("authority").toString();
    String kits = work.resolve("kits").toString();
    String plan = work.resolve("plan.yaml").toString();
    done("federation", "pack", plan, "--authority", authority, "--out", kits);
    for (String site : sites) {
      try (ZipFile zip = new ZipFile(work.resolve("kits").resolve(site + ".zip").toFile())) {
        for (ZipEntry entry : zip.stream().map(ZipEntry.class::cast).toList()) {
          Path file = work.resolve("sites").resolve(site).resolve(entry.getName());
          Files.createDirectories(file.getParent());
          try (InputStream content = zip.getInputStream(entry)) {
            Files.copy(content, file, StandardCopyOption.REPLACE_EXISTING);
          }
        }
      }
    }
  }

  @Test
  void run_withoutItsPortOrFolder_isRefusedInWords() throws Exception {
    SiteTables two = tables.first(2);
    try (LocalFederation federation = federation(two, two.plan("complete", "ngd", 10));
        ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Site own = federation.plan().plan().sites().getFirst();
      String a = federation.site("a").toString();
      try (ServerSocket port = new ServerSocket(own.port(), 1, InetAddress.getLoopbackAddress())) {
        assertThat(port.isBound()).isTrue();
        refused(a, "cannot listen on 127.0.0.1:" + own.port(), "Address already in use");
      }
      refused(
          a,
          "status port: must be free on this machine; " + taken.getLocalPort(),
          "Address already in use",
          "--status-port",
          Integer.toString(taken.getLocalPort()));
      refused(
          a,
          "cannot listen on nowhere.invalid:",
          "the name does not resolve",
          "--listen",
          "nowhere.invalid");
      Path state = federation.site("a").resolve("state");
      try (var old = Files.walk(state)) {
        for (Path file : old.sorted(java.util.Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
      Files.writeString(state, "a file where the folder should be");
      refused(a, "must be a file that this peer can write", "Not a directory");
      assertThat(federation.site("a").resolve("result.json")).doesNotExist();
    }
  }

  private void refused(String folder, String allowed, String found, String... options) {
    List<String> words =
        new ArrayList<>(List.of("peer", "run", folder, "--data", tables.data().get(0).location()));
    words.addAll(List.of("--query", "SELECT * FROM t"));
    words.addAll(List.of(options));
    Command refused = Command.run(words.toArray(String[]::new));
    assertThat(refused.code()).as(refused.err()).isEqualTo(2);
    assertThat(refused.err()).contains(allowed).contains(found).doesNotContain("Exception");
  }

  /** It may start later than its name: a peer waits, and says for what. */
  @Test
  void run_neighbourWhoseNameDoesNotResolve_saysSoAndWaits() throws Exception {
    SiteTables two = tables.first(2);
    Path work = Files.createDirectory(dir.resolve("named"));
    try (LocalFederation made = federation(two, two.plan("complete", "ngd", 10))) {
      String address = made.plan().plan().sites().getLast().address();
      WrittenPlan moved =
          PlanReader.parse(made.plan().text().replace(address, "nowhere.invalid:7400"));
      Path file = work.resolve("plan.yaml");
      Files.writeString(file, moved.text());
      Authority authority =
          Authority.create(work.resolve("authority"), "test", InstantSource.system());
      ngd.peer.identity.Packing.allLocal(authority, moved, file, work.resolve("sites"));
      try (LocalFederation federation = LocalFederation.packed(work, moved, two.data())) {
        federation.start("a");
        awaitLog(federation, "a", "the name `nowhere.invalid` of its address must resolve");
        assertThat(federation.peer("a").isAlive()).isTrue();
      }
    }
  }
}
