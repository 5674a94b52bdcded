package ngd.core.answer;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.SequencedMap;
import ngd.core.preparation.Description;
import ngd.core.preparation.Summary;
import ngd.core.preparation.TablesFound;
import ngd.core.run.JsonObject;
import ngd.core.run.RunFolder;
import org.jspecify.annotations.Nullable;

/**
 * What the variables look like.
 *
 * @param sites how many there are
 * @param found the tables that were asked for besides
 * @param fewest the rows that a class must have where sites have rules; 0 where they have none
 */
public record DescriptionAnswer(
    int sites, List<Summary> summaries, TablesFound found, List<String> notes, int fewest)
    implements Answer {
  public DescriptionAnswer {
    summaries = List.copyOf(summaries);
    notes = List.copyOf(notes);
  }

  /** Of a description, with the notes of the sites here among them where these are all. */
  public static DescriptionAnswer of(int sites, Description.Outcome found, boolean all) {
    List<String> notes = new ArrayList<>(found.notes());
    if (all) {
      notes.addAll(found.ownNotes());
    }
    return new DescriptionAnswer(sites, found.summaries(), found.tables(), notes, found.fewest());
  }

  @Override
  public String document() {
    return "description.json";
  }

  @Override
  public RowsUsed rowsUsed() {
    return RowsUsed.all(rows());
  }

  @Override
  public SequencedMap<String, RunFolder.Content> tables() {
    SequencedMap<String, RunFolder.Content> tables = new LinkedHashMap<>();
    tables.put("numbers.csv", RunFolder.csv(numberLines()));
    tables.put("levels.csv", RunFolder.csv(levelLines()));
    new DescriptionTables(found).files(tables);
    return tables;
  }

  /** The rows of all sites. */
  public long rows() {
    return summaries.stream()
        .filter(one -> one.site().isEmpty())
        .mapToLong(one -> one.n() + one.missing())
        .max()
        .orElse(0);
  }

  public List<Summary.OfNumbers> numbers() {
    return summaries.stream()
        .filter(Summary.OfNumbers.class::isInstance)
        .map(Summary.OfNumbers.class::cast)
        .toList();
  }

  public List<Summary.OfLevels> levels() {
    return summaries.stream()
        .filter(Summary.OfLevels.class::isInstance)
        .map(Summary.OfLevels.class::cast)
        .toList();
  }

  @Override
  public JsonObject json() {
    List<JsonObject> all = new ArrayList<>();
    for (Summary one : summaries) {
      JsonObject object =
          new JsonObject()
              .put("variable", one.column())
              .put("site", one.site().orElse(null))
              .put("n", one.n())
              .put("missing", one.missing());
      switch (one) {
        case Summary.OfNumbers of -> {
          JsonObject quantiles = new JsonObject();
          for (int q = 0; q < of.quantiles().size(); q++) {
            quantiles.put(Double.toString(Description.SHARES.get(q)), of.quantiles().get(q));
          }
          object
              .put("type", of.type().name().toLowerCase(Locale.ROOT))
              .put("mean", of.mean())
              .put("standardDeviation", of.standardDeviation())
              .put("quantiles", quantiles)
              .put("quantileError", of.quantileError())
              .put("minimum", orNull(of.minimum()))
              .put("maximum", orNull(of.maximum()));
        }
        case Summary.OfLevels of -> {
          JsonObject counts = new JsonObject();
          of.counts().forEach(counts::put);
          object.put("levels", counts).put("levelsWithheld", of.withheld());
        }
        case Summary.Withheld of -> object.put("withheld", of.reason());
      }
      all.add(object);
    }
    JsonObject json =
        new JsonObject().put("rows", rows()).put("sites", sites).put("variables", all);
    new DescriptionTables(found).put(json);
    return json.put("notes", notes);
  }

  private static @Nullable Double orNull(OptionalDouble value) {
    return value.isPresent() ? value.getAsDouble() : null;
  }

  private List<List<String>> numberLines() {
    List<List<String>> lines = new ArrayList<>();
    lines.add(
        List.of(
            "variable",
            "site",
            "n",
            "missing",
            "mean",
            "sd",
            "q05",
            "q25",
            "q50",
            "q75",
            "q95",
            "quantile_error",
            "min",
            "max",
            "type"));
    for (Summary.OfNumbers one : numbers()) {
      List<String> line = new ArrayList<>();
      line.add(one.column());
      line.add(one.site().orElse(""));
      line.add(Long.toString(one.n()));
      line.add(Long.toString(one.missing()));
      line.add(number(one.mean()));
      line.add(number(one.standardDeviation()));
      one.quantiles().forEach(quantile -> line.add(number(quantile)));
      line.add(number(one.quantileError()));
      line.add(number(one.minimum().orElse(Double.NaN)));
      line.add(number(one.maximum().orElse(Double.NaN)));
      line.add(one.type().name().toLowerCase(Locale.ROOT));
      lines.add(line);
    }
    return lines;
  }

  static String number(double value) {
    return Double.isNaN(value) ? "" : Double.toString(value);
  }

  private List<List<String>> levelLines() {
    List<List<String>> lines = new ArrayList<>();
    lines.add(List.of("variable", "site", "level", "count", "n", "missing", "withheld"));
    for (Summary.OfLevels one : levels()) {
      one.counts()
          .forEach(
              (level, count) ->
                  lines.add(
                      List.of(
                          one.column(),
                          one.site().orElse(""),
                          level,
                          Long.toString(count),
                          Long.toString(one.n()),
                          Long.toString(one.missing()),
                          Long.toString(one.withheld()))));
    }
    return lines;
  }
}
