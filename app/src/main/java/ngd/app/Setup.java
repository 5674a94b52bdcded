package ngd.app;

import java.util.Optional;
import ngd.core.data.PaperModel;
import ngd.core.formula.Design;
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
record Setup(
    Sample sample,
    Glm glm,
    Optional<PaperModel> model,
    String partition,
    String placement,
    NetworkOptions.Named network,
    Streams streams) {

  /** The loss that fits a model of the paper. */
  static Glm glm(PaperModel model) {
    return switch (model) {
      case LINEAR -> new Linear();
      case LOGISTIC -> new Logistic();
      case POISSON -> new Poisson();
    };
  }

  /** Adds what a reader of the model must know of the data to its description. */
  JsonObject describeModel(JsonObject model) {
    model.put("response", sample.response()).put("terms", sample.features());
    sample
        .preparation()
        .ifPresent(
            prepared -> {
              Design design = prepared.design();
              model.put("formula", design.frame().formula().text());
              JsonObject columns = new JsonObject();
              design.frame().columns().forEach(c -> columns.put(c.name(), c.type().words()));
              model.put("columns", columns);
              JsonObject levels = new JsonObject();
              for (Variable factor : design.frame().variables()) {
                if (design.frame().isFactor(factor)) {
                  levels.put(factor.text(), design.levels(factor));
                }
              }
              model.put("levels", levels);
            });
    return model;
  }
}
