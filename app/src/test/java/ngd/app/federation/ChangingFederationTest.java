package ngd.app.federation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import ngd.app.Command;
import ngd.app.QuickStart;
import ngd.core.data.TableAddress;
import ngd.peer.bench.FreePorts;
import ngd.peer.identity.Authority;
import ngd.peer.identity.CertificateRequest;
import ngd.peer.identity.Invitation;
import ngd.peer.identity.Kit;
import ngd.peer.plan.PlanReader;
import ngd.peer.plan.PlanTemplate;
import ngd.peer.plan.Site;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * A standing federation that agrees on a dictionary and takes in a site, real processes over mutual
 * TLS. The oracle is the rehearsal of the same question.
 */
@EnabledIfSystemProperty(
    named = "ngd.questions",
    matches = "\\d+",
    disabledReason = "some twenty seconds of real processes; CONTRIBUTING.md")
@ExtendWith(QuickStart.class)
class ChangingFederationTest {
  private static final String QUESTION = "y ~ smoker + sex";
  private static final String DICTIONARY = "smoker: boolean\nsex: {levels: [m, f]}\n";

  @TempDir Path dir;
  private int asked;

  /** Site a writes truth values as words, the others as numbers. */
  private String write(String site, String odd) throws IOException {
    StringBuilder rows = new StringBuilder("y,smoker,sex\n");
    for (int i = 0; i < 50; i++) {
      int k = i + 50 * (site.charAt(0) - 'a');
      boolean smoker = k * 7 % 5 < 2;
      rows.append(
          "%s,%s,%s%n"
              .formatted(
                  k * 13 % 17 / 3.0,
                  site.equals("a") ? Boolean.toString(smoker) : smoker ? "1" : "0",
                  i < 6 && !odd.isEmpty() ? odd : k * 3 % 7 < 3 ? "f" : "m"));
    }
    return Files.writeString(dir.resolve(site + ".csv"), rows).toString();
  }

  private Command ask(LocalFederation federation, String member) {
    return Command.run(
        "federation",
        "ask",
        "--member",
        federation.site(member).toString(),
        "--out",
        dir.resolve("ask" + asked++).toString(),
        "--formula",
        QUESTION,
        "--family",
        "gaussian");
  }

  private void requireAsRehearsed(Path dictionary, String... sites) throws IOException {
    Path out = dir.resolve("fit" + asked++);
    List<String> words = new ArrayList<>(List.of("fit", "--network", "complete"));
    for (String site : sites) {
      words.addAll(List.of("--site", site + "=" + dir.resolve(site + ".csv")));
    }
    words.addAll(List.of("--formula", QUESTION, "--dictionary", dictionary.toString()));
    words.addAll(List.of("--out", out.toString()));
    Command fit = Command.run(words.toArray(String[]::new));
    assertThat(fit.code()).as(fit.err()).isZero();
    assertThat(dir.resolve("ask" + (asked - 2)).resolve("coefficients.csv"))
        .hasSameTextualContentAs(out.resolve("coefficients.csv"));
  }

  private static Command done(String... words) {
    Command command = Command.run(words);
    assertThat(command.code()).as(command.err()).isZero();
    return command;
  }

