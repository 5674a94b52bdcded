package ngd.app.federation;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.TimeUnit;
import ngd.app.Command;
import ngd.app.QuickStart;
import ngd.app.SiteTables;
import ngd.peer.identity.Authority;
import ngd.peer.identity.CertificateRequest;
import ngd.peer.identity.Kit;
import ngd.peer.plan.PlanReader;
import ngd.peer.plan.Site;
import ngd.peer.plan.WrittenPlan;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Real peer processes, started by the real commands; the oracle of numbers is the simulator. */
@ExtendWith(QuickStart.class)
class PeerProcessTest {
  private static final int ROUNDS = 600;
  private static final long PATIENCE_S = 120;

  @TempDir Path dir;
  private SiteTables tables = new SiteTables(List.of());

  @BeforeEach
  void tables() throws Exception {
    tables = SiteTables.in(dir);
  }

  private String plan(String network) {
    return tables.plan(network, "balanced-ngd", ROUNDS).text(tables.sites());
  }

  private Path folder(String name) throws Exception {
    return Files.createDirectory(dir.resolve(name));
  }

  @Test
  void peers_killedThreeTimes_endWithTheSimulatorsBits() throws Exception {
    try (LocalFederation federation =
        LocalFederation.make(folder("kills"), plan("ring:1"), tables.data())) {
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
      double[][] expected =
          tables.simulated(federation.plan().plan().network(), "balanced-ngd", ROUNDS);
      for (int m = 0; m < 3; m++) {
        JsonNode found = federation.result(tables.data().get(m).site()).path("coefficients");
        for (int j = 0; j < expected[m].length; j++) {
          assertThat(found.get(j).path("estimate").asDouble()).isEqualTo(expected[m][j]);
        }
      }
    }
  }

  @Test
  void peer_strangersAndWrongPlans_areRefusedAndServiceGoesOn() throws Exception {
    Path work = folder("strangers");
    try (LocalFederation federation = LocalFederation.make(work, plan("complete"), tables.data())) {
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
      for (Site site : tables.sites()) {
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

      // A new key, which the others do not know yet: their masks would not cancel.
      copy(good, b);
      Files.delete(b.resolve("b.key"));
      Files.delete(b.resolve("b.csr"));
      authority.approve(CertificateRequest.make("b", b), Duration.ofDays(1));
      Kit.unpacked(Kit.files(authority, federation.plan()), b);
      federation.start("b");
      awaitLog(a, b, "`certificate of b, key for masks: ");
      federation.stop("b");
      copy(good, b);

      // Somebody who speaks no TLS.
      int port = federation.plan().plan().sites().getFirst().port();
      try (Socket plain = new Socket(InetAddress.getLoopbackAddress(), port)) {
        plain.getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        plain.setSoTimeout(10_000);
        byte[] answer = plain.getInputStream().readAllBytes();
        assertThat(new String(answer, StandardCharsets.ISO_8859_1)).doesNotContain("HTTP");
      }

      // A new certificate, and all goes on.
      authority.reinstate(CertificateRequest.read(b.resolve("b.csr")), Duration.ofDays(1));
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
    LocalFederation federation = LocalFederation.make(work, plan("complete"), tables.data());
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
