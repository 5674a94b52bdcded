package ngd.app.federation;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import ngd.core.data.SiteTable;
import ngd.core.file.WholeFile;
import ngd.core.formula.Column;
import ngd.core.formula.ColumnType;
import ngd.core.formula.Expression;
import ngd.core.formula.RowValues;
import ngd.peer.SiteRun;
import ngd.peer.identity.Kit;
import ngd.peer.identity.PeerIdentity;
import ngd.peer.plan.PlanTemplate;
import ngd.peer.plan.Site;
import ngd.peer.status.StatusServer;
import org.jspecify.annotations.Nullable;

/**
 * A federation of two in this process, over TLS, from its plan to its answer: the classes that a
 * peer needs, for the AOT cache. Most of a short run's processor time is their loading.
 */
public final class PeerWarmUp {
  private static final int ROWS = 40;
  private static final int PORT = 7400;

  private PeerWarmUp() {}

  /** Runs it in an empty folder. */
  public static void run(Path folder) throws IOException, InterruptedException, ExecutionException {
    WholeFile.Access.PRIVATE.createFolders(folder);
    List<String> names = List.of("a", "b");
    String plan =
        new PlanTemplate()
            .with("federation", "warm-up")
            .with("network", "complete")
            .with("formula", "y ~ x")
            .text(List.of(new Site("a", "localhost", PORT), new Site("b", "localhost", PORT + 1)));
    try (LocalFederation federation = LocalFederation.make(folder, plan, List.of());
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> peers = new ArrayList<>();
      for (String name : names) {
        peers.add(threads.submit(() -> run(name, federation.site(name))));
      }
      for (Future<?> peer : peers) {
        peer.get();
      }
    }
  }

  private static Void run(String name, Path folder) throws InterruptedException {
    PeerIdentity identity = PeerIdentity.open(Kit.open(folder), name, InstantSource.system());
    SiteRun run = new SiteRun(identity, folder.resolve("state"), "127.0.0.1", Duration.ZERO);
    try (SiteTable table = FrugalTable.open(() -> new Table(name));
        StatusServer status = StatusServer.start(0, run.status())) {
      StatusTable.ask(List.of(Integer.toString(status.port()))).json();
      var _ = run.run(table).json();
    }
    return null;
  }

  /** A line with some noise, another at each site. */
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
        double y = x + Math.cos(7.0 * i);
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
