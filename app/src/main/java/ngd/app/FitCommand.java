package ngd.app;

import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code ngd fit}: learns the coefficients over simulated clients. */
@Command(
    name = "fit",
    description = "Learns one model over simulated clients, and writes a run folder.")
final class FitCommand implements Callable<Integer>, ConfigFile.Reader {
  @ParentCommand private @Nullable Ngd ngd;

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "FILE",
      description =
          "A YAML file with options as keys; flags override it, its paths are relative to it.")
  private @Nullable Path configFile;

  @Mixin private ProblemOptions problem = new ProblemOptions();
  @Mixin private RunOptions run = new RunOptions();

  @Option(
      names = "--format",
      paramLabel = "WORD",
      defaultValue = "text",
      converter = Format.Converter.class,
      description = "text (the default) or json.")
  private Format format = Format.TEXT;

  @Override
  public @Nullable Path configFile() {
    return configFile;
  }

  @Override
  public Integer call() {
    Problems problems = new Problems();
    RunOptions.Plan plan = run.plan(problems);
    Problem prepared = problem.prepare(problems);
    problems.throwIfAny();
    return Ngd.DONE;
  }
}
