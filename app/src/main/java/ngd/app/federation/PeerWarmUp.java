package ngd.app.federation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import ngd.app.terminal.Version;
import ngd.core.data.SiteTable;
import ngd.core.file.WholeFile;
import ngd.core.formula.Column;
import ngd.core.formula.ColumnType;
import ngd.core.formula.Expression;
import ngd.core.formula.RowValues;
import ngd.peer.identity.Kit;
import ngd.peer.identity.PeerIdentity;
import ngd.peer.plan.PlanTemplate;
import ngd.peer.plan.Site;
import ngd.peer.standing.StandingPeer;
import ngd.peer.status.StatusServer;
import org.jspecify.annotations.Nullable;

/**
 * Federations in this process, over TLS, from their plans to an answer: the classes that peers and
 * askers need, for the AOT caches. Most of a short question's processor time is their loading.
 */
public final class PeerWarmUp {
  private static final int ROWS = 40;
  private static final int PORT = 7400;
  private static final int PATIENCE_S = 120;
  private static final String ROUNDS = "rounds";
  private static final String STANDING = "standing";

  private PeerWarmUp() {}

  /**
   * Makes what the others need, in a process of its own: peers never see the library that makes
   * certificates, whose signed jars take long to open, and a cache that knows a class that needs it
   * has them opened at every start.
   *
   * @param folder an empty one
   */
  public static void make(Path folder) throws IOException {
    make(
        folder.resolve(ROUNDS),
        new PlanTemplate()
            .with("federation", "warm-up")
            .with("network", "ring:1")
            .with("formula", "y ~ x")
            .with("family", "binomial")
            .with("algorithm", "ngd")
            .with("alpha", "0.05")
            .with("rounds", "60")
            .text(IntStream.range(0, 4).mapToObj(i -> site("site-" + i, i)).toList()));
    make(
        folder.resolve(STANDING),
        new PlanTemplate()
            .with("federation", "warm-up")
            .with("network", "complete")
            .text(List.of(site("a", 0), site("b", 1))));
  }

  private static Site site(String name, int number) {
    return new Site(name, "localhost", PORT + number);
  }

  private static void make(Path folder, String plan) throws IOException {
    WholeFile.Access.PRIVATE.createFolders(folder);
    LocalFederation.make(folder, plan, List.of()).close();
  }

  /**
   * A plan of four sites for a model in rounds, each run by the command that runs a peer.
   *
   * @param made where {@link #make} made it
   * @param command runs a command of the program
   */
  public static void rounds(Path made, Consumer<List<String>> command)
      throws IOException, InterruptedException, ExecutionException, TimeoutException {
    Path folder = made.resolve(ROUNDS);
    List<FutureTask<?>> peers = new ArrayList<>();
    try (Stream<Path> sites = Files.list(folder.resolve(LocalFederation.SITES))) {
      for (Path site : sites.toList()) {
        Path rows = folder.resolve(site.getFileName() + ".csv");
        Files.writeString(rows, csv(site.getFileName().toString()));
        List<String> words = List.of("peer", "run", site.toString(), "--data", rows.toString());
        peers.add(new FutureTask<>(() -> command.accept(words), null));
      }
    }
    inTime(peers, peers);
  }

  private static String csv(String site) {
    StringBuilder text = new StringBuilder("y,x\n");
    for (int i = 0; i < ROWS; i++) {
      text.append("%d,%.4f\n".formatted((int) y(i, site), x(i, site)));
    }
    return text.toString();
  }

  /** Starts all tasks and waits for some of them. */
  private static void inTime(List<FutureTask<?>> all, List<FutureTask<?>> awaited)
      throws InterruptedException, ExecutionException, TimeoutException {
    // Threads that nobody waits for: what does not end must not hold up the build.
    all.forEach(task -> Thread.ofPlatform().daemon().start(task));
    for (FutureTask<?> task : awaited) {
      task.get(PATIENCE_S, TimeUnit.SECONDS);
    }
  }

  /**
   * A standing federation of two that answers a question and says how it is.
   *
   * @param made where {@link #make} made it
   * @param command runs a command of the program, which asks
   */
  public static void standing(Path made, Consumer<List<String>> command)
      throws IOException, InterruptedException, ExecutionException, TimeoutException {
    Path folder = made.resolve(STANDING);
    Path sites = folder.resolve(LocalFederation.SITES);
    try (StandingPeer a = peer("a", sites.resolve("a"));
        StandingPeer b = peer("b", sites.resolve("b"));
        StatusServer status = StatusServer.start(0, a.status())) {
      List<FutureTask<?>> tasks =
          List.of(
              new FutureTask<>(a::run),
              new FutureTask<>(b::run),
              new FutureTask<>(
                  () -> command.accept(question(sites.resolve("a"), folder.resolve("answer"))),
                  null));
      inTime(tasks, List.of(tasks.getLast()));
      command.accept(List.of("federation", "status", Integer.toString(status.port())));
    }
  }

  private static List<String> question(Path member, Path answer) {
    return List.of(
        "federation",
        "ask",
        "--member",
        member.toString(),
        "--out",
        answer.toString(),
        "--formula",
        "y ~ x",
        "--family",
        "binomial");
  }

  private static StandingPeer peer(String name, Path folder) {
    return new StandingPeer(
        PeerIdentity.open(Kit.open(folder), name, InstantSource.system()),
        "127.0.0.1",
        _ -> FrugalTable.open(() -> new Table(name)),
        Version.number(),
        InstantSource.system());
  }

  private static double x(int row, String site) {
    return Math.sin(row + site.hashCode() % 7);
  }

  private static double y(int row, String site) {
    return x(row, site) + 3 * Math.cos(7.0 * row) > 0 ? 1 : 0;
  }

  /** An outcome that x has something to do with, another at each site. */
  private record Table(String site) implements SiteTable {
    @Override
    public String source() {
      return "warm-up";
    }

    @Override
    public List<Column> columns() {
      return List.of(new Column("y", ColumnType.NUMBER), new Column("x", ColumnType.NUMBER));
    }

    @Override
    public void scan(List<Expression> expressions, Consumer<RowValues> sink) {
      for (int i = 0; i < ROWS; i++) {
        double x = x(i, site);
        double y = y(i, site);
        sink.accept(
            new RowValues() {
              @Override
              public double number(int expression) {
                Expression.Name name = (Expression.Name) expressions.get(expression);
                return name.column().equals("x") ? x : y;
              }

              @Override
              public @Nullable String text(int expression) {
                return null;
              }
            });
      }
    }

    @Override
    public void close() {}
  }
}
