package ngd.core.answer;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.SequencedMap;
import ngd.core.inference.AnalysisOfDeviance;
import ngd.core.inference.Covariance;
import ngd.core.inference.MixedEstimate;
import ngd.core.inference.RandomPart;
import ngd.core.inference.RatioScale;
import ngd.core.question.PooledKeys;
import ngd.core.question.Question;
import ngd.core.run.JsonObject;
import ngd.core.run.RunFolder;
import org.jspecify.annotations.Nullable;

/**
 * A mixed model, as {@code lme4::lmer} or {@code glmer} reports it of the pooled rows; see
 * docs/mixed.md.
 *
 * @param level of the intervals
 * @param exponentiated whether coefficients are shown as ratios
 * @param anova tests of the fixed terms one after the other, where they were asked for
 * @param folders where each client's predicted effects are written, of those that this process
 *     holds: a folder with a slash at its end, or nothing
 */
public record MixedAnswer(
    ModelDescription model,
    MixedEstimate estimate,
    double level,
    boolean exponentiated,
    Optional<AnalysisOfDeviance> anova,
    List<String> folders,
    RowsUsed rowsUsed)
    implements Answer {
  /** The file of the predicted effects of a site's groups, which stays there. */
  public static final String EFFECTS = "random_effects.csv";

  public MixedAnswer {
    folders = List.copyOf(folders);
  }

  /** All that is reported of an estimate. */
  public static MixedAnswer of(
      MixedEstimate estimate,
      Question question,
      ModelDescription model,
      RowsUsed rowsUsed,
      List<String> folders) {
    return new MixedAnswer(
        model,
        estimate,
        question.get(PooledKeys.LEVEL),
        question.get(PooledKeys.EXPONENTIATE),
        question.get(PooledKeys.ANOVA)
            ? Optional.of(estimate.anova(model.termOfEach()))
            : Optional.empty(),
        folders,
        rowsUsed);
  }

  /** Minus twice the log-likelihood of the first model that terms are tested against. */
  public OptionalDouble nullDeviance() {
    return anova
        .filter(tests -> !tests.lines().isEmpty())
        .map(tests -> tests.lines().getFirst())
        .map(line -> OptionalDouble.of(line.residualDeviance() + line.deviance()))
        .orElse(OptionalDouble.empty());
  }

  /** The rows less the parameters of that model. */
  public OptionalLong nullFreedom() {
    return anova
        .filter(tests -> !tests.lines().isEmpty())
        .map(tests -> tests.lines().getFirst())
        .map(line -> OptionalLong.of(line.residualFreedom() + line.test().freedom()))
        .orElse(OptionalLong.empty());
  }

  /** What exponentiated coefficients are, where they are anything. */
  public Optional<RatioScale> ratio() {
    return RatioScale.of(estimate.glm());
  }

  /** What a reader should know before trusting the numbers, a sentence each. */
  public List<String> notes() {
    List<String> notes = new ArrayList<>(model.notes());
    notes.addAll(estimate.notes());
    if (anova.isPresent() && estimate.reml()) {
      notes.add("the tests of terms compare fits by maximum likelihood, which anova() refits too");
    }
    return notes;
  }

  @Override
  public JsonObject json() {
    JsonObject json =
        new JsonObject()
            .put(
                "model",
                model.describe(
                    new JsonObject()
                        .put("family", estimate.glm().family())
                        .put("link", estimate.glm().link())))
            .put(
                "coefficients",
                estimate.coefficients(level).stream()
                    .map(line -> PooledAnswer.json(line, ratio()))
                    .toList())
            .put("ratio", ratio().map(RatioScale::words).orElse(null))
            .put("exponentiated", exponentiated)
            .put("statistic", "z")
            .put("dfStatistic", null)
            .put("level", level)
            .put("covariance", Covariance.MODEL.words())
            .put("vcov", PooledAnswer.rows(estimate.covariance(), estimate.terms().size()))
            .put("withheld", null)
            .put("notes", notes())
            .put("sites", estimate.clients());
    rowsUsed.describe(json);
    json.put("dispersion", estimate.residualVariance())
        .put("dfResidual", (long) estimate.rows() - estimate.parameters())
        .put("deviance", estimate.criterion())
        .put("logLikelihood", estimate.logLikelihood())
        .put("aic", estimate.aic())
        .put("bic", estimate.bic())
        .put("remainingBias", estimate.distance())
        .put("rounds", 0)
        .put("lastSteps", estimate.steps())
        .put("mixed", mixed());
    anova.ifPresent(tests -> json.put("anova", PooledAnswer.json(tests)));
    nullDeviance().ifPresent(value -> json.put("nullDeviance", value));
    nullFreedom().ifPresent(value -> json.put("dfNull", value));
    return json;
  }

  private JsonObject mixed() {
    JsonObject mixed = new JsonObject();
    if (!estimate.linear()) {
      mixed.put("quadrature", estimate.points());
    }
    return mixed
        .put("reml", estimate.reml())
        .put("criterion", estimate.criterion())
        .put("singular", estimate.singular())
        .put("parameters", estimate.parameters())
        .put("theta", estimate.factors())
        .put("groups", estimate.components().stream().map(MixedAnswer::json).toList())
        .put(
            "residual",
            estimate.linear()
                ? new JsonObject()
                    .put("variance", estimate.residualVariance())
                    .put("sd", Math.sqrt(estimate.residualVariance()))
                : null);
  }

  private static JsonObject json(MixedEstimate.Component component) {
    RandomPart part = component.part();
    List<JsonObject> effects = new ArrayList<>();
    List<List<@Nullable Double>> correlations = new ArrayList<>();
    for (int i = 0; i < part.effects().size(); i++) {
      effects.add(
          new JsonObject()
              .put("effect", part.effects().get(i))
              .put("variance", component.covariance().get(i).get(i))
              .put("sd", component.deviation(i)));
      List<@Nullable Double> row = new ArrayList<>();
      for (int j = 0; j < i; j++) {
        double correlation = component.correlation(i, j);
        row.add(Double.isNaN(correlation) ? null : Double.valueOf(correlation));
      }
      correlations.add(row);
    }
    return new JsonObject()
        .put("group", part.group())
        .put("groups", component.groups())
        .put("effects", effects)
        .put("correlations", correlations);
  }

  @Override
  public SequencedMap<String, RunFolder.Content> tables() {
    SequencedMap<String, RunFolder.Content> files = new LinkedHashMap<>();
    files.put(
        "coefficients.csv",
        PooledAnswer.table(estimate.coefficients(level), ratio().filter(_ -> exponentiated)));
    files.put(
        "vcov.csv",
        PooledAnswer.table(
            estimate.terms(), PooledAnswer.rows(estimate.covariance(), estimate.terms().size())));
    files.put("variances.csv", RunFolder.csv(variances()));
    return files;
  }

  /** As {@code as.data.frame(VarCorr())} has it. */
  private List<List<String>> variances() {
    List<List<String>> lines = new ArrayList<>();
    lines.add(List.of("grp", "var1", "var2", "vcov", "sdcor"));
    for (MixedEstimate.Component component : estimate.components()) {
      List<String> effects = component.part().effects();
      for (int i = 0; i < effects.size(); i++) {
        lines.add(
            List.of(
                component.part().group(),
                effects.get(i),
                "",
                PooledAnswer.text(component.covariance().get(i).get(i)),
                PooledAnswer.text(component.deviation(i))));
      }
      for (int i = 0; i < effects.size(); i++) {
        for (int j = i + 1; j < effects.size(); j++) {
          lines.add(
              List.of(
                  component.part().group(),
                  effects.get(i),
                  effects.get(j),
                  PooledAnswer.text(component.covariance().get(i).get(j)),
                  PooledAnswer.text(component.correlation(i, j))));
        }
      }
    }
    if (estimate.linear()) {
      lines.add(
          List.of(
              "Residual",
              "",
              "",
              PooledAnswer.text(estimate.residualVariance()),
              PooledAnswer.text(Math.sqrt(estimate.residualVariance()))));
    }
    return lines;
  }

  @Override
  public SequencedMap<String, RunFolder.Content> own() {
    SequencedMap<String, RunFolder.Content> files = new LinkedHashMap<>();
    for (int m = 0; m < folders.size(); m++) {
      List<List<String>> lines = new ArrayList<>();
      lines.add(List.of("grp", "level", "effect", "value"));
      for (MixedEstimate.Predicted one : estimate.predicted(m)) {
        lines.add(List.of(one.group(), one.level(), one.effect(), PooledAnswer.text(one.value())));
      }
      files.put(folders.get(m) + EFFECTS, RunFolder.csv(lines));
    }
    return files;
  }
}
