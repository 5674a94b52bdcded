package ngd.app.federation;

import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
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
 * A standing federation of two in this process, over TLS, from its plan to the answer of a
 * question: the classes that peers and askers need, for the AOT cache. Most of a short question's
 * processor time is their loading.
 */
public final class PeerWarmUp {
  private static final int ROWS = 40;
  private static final int PORT = 7400;
  private static final int PATIENCE_S = 120;

  private PeerWarmUp() {}

  /**
   * Runs it in an empty folder.
   *
   * @param command runs a command of the program
   */
  public static void run(Path folder, Consumer<List<String>> command)
      throws IOException, InterruptedException, ExecutionException, TimeoutException {
    WholeFile.Access.PRIVATE.createFolders(folder);
    String plan =
        new PlanTemplate()
            .with("federation", "warm-up")
            .with("network", "complete")
            .text(List.of(new Site("a", "localhost", PORT), new Site("b", "localhost", PORT + 1)));
    try (LocalFederation federation = LocalFederation.make(folder, plan, List.of());
        StandingPeer a = peer("a", federation.site("a"));
        StandingPeer b = peer("b", federation.site("b"));
        StatusServer status = StatusServer.start(0, a.status())) {
      List<FutureTask<?>> tasks =
          List.of(
              new FutureTask<>(a::run),
              new FutureTask<>(b::run),
              new FutureTask<>(() -> command.accept(question(federation, folder)), null));
      // Threads that nobody waits for: a question that gets no answer must not hold up the build.
      tasks.forEach(task -> Thread.ofPlatform().daemon().start(task));
      tasks.getLast().get(PATIENCE_S, TimeUnit.SECONDS);
      StatusTable.ask(List.of(Integer.toString(status.port()))).json();
    }
  }

  private static List<String> question(LocalFederation federation, Path folder) {
    return List.of(
        "federation",
        "ask",
        "--member",
        federation.site("a").toString(),
        "--out",
        folder.resolve("answer").toString(),
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
        double x = Math.sin(i + site.length());
        double y = x + 3 * Math.cos(7.0 * i) > 0 ? 1 : 0;
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
