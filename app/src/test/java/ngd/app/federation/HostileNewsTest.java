package ngd.app.federation;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import ngd.app.Command;
import ngd.app.QuickStart;
import ngd.core.data.TableAddress;
import ngd.core.file.Sha256;
import ngd.peer.SiteRun;
import ngd.peer.identity.PeerIdentity;
import ngd.peer.plan.Plan;
import ngd.peer.plan.PlanTemplate;
import ngd.peer.plan.Site;
import ngd.peer.standing.AuditLog;
import ngd.peer.standing.SignedStatement;
import ngd.peer.standing.Statement;
import ngd.peer.wire.NewsLinks;
import ngd.peer.wire.PeerAddress;
import ngd.peer.wire.TlsTransport;
import ngd.peer.wire.proto.Signed;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/**
 * A site that turned against the others: under its own key, over mutual TLS, it tells real peers
 * questions that nobody asked. Oracle: what these say in their logs, and that they answer nothing.
 */
@ExtendWith(QuickStart.class)
class HostileNewsTest {
  private static final List<String> LINES = List.of("formula: y ~ x", "family: gaussian");

  @TempDir Path dir;

  /** What the enemy tells: statements under whatever hash. */
  private static final class Lies implements NewsLinks.Board {
    private final Map<ByteString, Signed> told = new LinkedHashMap<>();

    Lies(List<Signed> statements) {
      for (Signed one : statements) {
        told.put(
            ByteString.copyFrom(new Sha256().add(told.size()).add(one.toByteArray()).bytes()), one);
      }
    }

    @Override
    public List<ByteString> held() {
      return List.copyOf(told.keySet());
    }

    @Override
    public @Nullable Signed find(ByteString hash) {
      return told.get(hash);
    }

    @Override
    public ByteString take(Signed statement) {
      return ByteString.copyFrom(Sha256.of(statement.toByteArray()));
    }
  }

  private static void await(Supplier<String> what, BooleanSupplier condition) {
    long begin = System.nanoTime();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - begin)
          .as(what.get())
          .isLessThan(TimeUnit.SECONDS.toNanos(120));
      LockSupport.parkNanos(5_000_000);
    }
  }

  private static String said(LocalFederation federation, String site) {
    try {
      return Files.readString(federation.site(site).resolve("log.err"));
    } catch (IOException e) {
      return "";
    }
  }

  private static long events(LocalFederation federation, String site, String event) {
    return AuditLog.read(federation.site(site).resolve("questions").resolve("log.jsonl")).stream()
        .filter(line -> line.event().equals(event))
        .count();
  }

  private void ask(Path member, String level) {
    String out = dir.resolve("answer" + level).toString();
    String from = member.toString();
    Command asked =
        Command.run(
            "federation",
            "ask",
            "--member",
            from,
            "--formula",
            "y ~ x",
            "--level",
            level,
            "--out",
            out);
    assertThat(asked.code()).as(asked.err()).isZero();
  }

  @Test
  void news_thatNobodyAsked_areRefusedByNameAndTheFederationStands() throws Exception {
    List<Site> sites = new ArrayList<>();
    List<TableAddress> data = new ArrayList<>();
    for (String name : List.of("a", "b", "c")) {
      sites.add(new Site(name, "127.0.0.1", 7000 + sites.size()));
      StringBuilder rows = new StringBuilder("y,x\n");
      for (int i = 0; i < 40; i++) {
        rows.append(
            String.format(Locale.ROOT, "%.6f,%.6f%n", Math.sin(i + sites.size()), Math.cos(3 * i)));
      }
      Path table = Files.writeString(dir.resolve(name + ".csv"), rows);
      data.add(TableAddress.of(name, table.toString()));
    }
    String plan = new PlanTemplate().with("network", "complete").with("askers", "a").text(sites);
    Path folder = Files.createDirectory(dir.resolve("federation"));
    try (LocalFederation federation = LocalFederation.make(folder, plan, data)) {
      federation.start();
      Path member = federation.site("a");
      ask(member, "0.95");
      federation.stop("c");
      PeerIdentity asker = Members.open(member, null);
      PeerIdentity enemy = Members.open(federation.site("c"), null);
      String hash = Members.hash(asker);
      Instant now = Instant.now();
      Signed fresh =
          SignedStatement.by(asker, new Statement.Asked(now, hash, "fresh", LINES)).signed();
      Signed altered =
          fresh.toBuilder()
              .setStatement(
                  ByteString.copyFromUtf8(
                      fresh.getStatement().toStringUtf8().replace("y ~ x", "y ~ 1")))
              .build();
      Statement mine = new Statement.Asked(now, hash, "mine", LINES);
      Signed unnamed = SignedStatement.by(enemy, mine).signed();
      Signed stranger = unnamed.toBuilder().setSigner("mallory").build();
      Signed old =
          SignedStatement.by(
                  asker, new Statement.Asked(now.minus(Duration.ofDays(9)), hash, "old", LINES))
              .signed();
      Signed answered;
      try (var files = Files.list(member.resolve("questions").resolve("statements"))) {
        answered =
            files
                .filter(file -> file.toString().endsWith(".json"))
                .map(HostileNewsTest::read)
                .filter(one -> one.getStatement().toStringUtf8().contains("y ~ x"))
                .findFirst()
                .orElseThrow();
      }
      Plan parsed = enemy.kit().plan().plan();
      List<PeerAddress> others = new ArrayList<>();
      for (int m = 0; m < 2; m++) {
        Site site = parsed.sites().get(m);
        others.add(new PeerAddress(m, site.name(), site.host(), site.port()));
      }
      Site self = parsed.sites().get(2);
      try (NewsLinks _ =
          new NewsLinks(
              new TlsTransport(SiteRun.credentials(enemy), "127.0.0.1"),
              new PeerAddress(2, "c", self.host(), self.port()),
              others,
              new Lies(List.of(altered, unnamed, stranger, old, answered)))) {
        for (String site : List.of("a", "b")) {
          await(
              () -> "what %s refuses: %s".formatted(site, said(federation, site)),
              () -> {
                String log = said(federation, site);
                return log.contains("signer=a")
                    && log.contains("the federation does not let c ask")
                    && log.contains("signer=mallory")
                    && log.contains("must be asked within the last");
              });
        }
      }
      for (String site : List.of("a", "b")) {
        assertThat(said(federation, site))
            .contains("refused-statement peer=c signer=a", "must be signed by");
        assertThat(events(federation, site, "begun"))
            .as("one question is answered, and not again")
            .isEqualTo(1);
      }
      federation.start("c");
      ask(member, "0.9");
    }
  }

  private static Signed read(Path file) {
    try {
      var json = JsonMapper.shared().readTree(Files.readString(file));
      return Signed.newBuilder()
          .setSigner(json.get("signer").asString())
          .setStatement(ByteString.copyFromUtf8(json.get("statement").asString()))
          .setSignature(
              ByteString.copyFrom(Base64.getDecoder().decode(json.get("signature").asString())))
          .build();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
