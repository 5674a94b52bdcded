package ngd.app.fit;

import de.siegmar.fastcsv.writer.CsvWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.function.ToDoubleFunction;
import ngd.core.fit.Contender;
import ngd.core.run.JsonObject;
import ngd.core.run.RunFolder;
import ngd.core.simulation.Cost;
import ngd.core.simulation.Quartiles;
import ngd.core.simulation.Trace;

/**
 * The files of a comparison.
 *
 * @param seeds the seeds in the order of the runs
 */
record CompareFiles(List<ComparedMethod> methods, List<Long> seeds) {
  /** What a run costs, each an axis: by the name of its column. */
  private static final SequencedMap<String, ToDoubleFunction<Cost>> COSTS = costs();

  private static SequencedMap<String, ToDoubleFunction<Cost>> costs() {
    SequencedMap<String, ToDoubleFunction<Cost>> costs = new LinkedHashMap<>();
    costs.put("messages", cost -> cost.traffic().messages());
    costs.put("bytes", cost -> cost.traffic().bytes());
    costs.put("gradients", Cost::gradients);
    costs.put("simulated_seconds", Cost::seconds);
    return costs;
  }

  SequencedMap<String, RunFolder.Content> all() {
    SequencedMap<String, RunFolder.Content> files = new LinkedHashMap<>();
    files.put("compare.csv", RunFolder.lines(this::summary));
    files.put("trace.csv", RunFolder.lines(csv -> traces(csv, false)));
    if (seeds.size() > 1) {
      files.put("bands.csv", RunFolder.lines(this::bands));
      files.put("seeds.csv", RunFolder.lines(this::bySeed));
      files.put("seed-traces.csv", RunFolder.lines(csv -> traces(csv, true)));
    }
    if (methods.stream().anyMatch(method -> !method.outcome().tried().isEmpty())) {
      files.put("tuning.csv", RunFolder.lines(this::tuning));
    }
    CompareFigures figures = new CompareFigures(measured(), seeds.size() > 1);
    figures.draw(files, "rounds", ComparedMethod::round);
    COSTS.forEach((name, of) -> figures.draw(files, name, (one, look) -> one.cost(look, of)));
    files.put("result.json", RunFolder.text(json()));
    return files;
  }

  /** Whole numbers without a point: counts are whole, and so are their medians mostly. */
  private static String number(double value) {
    return value == Math.rint(value) && Math.abs(value) < 1e15
        ? Long.toString((long) value)
        : Double.toString(value);
  }

  /** {@code compare.csv}: a line for each method. */
  private void summary(CsvWriter csv) {
    List<String> head =
        new ArrayList<>(
            List.of(
                "algorithm",
                "alpha",
                "distance",
                "distance_q25",
                "distance_q75",
                "consensus",
                "rounds"));
    head.addAll(COSTS.sequencedKeySet());
    head.addAll(List.of("seconds", "seeds", "failed"));
    csv.writeRecord(head);
    for (ComparedMethod method : methods) {
      List<String> line = new ArrayList<>(List.of(method.word(), method.best().alpha()));
      Quartiles distance = method.best().distance();
      if (method.measured()) {
        for (double one : new double[] {distance.median(), distance.low(), distance.high()}) {
          line.add(Double.toString(one));
        }
      } else {
        line.addAll(List.of("", "", ""));
      }
      line.add(method.last("consensus").map(value -> Double.toString(value)).orElse(""));
      line.add(method.failed() ? "" : Integer.toString(method.rounds()));
      COSTS.forEach((_, of) -> line.add(method.failed() ? "" : number(method.cost(of))));
      line.add(Double.isNaN(method.seconds()) ? "" : Double.toString(method.seconds()));
      line.add(Integer.toString(seeds.size()));
      line.add(Integer.toString(method.failures()));
      csv.writeRecord(line);
    }
  }

  /** {@code seeds.csv}: a line for each method and seed. */
  private void bySeed(CsvWriter csv) {
    List<String> head =
        new ArrayList<>(List.of("algorithm", "seed", "distance", "consensus", "rounds"));
    head.addAll(COSTS.sequencedKeySet());
    head.add("failure");
    csv.writeRecord(head);
    for (ComparedMethod method : methods) {
      for (int i = 0; i < seeds.size(); i++) {
        Contender.SeedRun run = method.best().runs().get(i);
        List<String> line = new ArrayList<>(List.of(method.word(), Long.toString(seeds.get(i))));
        for (String measure : List.of("distance", "consensus")) {
          line.add(
              run.answer()
                  .flatMap(answer -> answer.last(measure))
                  .map(value -> Double.toString(value))
                  .orElse(""));
        }
        line.add(run.answer().map(answer -> Integer.toString(answer.allRounds())).orElse(""));
        COSTS.forEach(
            (_, of) ->
                line.add(
                    run.answer()
                        .flatMap(answer -> answer.course().cost())
                        .map(cost -> number(of.applyAsDouble(cost)))
                        .orElse("")));
        line.add(run.failure());
        csv.writeRecord(line);
      }
    }
  }

