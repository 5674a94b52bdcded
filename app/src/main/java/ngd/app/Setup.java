package ngd.app;

import java.util.Optional;
import ngd.core.data.Assignment;
import ngd.core.data.PaperModel;
import ngd.core.data.Partition;
import ngd.core.data.Placement;
import ngd.core.data.Shards;
import ngd.core.data.Table;
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
 */
record Setup(
    Table table,
    Glm glm,
    Optional<PaperModel> model,
    Partition partition,
    Placement placement,
    Assignment assignment,
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

  /** Every client's rows. */
  Shards shards() {
    return assignment.shards(table);
  }

  /** Adds what a reader of the model must know of the data to its description. */
  JsonObject describeModel(JsonObject model) {
    return model.put("response", table.responseName()).put("terms", table.features());
  }
}
