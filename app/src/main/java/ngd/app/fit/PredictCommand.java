package ngd.app.fit;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import ngd.app.terminal.AsksQuestion;
import ngd.app.terminal.Console;
import ngd.app.terminal.Exit;
import ngd.app.terminal.RootCommand;
import ngd.core.NearestName;
import ngd.core.Problems;
import ngd.core.data.SiteTable;
import ngd.core.data.TableAddress;
import ngd.core.fit.Places;
import ngd.core.question.DataKeys;
import ngd.core.question.Key;
import ngd.core.question.Question;
import ngd.core.question.Words;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** {@code ngd predict}: what a fitted model expects of new rows. */
@Command(
    name = "predict",
    description = {
      "Predicts the response for new rows from a pooled fit.",
      "Rows with a missing value get an empty prediction. Where the response is one of several"
          + " levels, the prediction is the most likely one, with the probability of each beside"
          + " it.",
      ""
    })
public final class PredictCommand implements Callable<Integer>, AsksQuestion {
  @ParentCommand private @Nullable RootCommand parent;

  @Option(
      names = "--model",
      paramLabel = "DIR",
      required = true,
      description = "Run folder of the fit, or its result.json.")
  private Path model = Path.of("");

  @Option(
      names = "--type",
      paramLabel = "WORD",
      defaultValue = "response",
      description = "response (the default): the expected response; link: the linear predictor.")
  private String type = "response";

  @Option(
      names = "--interval",
      description = "Add a confidence interval for the expected response, at the level of the fit.")
  private boolean interval;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description = "New CSV file to write; standard output by default.")
  private @Nullable Path out;

  private Words words = new Words(Words.Style.FLAGS);

  @Override
  public List<Key<?>> keys() {
    return List.of(DataKeys.DATA, DataKeys.QUERY, DataKeys.NA, DataKeys.DECIMAL, DataKeys.ENCODING);
  }

  @Override
  public void asked(Words said) {
    words = said;
  }

  @Override
  public Integer call() {
    Console console = RootCommand.consoleOf(parent);
    Problems problems = new Problems();
    List<String> types = List.of("response", "link");
    problems.require(
        types.contains(type),
        "--type: must be response or link; got `%s`%s"
            .formatted(type, NearestName.hint(type, types)));
    Question rows = Question.read(keys(), words, problems);
    problems.require(rows.says(DataKeys.DATA), "--data: must be given: a table of new rows");
    Path file = out;
    PredictionFile target = file == null ? null : problems.collect(() -> PredictionFile.at(file));
    FittedModel fitted = problems.collect(() -> FittedModel.read(model));
    List<TableAddress> addresses = Places.addresses(rows, problems);
    List<SiteTable> tables = problems.any() ? null : Places.open(addresses, problems);
    problems.throwIfAny();
    if (fitted == null || tables == null) {
      throw new IllegalStateException("a request without problems must be complete");
    }
    try (SiteTable table = tables.getFirst()) {
      Prediction prediction = new Prediction(fitted, table, type.equals("response"), interval);
      if (target == null) {
        // All of it or nothing: a row may still be refused.
        List<String> lines = new ArrayList<>();
        prediction.write(lines::add);
        lines.forEach(console.out()::println);
      } else {
        target.write(prediction::write);
        console.out().printf("written to %s%n", file);
      }
    }
    return Exit.DONE;
  }
}
