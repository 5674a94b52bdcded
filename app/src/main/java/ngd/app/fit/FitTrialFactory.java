package ngd.app.fit;

import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import ngd.app.terminal.Console;
import ngd.app.terminal.Problems;
import ngd.app.terminal.Syntax;
import ngd.app.window.Trial;
import ngd.app.window.TrialFactory;
import ngd.core.algorithm.Algorithms;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * Makes the window's runs as {@code ngd fit} makes its own: the same options, read and refused by
 * the same code, give the same numbers.
 */
public final class FitTrialFactory implements TrialFactory {
  /** The options of a fit, without a command around them. */
  @Command(name = "fit")
  static final class Options {
    @Mixin private SetupOptions setupOptions = new SetupOptions();
    @Mixin private RunOptions runOptions = new RunOptions();
  }

  @Override
  public Trial begin(Map<String, String> options) {
    List<String> words = new ArrayList<>();
    options.forEach((name, value) -> words.add("--%s=%s".formatted(name, value)));
    Options given = new Options();
    Console nowhere =
        new Console(OutputStream.nullOutputStream(), OutputStream.nullOutputStream(), false);
    Syntax syntax = new Syntax(given, nowhere);
    // Watched runs leave cores to each other and to the page; the results are the same.
    words.add("--threads=1");
    var _ = syntax.parse(words.toArray(String[]::new));
    syntax.refuseErrors();
    Problems problems = new Problems();
    RunOptions.Plan plan = given.runOptions.plan(problems);
    Setup setup = given.setupOptions.prepare(problems);
    problems.throwIfAny();
    if (plan == null || setup == null) {
      throw new IllegalStateException("a request without problems must be complete");
    }
    return new FitTrial(Fit.prepare(setup, plan), command(options));
  }

  private static String command(Map<String, String> options) {
    StringBuilder words = new StringBuilder("./ngd fit");
    options.forEach(
        (name, value) ->
            words
                .append(" --")
                .append(name)
                .append(' ')
                .append(value.startsWith("file:") ? "file:edges.csv" : value));
    return words.toString();
  }

  @Override
  public List<MethodWords> methods() {
    return Algorithms.all().stream()
        .map(
            method ->
                new MethodWords(
                    method.name(), method.summary(), method.takesStepSize(), method.asynchronous()))
        .toList();
  }
}
