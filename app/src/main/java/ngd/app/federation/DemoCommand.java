package ngd.app.federation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import ngd.app.terminal.Console;
import ngd.app.terminal.Exit;
import ngd.app.terminal.RootCommand;
import ngd.core.data.TableAddress;
import ngd.core.question.Approach;
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
      "Runs a demonstration: four made-up hospitals, each with its own database, fit one model as real peers over mutual TLS, by masked sums and by rounds of network gradient descent, where one peer is killed and restarted. Compares both with the pooled fit, and says what the sites learn of each other.",
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
    show(
        "By masked sums",
        console,
        folder.resolve("sums"),
        plan(sites, Approach.POOLED),
        data,
        Optional.empty());
    show(
        "By rounds of network gradient descent",
        console,
        folder.resolve("rounds"),
        plan(sites, Approach.POOLED_ROUNDS),
        data,
        Optional.of("south"));
    return Exit.DONE;
  }

  private static String plan(List<Site> sites, String algorithm) {
    return new PlanTemplate()
        .with("federation", "demo")
        .with("network", "ring:1")
        .with("formula", DemoData.FORMULA)
        .with("family", "binomial")
        .with("algorithm", algorithm)
        .text(sites);
  }

  /** One way to the answer: the peers at work, what they find, what they learn of each other. */
  private static void show(
      String title,
      Console console,
      Path folder,
      String plan,
      List<TableAddress> data,
      Optional<String> victim)
      throws InterruptedException {
    RehearsalReport report =
        new RehearsalRun(console).run(RehearsalRun.folder(folder), plan, data, victim);
    Path page = report.write(folder);
    console.out().printf("%s%n%n", title);
    report.print(console.out());
    report.exposure().forEach(line -> console.out().println(line));
    console.out().printf("report: %s%n%n", page);
    console.out().flush();
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
