package ngd.app;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import ngd.app.terminal.Problems;
import ngd.core.data.TableAddress;
import ngd.core.formula.Formula;
import ngd.core.preparation.Missing;
import ngd.core.training.TrainingData;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say what a network learns from. */
final class TrainingDataOptions {
  @Option(
      names = "--data",
      paramLabel = "PLACE",
      description =
          "mnist:DIR, cifar10:DIR, images:DIR with train/CLASS/*.png and test/CLASS/*.png, or a"
              + " table as for fit: a file (.csv, .tsv, .parquet, .jsonl; text may be gzipped), a"
              + " pattern such as 'visits/*.parquet', or a jdbc: URL with --query.")
  private @Nullable String place;

  @Option(
      names = "--response",
      paramLabel = "NAME",
      description = "A table's column with the classes: words or numbers.")
  private @Nullable String response;

  @Option(
      names = "--features",
      paramLabel = "NAME",
      split = ",",
      description = "A table's columns to learn from; all others by default. Words are factors.")
  private List<String> features = List.of();

  @Option(
      names = "--formula",
      paramLabel = "TEXT",
      description = "Both of these in R's notation, as for fit: 'species ~ log(area) + region'.")
  private @Nullable String formula;

  @Option(
      names = "--query",
      paramLabel = "SQL",
      description = "A table, or what to ask the database for (of a file: from data).")
  private @Nullable String query;

  @Option(
      names = "--missing",
      paramLabel = "WORD",
      description =
          "A table's rows with missing values: drop (the default; they are counted) or fail.")
  private @Nullable String missing;

  @Option(
      names = "--na",
      paramLabel = "WORD",
      split = ",",
      description =
          "Words that mean a missing value, beside empty fields, such as '?'; NA by default.")
  private List<String> na = List.of();

  /** What they say; null where something is wrong with it, and then {@code problems} say what. */
  @Nullable TrainingData data(Problems problems) {
    String given = place;
    if (given == null) {
      problems.add(
          "--data: what to learn from must be given, such as mnist:DIR or table.csv with --response");
      return null;
    }
    if (!given.startsWith("jdbc:") && Files.isDirectory(Path.of(given))) {
      problems.add(
          "--data: must be a table, or say what the folder holds, as in mnist:%s; it is a folder"
              .formatted(given));
      return null;
    }
    if (TrainingData.isTable(given)) {
      return table(given, problems);
    }
    problems.require(
        response == null
            && features.isEmpty()
            && formula == null
            && query == null
            && missing == null
            && na.isEmpty(),
        "--response, --features, --formula, --query, --missing and --na: go with a table; --data is %s"
            .formatted(given));
    return problems.collect(() -> TrainingData.Images.parse(given));
  }

  private @Nullable TrainingData table(String given, Problems problems) {
    Missing rows = problems.collect(() -> Missing.parse(missing == null ? "drop" : missing));
    Formula parsed = formula(problems);
    return rows == null || parsed == null
        ? null
        : new TrainingData.Rows(
            new TableAddress("data", given, Optional.ofNullable(query), na), parsed, rows);
  }

  private @Nullable Formula formula(Problems problems) {
    String text = formula;
    String column = response;
    if (text != null) {
      problems.require(
          column == null && features.isEmpty(),
          "--response and --features: do not go with --formula, which says it all");
      return problems.collect(() -> Formula.parse(text));
    }
    if (column == null) {
      problems.add("--response: the table's column with the classes must be named");
      return null;
    }
    return problems.collect(() -> Formula.of(column, features, true));
  }
}
