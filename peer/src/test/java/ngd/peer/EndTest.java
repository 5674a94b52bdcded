package ngd.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import ngd.core.InvalidInput;
import ngd.core.WorkFailed;
import ngd.core.rows.Rows;
import ngd.core.world.Mixing;
import ngd.peer.durable.Checkpoints;
import ngd.peer.plan.Policy;
import ngd.peer.wire.Agreement;
import ngd.peer.wire.InProcessTransport;
import ngd.peer.wire.Links;
import ngd.peer.wire.NumberCodec;
import ngd.peer.wire.PeerAddress;
import ngd.peer.wire.proto.PeerSnapshot;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * How runs end where somebody is gone, and what peers say while they wait. Oracles: the simulator;
 * which peer was stopped.
 */
class EndTest {
  private static final Duration SHORT = Duration.ofMillis(200);
  private static final Duration LONG = Duration.ofMinutes(5);

  @TempDir Path folder;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final ExecutorService carriers = Executors.newVirtualThreadPerTaskExecutor();
  private final InProcessTransport transport =
      new InProcessTransport("end-" + System.identityHashCode(this), carriers);

  @AfterEach
  void end() throws Exception {
    threads.shutdownNow();
    assertThat(threads.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
    carriers.shutdownNow();
  }

  private static final class Killed extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  private PeerNode node(TestFit fit, int self, Policy policy, Duration linger, PeerListener looks)
      throws Exception {
    List<PeerAddress> sites = new ArrayList<>();
    for (int m = 0; m < fit.clients(); m++) {
      sites.add(new PeerAddress(m, "site-" + m, "", 0));
    }
    return new PeerNode(
        new PeerSetup(
            new Agreement("00", "test"),
            self,
            sites,
            fit.network(),
            TestFit.STREAMS,
            new PeerOptions(
                new Mixing.Mean(),
                policy,
                NumberCodec.FLOAT64,
                Masks.NONE,
                Signatures.NONE,
                linger),
            PeerSetup.messageBytes(fit.clients(), fit.parameters()),
            folder.resolve("peer-" + self)),
        transport,
        looks);
  }

  /** Runs a program in a thread of its own and closes the peer when it ends or is killed. */
  private Future<double[]> start(
      PeerNode node, Program<double[]> program, Consumer<double[]> keeper) {
    return threads.submit(
        () -> {
          try (node) {
            return node.run(program, keeper);
          }
        });
  }

  private static PeerListener killedIn(int round) {
    return new PeerListener() {
      @Override
      public void round(int done) {
        if (done >= round) {
          throw new Killed();
        }
      }

      @Override
      public void mixed(Rows own, Rows mixed) {}
    };
  }

  @Test
  void run_goingOnWithoutASiteThatIsGone_ends() throws Exception {
    TestFit fit = new TestFit("complete", 3, "ngd", 60, 3);
    for (Policy policy : List.of(new Policy.Drop(), new Policy.Last(5))) {
      List<Future<double[]>> peers = new ArrayList<>();
      for (int m = 0; m < 3; m++) {
        PeerListener looks = m == 2 ? killedIn(10) : PeerListener.NONE;
        peers.add(start(node(fit, m, policy, SHORT, looks), fit::untilLastRound, _ -> {}));
      }
      for (int m = 0; m < 2; m++) {
        assertThat(peers.get(m).get(60, TimeUnit.SECONDS)).as(policy.spec()).hasSize(3);
      }
      assertThat(peers.get(2)).failsWithin(Duration.ofSeconds(60));
      for (int m = 0; m < 3; m++) {
        removeAll(folder.resolve("peer-" + m));
      }
    }
  }

  private static void removeAll(Path folder) throws Exception {
    try (var files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
  }

  /**
   * Site 1 dies with its answer in its hands; site 0 has its own, says whom it stays for, stays.
   */
  @Test
  void run_neighbourGoneAtTheEnd_keepsTheResultFirstAndSaysWhomItStaysFor() throws Exception {
    TestFit fit = new TestFit("complete", 2, "ngd", 40, 3);
    double[][] expected = fit.simulated();
    AtomicReference<double[]> kept = new AtomicReference<>();
    PeerNode zero = node(fit, 0, new Policy.Wait(), LONG, PeerListener.NONE);
    Future<double[]> stays = start(zero, fit::program, kept::set);
    Future<double[]> dies =
        start(
            node(fit, 1, new Policy.Wait(), LONG, PeerListener.NONE),
            fit::program,
            _ -> {
              throw new Killed();
            });
    assertThat(dies).failsWithin(Duration.ofSeconds(60));
    Await.until("site 0 has its result", () -> kept.get() != null);
    Await.until("site 0 says for whom it waits", () -> zero.status().waiting().isPresent());
    Await.until(
        "it sees that it is gone",
        () -> !zero.status().waiting().orElseThrow().unreachable().isEmpty());
    Links.Waiting waiting = zero.status().waiting().orElseThrow();
    assertThat(waiting.reason()).isEqualTo("to hear that this peer has finished");
    assertThat(waiting.unreachable()).containsExactly("site-1");
    assertThat(zero.status().waitingFor()).containsExactly("site-1");
    assertThat(stays.isDone()).isFalse();

    Future<double[]> back =
        start(node(fit, 1, new Policy.Wait(), LONG, PeerListener.NONE), fit::program, _ -> {});
    assertThat(back.get(60, TimeUnit.SECONDS)).isEqualTo(expected[1]);
    assertThat(stays.get(60, TimeUnit.SECONDS)).isEqualTo(expected[0]);
    assertThat(kept.get()).isEqualTo(expected[0]);
  }

  /**
   * Site 0 is killed with its result while site 1 is still in its last round, so that it never
   * hears that site 1 has all; it is run again when nobody is there.
   */
  @Test
  void run_backWhenNeighboursHaveLeft_endsWithTheSameResult() throws Exception {
    int rounds = 40;
    TestFit fit = new TestFit("complete", 2, "ngd", rounds, 3);
    double[][] expected = fit.simulated();
    Policy wait = new Policy.Wait();
    CompletableFuture<Void> gone = new CompletableFuture<>();
    PeerListener late =
        new PeerListener() {
          @Override
          public void round(int done) {
            if (done == rounds) {
              gone.orTimeout(60, TimeUnit.SECONDS).join();
            }
          }

          @Override
          public void mixed(Rows own, Rows mixed) {}
        };
    Future<double[]> leaves = start(node(fit, 1, wait, SHORT, late), fit::untilLastRound, _ -> {});
    Future<double[]> dies =
        start(
            node(fit, 0, wait, SHORT, PeerListener.NONE),
            fit::untilLastRound,
            _ -> {
              throw new Killed();
            });
    assertThat(dies).failsWithin(Duration.ofSeconds(60));
    gone.complete(null);
    assertThat(leaves.get(60, TimeUnit.SECONDS)).isEqualTo(expected[1]);
    Future<double[]> alone =
        start(node(fit, 0, wait, SHORT, PeerListener.NONE), fit::untilLastRound, _ -> {});
    assertThat(alone.get(60, TimeUnit.SECONDS)).isEqualTo(expected[0]);

    // Nothing is lost: with both there again, the other has its result too.
    Future<double[]> zero =
        start(node(fit, 0, wait, LONG, PeerListener.NONE), fit::untilLastRound, _ -> {});
    Future<double[]> one =
        start(node(fit, 1, wait, LONG, PeerListener.NONE), fit::untilLastRound, _ -> {});
    assertThat(one.get(60, TimeUnit.SECONDS)).isEqualTo(expected[1]);
    assertThat(zero.get(60, TimeUnit.SECONDS)).isEqualTo(expected[0]);
  }

  /**
   * Both were killed with their results written, before either knew that the other has all, and
   * come back only to take leave, as the peers of a standing federation do.
   */
  @Test
  void takeLeave_bothKilledWhenDone_end() throws Exception {
    TestFit fit = new TestFit("complete", 2, "ngd", 40, 3);
    List<Future<double[]>> killed = new ArrayList<>();
    for (int m = 0; m < 2; m++) {
      killed.add(
          start(
              node(fit, m, new Policy.Wait(), LONG, PeerListener.NONE),
              fit::program,
              _ -> {
                throw new Killed();
              }));
    }
    killed.forEach(peer -> assertThat(peer).failsWithin(Duration.ofSeconds(60)));
    List<Future<?>> back = new ArrayList<>();
    for (int m = 0; m < 2; m++) {
      PeerNode node = node(fit, m, new Policy.Wait(), LONG, PeerListener.NONE);
      back.add(
          threads.submit(
              () -> {
                try (node) {
                  node.takeLeave();
                }
                return true;
              }));
    }
    for (Future<?> peer : back) {
      peer.get(20, TimeUnit.SECONDS);
    }
  }

  /** Around a ring, only sites 1 and 5 are linked to site 0; site 3 is two more hops away. */
  @Test
  void status_siteGoneThreeHopsAway_isNamedEverywhere() throws Exception {
    TestFit fit = new TestFit("ring:1", 6, "ngd", 5000, 3);
    List<PeerNode> all = new ArrayList<>();
    for (int m = 0; m < 6; m++) {
      PeerNode node =
          node(fit, m, new Policy.Wait(), SHORT, m == 0 ? killedIn(20) : PeerListener.NONE);
      all.add(node);
      Future<double[]> _ = start(node, fit::program, _ -> {});
    }
    for (int m = 1; m < 6; m++) {
      PeerNode node = all.get(m);
      Await.until(
          "site %d knows that site 0 is gone".formatted(m),
          () ->
              node.status()
                  .waiting()
                  .filter(w -> w.unreachable().equals(List.of("site-0")) && w.busy().isEmpty())
                  .isPresent());
    }
    // Neighbours that wait themselves are waited for, and are not the reason.
    assertThat(all.get(3).status().waitingFor()).isNotEmpty().doesNotContain("site-0");
    // Back again, it is forgotten: nobody names it once rounds go on.
    PeerNode back = node(fit, 0, new Policy.Wait(), SHORT, PeerListener.NONE);
    Future<double[]> _ = start(back, fit::program, _ -> {});
    int stuck = all.get(3).status().round();
    Await.until("rounds go on", () -> all.get(3).status().round() > stuck + 5);
    Await.until(
        "nobody misses it",
        () ->
            all.get(3)
                .status()
                .waiting()
                .map(Links.Waiting::unreachable)
                .orElse(List.of())
                .isEmpty());
  }

  /** Killed by the test between two rounds. */
  private static PeerListener killedWhen(AtomicBoolean now) {
    return new PeerListener() {
      @Override
      public void round(int done) {
        if (now.get()) {
          throw new Killed();
        }
      }

      @Override
      public void mixed(Rows own, Rows mixed) {}
    };
  }

  private List<Path> snapshots(int m) {
    try (var files = Files.list(folder.resolve("peer-" + m))) {
      return files
          .filter(file -> file.getFileName().toString().matches("snapshot-\\d+"))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Runs site 0 until its neighbour can have nothing left of what the snapshots before it need, and
   * kills it. What a snapshot acknowledges leaves before the rounds that the next one holds, so a
   * few of them settle it; one alone may be killed before its receipt is sent.
   */
  private void runAWhile(TestFit fit) throws Exception {
    AtomicBoolean kill = new AtomicBoolean();
    Files.createDirectories(folder.resolve("peer-0"));
    long before = snapshots(0).isEmpty() ? 0 : generation(snapshots(0).getLast());
    Future<double[]> dies =
        start(node(fit, 0, new Policy.Wait(), LONG, killedWhen(kill)), fit::program, _ -> {});
    Await.until(
        "snapshots",
        () ->
            dies.isDone()
                || (snapshots(0).size() >= 2 && generation(snapshots(0).getFirst()) > before + 3));
    if (dies.isDone()) {
      dies.get();
    }
    kill.set(true);
    assertThat(dies).failsWithin(Duration.ofSeconds(60));
  }

  private static long generation(Path snapshot) {
    return Long.parseLong(snapshot.getFileName().toString().replace("snapshot-", ""));
  }

  /** A peer whose state is gone, old or damaged cannot go on, says why and what to do, and ends. */
  @Test
  void run_stateDeletedRolledBackOrDamaged_endsWithTheWayOut() throws Exception {
    TestFit fit = new TestFit("complete", 2, "ngd", 100_000_000, 3);
    Future<double[]> other =
        start(node(fit, 1, new Policy.Wait(), LONG, PeerListener.NONE), fit::program, _ -> {});
    runAWhile(fit);
    Path old = Files.createDirectory(folder.resolve("old"));
    for (Path file : snapshots(0)) {
      Files.copy(file, old.resolve(file.getFileName()));
    }
    runAWhile(fit);

    removeAll(folder.resolve("peer-0"));
    requireLost(fit);
    removeAll(folder.resolve("peer-0"));
    try (var files = Files.list(old)) {
      for (Path file : files.toList()) {
        Files.copy(file, folder.resolve("peer-0").resolve(file.getFileName()));
      }
    }
    requireLost(fit);
    for (Path file : snapshots(0)) {
      Files.write(file, new byte[7]);
    }
    assertThatThrownBy(() -> node(fit, 0, new Policy.Wait(), LONG, PeerListener.NONE))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("damaged")
        .hasMessageContaining("start a new run: a new word after `run` in the plan");
    assertThat(other.isDone()).isFalse();
  }

  /** Every site's own sum, as it is on its disk; that of site 2 changes there. */
  @Test
  void run_aSumThatADiskChanged_givesNobodyAnAnswer() throws Exception {
    TestFit fit = new TestFit("complete", 3, "ngd", 1, 3);
    Phaser all = new Phaser(3);
    List<Future<double[]>> killed = new ArrayList<>();
    for (int m = 0; m < 3; m++) {
      killed.add(
          start(
              node(fit, m, new Policy.Wait(), LONG, PeerListener.NONE),
              context -> {
                context.totals().total(new double[] {context.self()});
                all.arriveAndAwaitAdvance();
                throw new Killed();
              },
              _ -> {}));
    }
    for (Future<double[]> one : killed) {
      assertThatThrownBy(() -> one.get(60, TimeUnit.SECONDS)).hasCauseInstanceOf(Killed.class);
    }
    try (Checkpoints disk = new Checkpoints(folder.resolve("peer-2"), "plan 00, site site-2")) {
      PeerSnapshot.Builder kept = PeerSnapshot.parseFrom(disk.newest().orElseThrow()).toBuilder();
      assertThat(kept.getAgreed(0).getValues(0)).isEqualTo(3);
      kept.getAgreedBuilder(0).setValues(0, Math.nextUp(3.0));
      disk.forget();
      disk.write(kept.build()::writeTo, 0);
    }
    List<PeerNode> nodes = new ArrayList<>();
    List<Future<double[]>> back = new ArrayList<>();
    for (int m = 0; m < 3; m++) {
      nodes.add(node(fit, m, new Policy.Wait(), LONG, PeerListener.NONE));
      back.add(
          start(
              nodes.get(m),
              context -> {
                double[] sum = context.totals().total(new double[] {context.self()});
                context.requireAgreement();
                return sum;
              },
              _ -> {}));
    }
    // Who finds it ends; whom it leaves without its word knows why.
    for (int m = 0; m < 3; m++) {
      PeerNode node = nodes.get(m);
      Future<double[]> one = back.get(m);
      Await.until(
          "site %d knows that there is no answer".formatted(m),
          () ->
              one.isDone()
                  || node.status().links().stream().anyMatch(link -> link.refusal() != null));
    }
    List<String> others = List.of("site-2", "site-2", "site-0, site-1");
    assertThat(back).anyMatch(Future::isDone);
    for (int m = 0; m < 3; m++) {
      Future<double[]> one = back.get(m);
      if (one.isDone()) {
        assertThatThrownBy(one::get)
            .hasCauseInstanceOf(WorkFailed.class)
            .hasMessageContaining("those of %s are others, so there is no answer", others.get(m));
      }
    }
  }

  private void requireLost(TestFit fit) throws Exception {
    Future<double[]> lost =
        start(node(fit, 0, new Policy.Wait(), LONG, PeerListener.NONE), fit::program, _ -> {});
    assertThatThrownBy(() -> lost.get(60, TimeUnit.SECONDS))
        .hasCauseInstanceOf(InvalidInput.class)
        .hasMessageContaining("site site-0: must go on from the newest state")
        .hasMessageContaining("start a new run: a new word after `run` in the plan");
  }
}
