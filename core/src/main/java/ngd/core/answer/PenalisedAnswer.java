package ngd.core.answer;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import ngd.core.inference.Coefficient;
import ngd.core.inference.CrossValidation;
import ngd.core.inference.PenalisedEstimate;
import ngd.core.inference.PenalisedFit;
import ngd.core.model.Categories;
import ngd.core.model.Cox;
import ngd.core.model.NegativeBinomial;
import ngd.core.model.Regression;
import ngd.core.question.PenaltyKeys;
import ngd.core.question.PooledKeys;
import ngd.core.question.Question;
import ngd.core.run.JsonObject;
import ngd.core.run.RunFolder;

/**
 * Penalised estimates along a path, as glmnet reports them; see docs/penalties.md.
 *
 * @param choice how one of them was chosen, where there was a choice
 * @param level of the intervals, which there are none of
 */
public record PenalisedAnswer(
    ModelDescription model,
    PenalisedEstimate estimate,
    PenalisedFit.Choice choice,
    double level,
    RowsUsed rowsUsed)
    implements Answer {
  /** Why no standard errors are told. */
  public static final String WITHHELD =
      "penalised estimates are biased towards 0 by an unknown amount, and which coefficients are 0"
          + " was chosen by the same data; no standard error accounts for that";

  /** The answer of a question. */
  public static PenalisedAnswer of(
      PenalisedEstimate estimate, Question question, ModelDescription model, RowsUsed rowsUsed) {
    return new PenalisedAnswer(
        model.of(estimate.terms()),
        estimate,
        PenaltyKeys.settings(question).choice(),
        question.get(PooledKeys.LEVEL),
        rowsUsed);
  }

  /** The coefficients at the chosen λ; none where nothing was chosen. */
  public List<Coefficient> coefficients() {
    List<Coefficient> lines = new ArrayList<>();
    if (estimate.chosen().isPresent()) {
      List<Double> theta = estimate.path().get(estimate.chosen().getAsInt()).coefficients();
      for (int j = 0; j < theta.size(); j++) {
        lines.add(
            new Coefficient(
                estimate.terms().get(j),
                theta.get(j),
                Double.NaN,
                Double.NaN,
                Double.NaN,
                Double.NaN,
                Double.NaN));
      }
    }
    return lines;
  }

  /** What a reader should know before trusting the numbers, a sentence each. */
  public List<String> notes() {
    return model.notes();
  }

  @Override
  public JsonObject json() {
    Regression regression = estimate.regression();
    JsonObject described =
        new JsonObject()
            .put(
                "family",
                regression.name().equals("negative-binomial")
                    ? regression.name()
                    : regression.family())
            .put("link", regression.link());
    if (regression instanceof NegativeBinomial counts) {
      described.put("theta", counts.theta());
    }
    if (regression instanceof Categories classes) {
      described.put("classes", classes.classes());
    }
    JsonObject json =
        new JsonObject()
            .put("model", model.describe(described))
            .put(
                "coefficients",
                coefficients().stream().map(line -> PooledAnswer.json("term", line)).toList())
            .put("ratio", null)
            .put("exponentiated", false)
            .put("statistic", "z")
            .put("dfStatistic", null)
            .put("level", level)
            .put("covariance", null)
            .put("vcov", null)
            .put("withheld", WITHHELD)
            .put("notes", notes())
            .put("sites", estimate.clients());
    rowsUsed.describe(json);
    json.put("nullDeviance", estimate.nullDeviance()).put("penalty", penalty());
    if (estimate.chosen().isPresent()) {
      json.put("deviance", estimate.path().get(estimate.chosen().getAsInt()).deviance());
    }
    if (regression instanceof Cox cox) {
      json.put("cox", new JsonObject().put("ties", cox.ties().word()));
    }
    return json;
  }

  private JsonObject penalty() {
    JsonObject json =
        new JsonObject()
            .put("shape", estimate.penalty().word())
            .put("mix", estimate.penalty().mix())
            .put("terms", estimate.terms())
            .put("factors", estimate.factors())
            .put("deviations", estimate.deviations())
            .put("totals", estimate.totals())
            .put("path", estimate.path().stream().map(this::json).toList())
            .put("lambda", null);
    estimate.chosen().ifPresent(place -> json.put("lambda", estimate.path().get(place).lambda()));
    if (estimate.validation().isPresent()) {
      CrossValidation found = estimate.validation().get();
      json.put("folds", found.folds())
          .put("select", choice.word())
          .put("lambdaMin", estimate.path().get(found.least()).lambda())
          .put("lambda1se", estimate.path().get(found.simplest()).lambda())
          .put("cvMean", found.means())
          .put("cvStdError", found.errors());
    }
    return json;
  }

  private JsonObject json(PenalisedEstimate.Step step) {
    return new JsonObject()
        .put("lambda", step.lambda())
        .put("nonzero", step.nonzero())
        .put("deviance", step.deviance())
        .put("explained", estimate.explained(step))
        .put("coefficients", step.coefficients());
  }

  @Override
  public SequencedMap<String, RunFolder.Content> tables() {
    SequencedMap<String, RunFolder.Content> files = new LinkedHashMap<>();
    if (estimate.chosen().isPresent()) {
      List<List<String>> lines = new ArrayList<>();
      lines.add(PooledAnswer.HEAD);
      coefficients().forEach(line -> lines.add(PooledAnswer.line(line)));
      files.put("coefficients.csv", RunFolder.csv(lines));
    }
    List<List<String>> path = new ArrayList<>();
    List<String> head = new ArrayList<>(List.of("lambda", "nonzero", "deviance", "explained"));
    head.addAll(estimate.terms());
    path.add(head);
    for (PenalisedEstimate.Step step : estimate.path()) {
      List<String> line = new ArrayList<>();
      line.add(PooledAnswer.text(step.lambda()));
      line.add(Integer.toString(step.nonzero()));
      line.add(PooledAnswer.text(step.deviance()));
      line.add(PooledAnswer.text(estimate.explained(step)));
      step.coefficients().forEach(value -> line.add(PooledAnswer.text(value)));
      path.add(line);
    }
    files.put("path.csv", RunFolder.csv(path));
    estimate.validation().ifPresent(found -> files.put("cv.csv", RunFolder.csv(lines(found))));
    return files;
  }

  private List<List<String>> lines(CrossValidation found) {
    List<List<String>> lines = new ArrayList<>();
    lines.add(List.of("lambda", "mean", "std_error", "nonzero", "choice"));
    for (int l = 0; l < estimate.path().size(); l++) {
      lines.add(
          List.of(
              PooledAnswer.text(estimate.path().get(l).lambda()),
              PooledAnswer.text(found.means().get(l)),
              PooledAnswer.text(found.errors().get(l)),
              Integer.toString(estimate.path().get(l).nonzero()),
              (l == found.least() ? "min" : "")
                  + (l == found.least() && l == found.simplest() ? " " : "")
                  + (l == found.simplest() ? "1se" : "")));
    }
    return lines;
  }
}
