package ngd.app.bench;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.logging.Level;
import java.util.logging.Logger;
import ngd.app.terminal.Console;
import ngd.app.terminal.Exit;
import ngd.app.terminal.RootCommand;
import ngd.core.Problems;
import ngd.peer.bench.BenchSums;
import ngd.peer.plan.MaskGraph;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/**
 * {@code ngd bench sums}: a pooled logistic answer by masked, signed sums, of many peers in one
 * process.
 */
@Command(
    name = "sums",
    description =
        "Measures a pooled logistic fit by masked and signed sums over many peers in one process.")
final class BenchSumsCommand implements Callable<Integer> {
  private static final Logger LOG = Logger.getLogger("ngd.peer");
  private static final int LEAST = 6;
  private static final int MOST = 100_000;

  @ParentCommand private @Nullable BenchCommand bench;

  @Option(
      names = "--sites",
      paramLabel = "M",
      split = ",",
      description =
          "Numbers of sites; 10,30,100,300,1000 by default. 10,000 take about 10 GB of memory"
              + " (NGD_JAVA_OPTS=-Xmx12g).")
  private List<Integer> sites = List.of(10, 30, 100, 300, 1000);

  @Option(
      names = "--network",
      paramLabel = "SPEC",
      description = "Network; small-world:2:0.5 by default.")
  private String network = "small-world:2:0.5";

  @Option(names = "--p", paramLabel = "P", description = "Coefficients; 4 by default.")
  private int parameters = 4;

  @Override
  public Integer call() throws Exception {
    Console console = RootCommand.consoleOf(Objects.requireNonNull(bench).ngd());
    Problems problems = new Problems();
    for (int count : sites) {
      problems.require(
          count >= LEAST && count <= MOST,
          "--sites: must lie in [%d, %d]; got %d".formatted(LEAST, MOST, count));
    }
    problems.require(
        parameters >= 1 && parameters <= 100,
        "--p: must lie in [1, 100]; got %d".formatted(parameters));
    problems.throwIfAny();
    // Peers of one process that find each other are no news.
    LOG.setLevel(Level.WARNING);
    for (int count : sites) {
      BenchSums.Measure found = new BenchSums(network, count, parameters, 20).run();
      console
          .out()
          .printf(
              "%d sites, %s, %d mask partners: %.1f s (%.1f s to start), %.2f ms of processor time"
                  + " a site; a site sends %.0f bytes in %.0f messages, at most %d bytes; %d"
                  + " calls%n",
              count,
              network,
              MaskGraph.partners(count),
              found.seconds(),
              found.starting(),
              1e3 * found.processor() / count,
              found.bytes(),
              found.messages(),
              found.mostBytes(),
              found.calls());
      console.out().flush();
    }
    return Exit.DONE;
  }
}
