package ngd.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.DriverManager;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import ngd.core.algorithm.Algorithms;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.Method;
import ngd.core.algorithm.StepSize;
import ngd.core.data.Shards;
import ngd.core.data.SiteTable;
import ngd.core.data.TableAddress;
import ngd.core.formula.Formula;
import ngd.core.model.Logistic;
import ngd.core.network.Network;
import ngd.core.preparation.Missing;
import ngd.core.preparation.Preparation;
import ngd.core.preparation.Sites;
import ngd.core.random.Streams;
import ngd.core.simulation.Run;
import ngd.core.simulation.Simulation;
import ngd.core.simulation.Suitability;
import ngd.peer.identity.Authority;
import ngd.peer.identity.CertificateRequest;
import ngd.peer.identity.Kit;
import ngd.peer.plan.PlanReader;
import ngd.peer.plan.PlanTemplate;
import ngd.peer.plan.Site;
import ngd.peer.plan.WrittenPlan;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Real peer processes, started by the real commands; the oracle of numbers is the simulator. */
class PeerProcessTest {
  private static final int ROUNDS = 600;
  private static final long PATIENCE_S = 120;

  @TempDir Path dir;
  private final List<TableAddress> data = new ArrayList<>();
  private final List<Site> sites = new ArrayList<>();

  @BeforeEach
  void tables() throws Exception {
    String[] names = {"a", "b", "c"};
    int[] sizes = {40, 90, 25};
    for (int m = 0; m < names.length; m++) {
      Path file = dir.resolve(names[m] + ".db");
      var random = Streams.of(7).stream(Streams.Purpose.DATA, m);
      try (var database = DriverManager.getConnection("jdbc:sqlite:" + file);
          var statement = database.createStatement()) {
        statement.execute("CREATE TABLE t (y INTEGER, x REAL, z REAL)");
        for (int i = 0; i < sizes[m]; i++) {
          double x = random.nextDouble() * 2 - 1 + m;
          double z = random.nextDouble();
          int y = random.nextDouble() < 1 / (1 + Math.exp(-x)) ? 1 : 0;
          statement.execute("INSERT INTO t VALUES (%d, %s, %s)".formatted(y, x, z));
        }
      }
      data.add(
          new TableAddress(
              names[m], "jdbc:sqlite:" + file, Optional.of("SELECT * FROM t"), List.of()));
      sites.add(new Site(names[m], names[m] + ".example.org", 7400));
    }
  }

  private String plan(String network) {
    return new PlanTemplate()
        .with("federation", "test")
        .with("network", network)
        .with("formula", "y ~ x + z")
        .with("family", "binomial")
        .with("algorithm", "balanced-ngd")
        .with("alpha", "0.05")
        .with("rounds", Integer.toString(ROUNDS))
        .text(sites);
  }

  private Path folder(String name) throws Exception {
    return Files.createDirectory(dir.resolve(name));
  }

  private double[][] simulated(WrittenPlan plan) {
    List<SiteTable> tables = data.stream().map(TableAddress::open).toList();
    Network network = plan.plan().network();
    Preparation prepared =
        Preparation.of(
            Formula.parse(plan.plan().formula()),
            Sites.all(tables),
            Simulation.exchange(network),
            Missing.DROP);
    Shards shards = prepared.shards();
    tables.forEach(SiteTable::close);
    Method method = Algorithms.parse("balanced-ngd").method();
    GradientScales scales = new Suitability(network, new Logistic()).scales(method, shards.sizes());
    var request = new Method.Request(StepSize.constant(0.05), 0, 1, scales, false, List.of());
    Simulation simulation =
        new Simulation(network, new Logistic().over(shards), Streams.of(plan.plan().seed()), 1);
    try (Run<?> run = simulation.start(Algorithms.rounds(method, request))) {
      run.advance(ROUNDS);
      double[][] theta = new double[3][];
      for (int m = 0; m < 3; m++) {
        theta[m] = run.theta().row(m);
      }
      return theta;
    }
  }

  @Test
  void peers_killedThreeTimes_endWithTheSimulatorsBits() throws Exception {
    try (LocalFederation federation = LocalFederation.make(folder("kills"), plan("ring:1"), data)) {
      federation.start();
      int kills = 0;
      for (String victim : List.of("b", "a", "b")) {
        if (federation.killUnderWay(victim)) {
          kills++;
          federation.start(victim);
        }
      }
      while (!federation.ended(100)) {
        assertThat(federation.seconds()).isLessThan(PATIENCE_S);
      }
      assertThat(kills).isPositive();
      double[][] expected = simulated(federation.plan());
      for (int m = 0; m < 3; m++) {
        JsonNode found = federation.result(sites.get(m).name()).path("coefficients");
        for (int j = 0; j < expected[m].length; j++) {
          assertThat(found.get(j).path("estimate").asDouble()).isEqualTo(expected[m][j]);
        }
      }
    }
  }

