package ngd.core.answer;

import java.util.ArrayList;
import java.util.List;
import ngd.core.inference.CovariateBalance;
import ngd.core.inference.PropensityWeights;
import ngd.core.run.JsonObject;
import ngd.core.run.RunFolder;

/** Weights by a treatment's probability, as documents and tables hold them. */
final class WeightingJson {
  private WeightingJson() {}

  static JsonObject of(PropensityWeights weights) {
    CovariateBalance balance = weights.balance();
    return new JsonObject()
        .put("estimand", weights.estimand().word())
        .put("stabilised", weights.stabilised())
        .put(
            "treatment",
            weights.coefficients().stream().map(line -> PooledAnswer.json("term", line)).toList())
        .put("treated", group(balance.treated()))
        .put("others", group(balance.others()))
        .put("balance", balance.lines().stream().map(WeightingJson::line).toList());
  }

  private static JsonObject group(CovariateBalance.Group group) {
    return new JsonObject()
        .put("rows", group.rows())
        .put("weight", group.weight())
        .put("effective", group.effective());
  }

  private static JsonObject line(CovariateBalance.Line line) {
    return new JsonObject()
        .put("term", line.term())
        .put("treated", line.treated())
        .put("others", line.others())
        .put("difference", line.difference())
        .put("weightedTreated", line.weightedTreated())
        .put("weightedOthers", line.weightedOthers())
        .put("weightedDifference", line.weightedDifference());
  }

  /** {@code balance.csv}. */
  static RunFolder.Content table(CovariateBalance balance) {
    List<List<String>> lines = new ArrayList<>();
    lines.add(
        List.of(
            "term",
            "treated",
            "others",
            "difference",
            "weighted_treated",
            "weighted_others",
            "weighted_difference"));
    for (CovariateBalance.Line line : balance.lines()) {
      lines.add(
          List.of(
              line.term(),
              PooledAnswer.text(line.treated()),
              PooledAnswer.text(line.others()),
              PooledAnswer.text(line.difference()),
              PooledAnswer.text(line.weightedTreated()),
              PooledAnswer.text(line.weightedOthers()),
              PooledAnswer.text(line.weightedDifference())));
    }
    return RunFolder.csv(lines);
  }
}
