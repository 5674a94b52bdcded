package ngd.app.federation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import ngd.app.terminal.Console;
import ngd.app.terminal.Exit;
import ngd.app.terminal.RootCommand;
import ngd.core.data.TableAddress;
import ngd.peer.plan.PlanTemplate;
import ngd.peer.plan.Site;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** {@code ngd demo}: a federation of four sites on this machine, from nothing to a report. */
@Command(
    name = "demo",
    description = {
      "Runs a demonstration: four made-up hospitals, each with its own database, fit one model as real peers over mutual TLS. One peer is killed and restarted; the result is compared with the pooled fit.",
      ""
    })
public final class DemoCommand implements Callable<Integer> {
  private static final int PORT = 7401;

  @ParentCommand private @Nullable RootCommand parent;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Working folder, new or empty; ngd-demo by default, or ngd-demo-2, …")
  private @Nullable Path out;

  @Option(
      names = "--seed",
      paramLabel = "S",
      defaultValue = "1",
      description = "Random seed of the made-up patients; 1 by default.")
  private Long seed = 1L;

  @Override
  public Integer call() throws InterruptedException {
    Console console = RootCommand.consoleOf(parent);
    Path folder = RehearsalRun.folder(out == null ? unused() : out);
    List<TableAddress> data = DemoData.write(folder, seed);
    List<String> names = DemoData.sites();
    List<Site> sites =
        names.stream()
            .map(name -> new Site(name, name + ".example.org", PORT + names.indexOf(name)))
            .toList();
    String plan =
        new PlanTemplate()
            .with("federation", "demo")
            .with("network", "ring:1")
            .with("formula", DemoData.FORMULA)
            .with("family", "binomial")
            .text(sites);
    RehearsalReport report = new RehearsalRun(console).run(folder, plan, data, "south");
    Path page = report.write(folder);
    report.print(console.out());
    console.out().printf("%nreport: %s%n", page);
    return Exit.DONE;
  }

  private static Path unused() {
    Path folder = Path.of("ngd-demo");
    for (int i = 2; !isFree(folder); i++) {
      folder = Path.of("ngd-demo-" + i);
    }
    return folder;
  }

  private static boolean isFree(Path folder) {
    try (var files = Files.newDirectoryStream(folder)) {
      return !files.iterator().hasNext();
    } catch (IOException notThere) {
      return Files.notExists(folder);
    }
  }
}