  @Test
  void peer_strangersAndWrongPlans_areRefusedAndServiceGoesOn() throws Exception {
    Path work = folder("strangers");
    try (LocalFederation federation = LocalFederation.make(work, plan("complete"), data)) {
      Path a = federation.site("a");
      Path b = federation.site("b");
      Path good = Files.createDirectory(dir.resolve("good"));
      copy(b, good);
      Authority authority = Authority.open(work.resolve("authority"), InstantSource.system());
      federation.start("a");

      // Another plan of the same authority.
      WrittenPlan other = PlanReader.parse(federation.plan().text().replace("seed: 1", "seed: 2"));
      Kit.unpacked(Kit.files(authority, other), b);
      federation.start("b");
      awaitLog(a, b, "seed: ");
      federation.stop("b");

      // Another authority's certificate for the same name and plan.
      Authority foreign = Authority.create(dir.resolve("foreign"), "test", InstantSource.system());
      for (Site site : sites) {
        foreign.approve(
            CertificateRequest.read(federation.site(site.name()).resolve(site.name() + ".csr")),
            Duration.ofDays(1));
      }
      Kit.unpacked(Kit.files(foreign, federation.plan()), b);
      federation.start("b");
      awaitLog(a, b, "not signed by this federation's authority");
      federation.stop("b");

      // An expired one: its own peer says so and does not start.
      copy(good, b);
      Authority past =
          Authority.open(
              work.resolve("authority"),
              InstantSource.fixed(Instant.now().minus(Duration.ofDays(30))));
      past.approve(CertificateRequest.read(b.resolve("b.csr")), Duration.ofDays(1));
      Files.copy(
          work.resolve("authority/certificates/b.pem"),
          b.resolve("certificates/b.pem"),
          StandardCopyOption.REPLACE_EXISTING);
      assertThat(Command.run("peer", "run", b.toString(), "--data", "x.csv").err())
          .contains("expired");

      // A revoked one, while the neighbour runs.
      copy(good, b);
      Files.copy(authority.revoke("b"), a.resolve("revoked.crl"));
      federation.start("b");
      awaitLog(a, b, "is revoked");
      federation.stop("b");

      // Somebody who speaks no TLS.
      int port = federation.plan().plan().sites().getFirst().port();
      try (Socket plain = new Socket(InetAddress.getLoopbackAddress(), port)) {
        plain.getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        plain.setSoTimeout(10_000);
        byte[] answer = plain.getInputStream().readAllBytes();
        assertThat(new String(answer, StandardCharsets.ISO_8859_1)).doesNotContain("HTTP");
      }

      // A new certificate, and all goes on.
      authority.approve(CertificateRequest.read(b.resolve("b.csr")), Duration.ofDays(1));
      Kit.unpacked(Kit.files(authority, federation.plan()), b);
      federation.start("b");
      federation.start("c");
      while (!federation.ended(100)) {
        assertThat(federation.seconds()).isLessThan(PATIENCE_S * 2);
      }
      assertThat(federation.result("a").path("rounds").asInt()).isEqualTo(ROUNDS);
    }
  }

  private static void copy(Path from, Path to) throws Exception {
    try (var files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Path target = to.resolve(from.relativize(file).toString());
        if (Files.isDirectory(file)) {
          Files.createDirectories(target);
        } else if (!file.startsWith(from.resolve("state"))) {
          Files.copy(
              file,
              target,
              StandardCopyOption.REPLACE_EXISTING,
              StandardCopyOption.COPY_ATTRIBUTES);
        }
      }
    }
  }

  /** Waits until one of two peers has said so. */
  private static void awaitLog(Path one, Path other, String words) throws Exception {
    long begin = System.nanoTime();
    while (!said(one, words) && !said(other, words)) {
      assertThat(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin))
          .as("`%s` in the logs", words)
          .isLessThan(PATIENCE_S);
      Thread.onSpinWait();
      java.util.concurrent.locks.LockSupport.parkNanos(50_000_000);
    }
  }

  private static boolean said(Path site, String words) throws Exception {
    Path log = site.resolve("log.err");
    return Files.exists(log) && Files.readString(log).contains(words);
  }

  @Test
  void everyCommand_wrongInput_isRefusedInWords() throws Exception {
    Path work = folder("wrong");
    LocalFederation federation = LocalFederation.make(work, plan("complete"), data);
    Path a = federation.site("a");
    String[] wrong = {
      "peer run " + dir,
      "peer run " + dir.resolve("nowhere") + " --data x.csv",
      "peer run " + a,
      "peer run " + a + " --data x.csv --log loud",
      "peer run " + a + " --data x.csv --status-port 70000",
      "peer run " + a + " --data x.csv --name zoe",
      "peer run " + a + " --data " + dir.resolve("none.csv"),
      "peer status " + dir,
      "federation status",
      "federation status here",
      "federation rehearse",
      "federation rehearse none.yaml",
      "federation rehearse " + work.resolve("plan.yaml"),
      "federation rehearse " + work.resolve("plan.yaml") + " --data a=x --data a=y --data q=z",
      "demo --out " + work,
    };
    for (String line : wrong) {
      Command refused = Command.line(line);
      assertThat(refused.code()).as(line + refused.err()).isEqualTo(2);
      assertThat(refused.err()).as(line).isNotBlank().doesNotContain("Exception");
    }
    assertThat(a.resolve("result.json")).doesNotExist();
    Files.setPosixFilePermissions(a.resolve("a.key"), PosixFilePermissions.fromString("rw-r--r--"));
    assertThat(Command.line("peer run " + a + " --data x.csv").err())
        .contains("readable by its owner alone");
    assertThat(Command.line("federation status 1").code()).isEqualTo(1);
  }
}