  private static void await(String what, BooleanSupplier condition) {
    long begin = System.nanoTime();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - begin).as(what).isLessThan(TimeUnit.SECONDS.toNanos(120));
      Thread.onSpinWait();
    }
  }

  /** Whether a site's peer runs under an amendment, and is linked to its neighbours. */
  private static boolean stands(LocalFederation federation, String site, int amendment) {
    return Kit.open(federation.site(site)).plan().plan().federation().amendment() == amendment
        && Command.line("peer status " + federation.site(site)).out().contains("ready");
  }

  @Test
  void federation_dictionaryAgreedAndASiteJoins_goesOn() throws Exception {
    Path folder = Files.createDirectory(dir.resolve("federation"));
    Path plan = folder.resolve("plan.yaml");
    List<TableAddress> data = new ArrayList<>();
    for (String site : List.of("a", "b")) {
      data.add(TableAddress.of(site, write(site, "")));
    }
    data.add(TableAddress.of("c", write("c", "x")));
    List<Site> sites = List.of(new Site("a", "127.0.0.1", 7000), new Site("b", "127.0.0.1", 7001));
    try (LocalFederation federation =
        LocalFederation.make(
            folder,
            new PlanTemplate().with("network", "complete").with("quorum", "2").text(sites),
            data)) {
      federation.start();
      Command differing = ask(federation, "a");
      assertThat(differing.code()).isEqualTo(1);

      Path dictionary = Files.writeString(dir.resolve("dictionary.yaml"), DICTIONARY);
      String authority = folder.resolve("authority").toString();
      String kits = dir.resolve("kits").toString();
      done(
          "federation",
          "dictionary",
          dictionary.toString(),
          plan.toString(),
          "--authority",
          authority,
          "--out",
          kits,
          "--member",
          federation.site("a").toString());
      await("a takes it over", () -> stands(federation, "a", 1));
      await("b takes it over", () -> stands(federation, "b", 1));
      Command agreed = ask(federation, "b");
      assertThat(agreed.code()).as(agreed.err()).isZero();
      requireAsRehearsed(dictionary, "a", "b");

      int port = FreePorts.take(1).getFirst();
      done("federation", "add", plan.toString(), "c=127.0.0.1:" + port, "--authority", authority);
      Path own = federation.site("c");
      join(own, plan, folder.resolve("authority"), federation.site("a"));
      federation.start("c");
      // The one who admits agrees with it; the others' people are asked.
      await("a takes c", () -> stands(federation, "a", 2));
      String b = federation.site("b").toString();
      await("b learns of it", () -> confirm(b).code() == 0);
      await("b takes c", () -> stands(federation, "b", 2));
      assertThat(confirm(b).err()).contains("confirm: no change of members waits here");

      // What was answered before c came stays answered.
      assertThat(Command.run("peer", "questions", b).out()).containsPattern("answered +y ~ smoker");

      Command odd = ask(federation, "a");
      assertThat(odd.code()).isEqualTo(1);
      assertThat(odd.err())
          .contains("c: its column sex holds values that the dictionary does not know")
          .doesNotContain("`x`");
      Command alone =
          Command.run(
              "peer", "check", "--in", own.toString(), "--data", dir.resolve("c.csv").toString());
      assertThat(alone.code()).isEqualTo(2);
      assertThat(alone.err())
          .contains("column sex: must be text, one of m, f; 6 rows hold other values, such as `x`");
      write("c", "");
      Command well =
          done("peer", "check", "--in", own.toString(), "--data", dir.resolve("c.csv").toString());
      assertThat(well.out()).contains("smoker, sex");
      Command all = ask(federation, "b");
      assertThat(all.code()).as(all.err()).isZero();
      requireAsRehearsed(dictionary, "a", "b", "c");

      // A site that is gone for good leaves by the others' word, without the authority.
      federation.stop("c");
      done("federation", "leave", "c", "--vote", "--member", federation.site("a").toString());
      Command again = Command.run("federation", "leave", "c", "--vote", "--member", own.toString());
      assertThat(again.code()).isEqualTo(2);
      assertThat(again.err()).contains("must be the folder of another site than c");
      assertThat(stands(federation, "a", 2)).as("one of two is not enough").isTrue();
      done("federation", "leave", "c", "--vote", "--member", b);
      await("a lets c go", () -> stands(federation, "a", 3));
      await("b lets c go", () -> stands(federation, "b", 3));
      Command rest = ask(federation, "a");
      assertThat(rest.code()).as(rest.err()).isZero();
      requireAsRehearsed(dictionary, "a", "b");
      requireQuiet("peer", "questions", b);
    }
  }

  /**
   * What c said while it was a member lies in the others' folders, and is nothing to warn about.
   */
  private void requireQuiet(String... command) throws Exception {
    List<String> words =
        new ArrayList<>(
            List.of(
                ProcessHandle.current().info().command().orElseThrow(),
                "-cp",
                System.getProperty("java.class.path"),
                "ngd.app.Main"));
    words.addAll(List.of(command));
    Path said = dir.resolve("said");
    Process process =
        new ProcessBuilder(words).redirectErrorStream(true).redirectOutput(said.toFile()).start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isZero();
    assertThat(said).content().startsWith("no. ").doesNotContain("statement", "WARNING");
  }

  private static Command confirm(String folder) {
    return Command.run("peer", "confirm", "--in", folder);
  }

  /**
   * Two commands, `federation admit` and `peer join`, and six words that two people compare. Those
   * who were approved before are asked for no words.
   */
  private void join(Path own, Path plan, Path authority, Path member) throws Exception {
    String at = "127.0.0.1:" + FreePorts.take(1).getFirst();
    Path invitation = dir.resolve("invitation.json");
    Path key = own.resolve("c.csr");
    done("peer", "request", "--name", "c", "--into", own.toString());
    Invitation expected =
        Invitation.of(Authority.open(authority, InstantSource.system()), PlanReader.read(plan), at);
    CompletableFuture<Command> admitting =
        CompletableFuture.supplyAsync(
            () ->
                Command.run(
                    "federation",
                    "admit",
                    plan.toString(),
                    "--at",
                    at,
                    "--invitation",
                    invitation.toString(),
                    "--authority",
                    authority.toString(),
                    "--member",
                    member.toString(),
                    "--words",
                    "c=" + expected.fingerprint(CertificateRequest.read(key))));
    await("the invitation", () -> Files.exists(invitation));
    Command joined =
        done("peer", "join", invitation.toString(), "--name", "c", "--into", own.toString());
    assertThat(joined.out()).contains(expected.fingerprint(CertificateRequest.read(key)));
    Command admitted = admitting.get(60, TimeUnit.SECONDS);
    assertThat(admitted.code()).as(admitted.err()).isZero();
    assertThat(admitted.out())
        .contains("send it to c\n", "c: approved", "joining c, leaving nobody")
        .doesNotContain("a asks", "b asks");
  }
}
