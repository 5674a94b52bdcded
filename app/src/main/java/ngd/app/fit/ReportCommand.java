package ngd.app.fit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import ngd.app.answer.AnswerReport;
import ngd.app.terminal.Exit;
import ngd.app.terminal.RootCommand;
import ngd.core.InvalidInput;
import ngd.core.file.WholeFile;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code ngd report}: a pooled answer as a page. */
@Command(
    name = "report",
    description = {
      "Writes a page that shows a pooled answer: coefficients with a forest plot, fit, calibration,"
          + " AUC, residuals; or survival curves with numbers at risk.",
      "It reads run folders of `fit --out` and the folders of real peers alike.",
      ""
    })
public final class ReportCommand implements Callable<Integer> {
  @ParentCommand private @Nullable RootCommand parent;

  @Parameters(
      arity = "1",
      paramLabel = "RUN",
      description = "Run folder of a pooled fit, or its result.json.")
  private Path run = Path.of("");

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description = "HTML file to write; report.html beside result.json by default.")
  private @Nullable Path out;

  @Override
  public Integer call() {
    Path result = Files.isDirectory(run) ? run.resolve("result.json") : run;
    Path file = out == null ? result.resolveSibling("report.html") : out;
    Path folder = file.toAbsolutePath().getParent();
    if (Files.isDirectory(file)
        || folder == null
        || !Files.isDirectory(folder)
        || !Files.isWritable(folder)) {
      throw new InvalidInput(
          "--out: must be a file in a folder that can be written; %s is not".formatted(file));
    }
    String page = AnswerReport.of(result);
    try {
      WholeFile.write(file, page);
    } catch (IOException e) {
      throw new InvalidInput("%s: cannot be written: %s".formatted(file, e.getMessage()), e);
    }
    RootCommand.consoleOf(parent).out().printf("written to %s%n", file);
    return Exit.DONE;
  }
}
