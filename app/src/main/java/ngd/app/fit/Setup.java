package ngd.app.fit;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import ngd.core.data.PaperModel;
import ngd.core.data.Table;
import ngd.core.formula.ColumnType;
import ngd.core.formula.Design;
import ngd.core.formula.Formula;
import ngd.core.formula.Variable;
import ngd.core.model.Glm;
import ngd.core.model.Linear;
import ngd.core.model.Logistic;
import ngd.core.model.Poisson;
import ngd.core.random.Streams;
import ngd.core.run.JsonObject;

/**
 * What is to be learned by whom, checked and ready.
 *
 * @param model where the rows were simulated from, if they were: it knows the truth
 * @param partition how the rows were cut and placed, in the words of the command line; {@code
 *     sites} where they were never together
 */
public record Setup(
    Sample sample,
    Glm glm,
    Optional<PaperModel> model,
    String partition,
    String placement,
    NetworkOptions.Named network,
    Streams streams) {

  /** The loss that fits a model of the paper. */
  public static Glm glm(PaperModel model) {
    return switch (model) {
      case LINEAR -> new Linear();
      case LOGISTIC -> new Logistic();
      case POISSON -> new Poisson();
    };
  }

  /** Adds what a reader of the model must know of the data to its description. */
  JsonObject describeModel(JsonObject model) {
    model.put("response", sample.response()).put("terms", sample.features());
    JsonObject columns = new JsonObject();
    JsonObject levels = new JsonObject();
    if (sample.preparation().isPresent()) {
      Design design = sample.preparation().get().design();
      model.put("formula", design.frame().formula().text());
      design.frame().columns().forEach(c -> columns.put(c.name(), word(c.type())));
      for (Variable factor : design.frame().variables()) {
        if (design.frame().isFactor(factor)) {
          levels.put(factor.text(), design.levels(factor));
        }
      }
    } else {
      boolean intercept = sample.features().contains(Table.INTERCEPT);
      List<String> features =
          sample.features().stream().filter(name -> !name.equals(Table.INTERCEPT)).toList();
      model.put("formula", Formula.of(sample.response(), features, intercept).text());
      columns.put(sample.response(), word(ColumnType.NUMBER));
      features.forEach(name -> columns.put(name, word(ColumnType.NUMBER)));
    }
    return model.put("columns", columns).put("levels", levels);
  }

  private static String word(ColumnType type) {
    return type.name().toLowerCase(Locale.ROOT);
  }
}
