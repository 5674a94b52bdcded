package ngd.core.answer;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SequencedMap;
import ngd.core.algorithm.StepSize;
import ngd.core.run.JsonObject;
import ngd.core.run.RunFolder;
import ngd.core.theory.Check;
import ngd.core.theory.Condition;
import org.jspecify.annotations.Nullable;

/**
 * What the theory says of a fit.
 *
 * @param step the step size that was given
 */
public record CheckAnswer(Check check, Optional<StepSize> step, RowsUsed rowsUsed)
    implements Answer {
  @Override
  public String document() {
    return "check.json";
  }

  @Override
  public SequencedMap<String, RunFolder.Content> tables() {
    SequencedMap<String, RunFolder.Content> tables = new LinkedHashMap<>();
    tables.put("check.csv", RunFolder.csv(lines()));
    return tables;
  }

  private List<List<String>> lines() {
    List<List<String>> lines =
        new ArrayList<>(List.of(List.of("quantity", "value", "limit", "holds")));
    line(lines, "safe alpha", check.safeAlpha());
    line(lines, "alpha", OptionalDouble.of(check.alpha()));
    line(lines, "spectral radius", check.spectralRadius().value());
    line(lines, "stable distance", check.stableDistanceToGlobal().value());
    line(lines, "SE(Σxx)", OptionalDouble.of(check.seSigmaXX()));
    line(lines, "SE(Σxy)", OptionalDouble.of(check.seSigmaXY()));
    line(lines, "SE(score)", check.seScore().value());
    line(lines, "SE(W)", OptionalDouble.of(check.seW()));
    line(lines, "bound", check.bound().product());
    Boolean converges = check.converges();
    lines.add(List.of("converges", "", "", converges == null ? "" : converges.toString()));
    for (Condition condition : check.conditions()) {
      Boolean holds = condition.holds();
      lines.add(
          List.of(
              condition.name(),
              text(condition.value()),
              text(condition.limit()),
              holds == null ? "" : holds.toString()));
    }
    return lines;
  }

  private static void line(List<List<String>> lines, String quantity, OptionalDouble value) {
    lines.add(List.of(quantity, text(value), "", ""));
  }

  private static String text(OptionalDouble value) {
    return value.isPresent() ? Double.toString(value.getAsDouble()) : "";
  }

  @Override
  public JsonObject json() {
    JsonObject json = judged();
    return check.period() == 1 ? json : json.put("period", check.period());
  }

  private JsonObject judged() {
    return new JsonObject()
        .put("converges", check.converges())
        .put("reason", check.reason())
        .put("safeAlpha", number(check.safeAlpha()))
        .put("alpha", check.alpha())
        .put("spectralRadius", number(check.spectralRadius().value()))
        .put("stableDistanceToGlobal", number(check.stableDistanceToGlobal().value()))
        .put("seSigmaXX", check.seSigmaXX())
        .put("seSigmaXY", check.seSigmaXY())
        .put("seScore", number(check.seScore().value()))
        .put("seW", check.seW())
        .put("rows", rowsUsed.rows())
        .put("conditions", check.conditions().stream().map(CheckAnswer::json).toList())
        .put(
            "bound",
            new JsonObject()
                .put("network", check.bound().network())
                .put("data", number(check.bound().data()))
                .put("product", number(check.bound().product()))
                .put("words", check.bound().words()))
        .put(
            "notes",
            new JsonObject()
                .put("alpha", aboutAlpha())
                .put("spectralRadius", check.spectralRadius().how())
                .put("stableDistanceToGlobal", check.stableDistanceToGlobal().how())
                .put("seScore", check.seScore().how()));
  }

  private static JsonObject json(Condition condition) {
    return new JsonObject()
        .put("name", condition.name())
        .put("holds", condition.holds())
        .put("value", number(condition.value()))
        .put("limit", number(condition.limit()))
        .put("largestAlpha", number(condition.largestAlpha()))
        .put("words", condition.words());
  }

  private static @Nullable Double number(OptionalDouble value) {
    return value.isPresent() ? value.getAsDouble() : null;
  }

  /** Where the step size comes from, in words. */
  public String aboutAlpha() {
    if (step.isEmpty()) {
      return "half the safe limit, the default";
    }
    return switch (step.get()) {
      case StepSize.Constant _ -> "as given";
      case StepSize.Cuts cuts -> "the last of " + cuts;
      case StepSize other -> "the largest of " + other;
    };
  }
}