  /** {@code tuning.csv}: every step size that was tried. */
  private void tuning(CsvWriter csv) {
    csv.writeRecord("algorithm", "alpha", "seed", "rounds", "distance", "chosen");
    for (ComparedMethod method : methods) {
      for (Contender.Attempt attempt : method.outcome().tried()) {
        for (int i = 0; i < seeds.size(); i++) {
          csv.writeRecord(
              method.word(),
              attempt.alpha(),
              Long.toString(seeds.get(i)),
              attempt.failed() ? "" : Integer.toString(attempt.rounds()),
              Double.toString(attempt.runs().get(i).distance()),
              attempt.equals(method.best()) ? "yes" : "no");
        }
      }
    }
  }

  /** {@code trace.csv}, medians over seeds, or {@code seed-traces.csv}, each seed by itself. */
  private void traces(CsvWriter csv, boolean eachSeed) {
    List<String> measures =
        methods.stream()
            .flatMap(method -> method.traces().stream())
            .findFirst()
            .map(Trace::columns)
            .orElse(List.of());
    List<String> head = new ArrayList<>(List.of("algorithm"));
    if (eachSeed) {
      head.add("seed");
    }
    head.add("round");
    head.addAll(COSTS.sequencedKeySet());
    head.addAll(measures);
    csv.writeRecord(head);
    for (ComparedMethod method : methods) {
      if (eachSeed) {
        for (int i = 0; i < seeds.size(); i++) {
          List<String> start = List.of(method.word(), Long.toString(seeds.get(i)));
          method
              .best()
              .runs()
              .get(i)
              .answer()
              .flatMap(answer -> answer.course().trace())
              .ifPresent(trace -> seedTrace(csv, start, trace));
        }
      } else {
        medianTrace(csv, method, measures);
      }
    }
  }

  private static void seedTrace(CsvWriter csv, List<String> start, Trace trace) {
    for (int look = 0; look < trace.size(); look++) {
      List<String> line = new ArrayList<>(start);
      line.add(Integer.toString(trace.round(look)));
      Cost cost = trace.cost(look);
      COSTS.forEach((_, of) -> line.add(number(of.applyAsDouble(cost))));
      for (String column : trace.columns()) {
        line.add(Double.toString(trace.value(look, column)));
      }
      csv.writeRecord(line);
    }
  }

  private static void medianTrace(CsvWriter csv, ComparedMethod method, List<String> measures) {
    for (int look = 0; look < method.looks(); look++) {
      int at = look;
      List<String> line = new ArrayList<>(start(method, look));
      for (String measure : measures) {
        line.add(Double.toString(method.value(at, measure).median()));
      }
      csv.writeRecord(line);
    }
  }

  private static List<String> start(ComparedMethod method, int look) {
    List<String> line = new ArrayList<>(List.of(method.word()));
    line.add(Integer.toString(method.round(look)));
    COSTS.forEach((_, of) -> line.add(number(method.cost(look, of))));
    return line;
  }

  /** {@code bands.csv}: the quartiles over seeds of the distance to the global estimate. */
  private void bands(CsvWriter csv) {
    List<String> head = new ArrayList<>(List.of("algorithm", "round"));
    head.addAll(COSTS.sequencedKeySet());
    head.addAll(List.of("distance_q25", "distance", "distance_q75"));
    csv.writeRecord(head);
    for (ComparedMethod method : measured()) {
      for (int look = 0; look < method.looks(); look++) {
        Quartiles distance = method.value(look, "distance");
        List<String> line = start(method, look);
        line.add(Double.toString(distance.low()));
        line.add(Double.toString(distance.median()));
        line.add(Double.toString(distance.high()));
        csv.writeRecord(line);
      }
    }
  }

  private List<ComparedMethod> measured() {
    return methods.stream().filter(ComparedMethod::measured).toList();
  }

  JsonObject json() {
    return new JsonObject()
        .put("seeds", seeds)
        .put("algorithms", methods.stream().map(CompareFiles::json).toList());
  }

  private static JsonObject json(ComparedMethod method) {
    boolean failed = method.failed();
    Quartiles distance = method.best().distance();
    JsonObject json =
        new JsonObject()
            .put("algorithm", method.word())
            .put("alpha", method.best().alpha())
            .put("distanceToGlobal", method.measured() ? (Object) distance.median() : null)
            .put(
                "distanceQuartiles",
                method.measured() ? List.of(distance.low(), distance.high()) : null)
            .put("consensus", method.last("consensus").orElse(null))
            .put("rounds", failed ? null : (Object) method.rounds())
            .put(
                "messages",
                failed ? null : (Object) (long) method.cost(c -> c.traffic().messages()))
            .put("bytes", failed ? null : (Object) (long) method.cost(c -> c.traffic().bytes()))
            .put("gradients", failed ? null : (Object) (long) method.cost(Cost::gradients))
            .put("simulatedSeconds", failed ? null : (Object) method.cost(Cost::seconds))
            .put("seconds", Double.isNaN(method.seconds()) ? null : (Object) method.seconds())
            .put("failedSeeds", method.failures())
            .put("failure", method.failures() > 0 ? method.failure() : null);
    if (!method.outcome().tried().isEmpty()) {
      json.put(
          "tried",
          method.outcome().tried().stream()
              .map(
                  attempt ->
                      new JsonObject()
                          .put("alpha", Double.parseDouble(attempt.alpha()))
                          .put("distance", attempt.distance().median()))
              .toList());
    }
    return json;
  }
}
