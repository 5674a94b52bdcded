package ngd.studies.grid;

import java.util.List;
import java.util.OptionalInt;
import ngd.core.InvalidInput;
import ngd.core.Problems;
import ngd.core.data.Partition;
import ngd.core.data.Placement;
import ngd.core.data.Shards;
import ngd.core.data.Table;
import ngd.core.model.GradientCheck;
import ngd.core.model.Loss;
import ngd.core.model.ResponseRule;
import ngd.core.network.Topology;
import ngd.core.question.ClientKeys;
import ngd.core.question.DataKeys;
import ngd.core.question.Key;
import ngd.core.question.MethodKeys;
import ngd.core.question.ModelKeys;
import ngd.core.question.Question;
import ngd.core.question.SuitedModel;
import ngd.core.question.Words;
import ngd.core.random.Streams;

/** What is wrong with a cell's words, beyond single keys and before anything is drawn. */
record CellCheck(Question question, Words words, Problems problems) {
  /** Rows on which a loss is looked at. */
  private static final int MOST_ROWS = 1000;

  private static final Streams FIRST = Streams.of(1);

  static void of(Question question, Words words, Problems problems) {
    new CellCheck(question, words, problems).all();
  }

  private void all() {
    MethodKeys.check(question, words, problems);
    List<Key<?>> needed =
        question.says(DataKeys.DATA)
            ? List.of(ClientKeys.NETWORK)
            : List.of(ModelKeys.SIMULATE, ModelKeys.ROWS, ClientKeys.CLIENTS, ClientKeys.NETWORK);
    for (Key<?> key : needed) {
      if (question.find(key).isEmpty()) {
        refuse(key, "must be given");
      }
    }
    if (!problems.any() && question.says(DataKeys.DATA)) {
      ownData();
    } else if (!problems.any()) {
      partition();
      network();
      loss();
      attackers();
    }
  }

  /** What stands in the way of reading own data; what they are is looked at when they are read. */
  private void ownData() {
    if (question.find(ModelKeys.FORMULA).isEmpty() && question.find(ModelKeys.RESPONSE).isEmpty()) {
      refuse(ModelKeys.RESPONSE, "must be given: the column to predict, or formula");
    }
    Partition cut = question.get(ClientKeys.PARTITION);
    if (question.find(ClientKeys.CLIENTS).isEmpty()
        && !(cut instanceof Partition.ByColumn)
        && !(cut instanceof Partition.Sizes)) {
      refuse(
          ClientKeys.CLIENTS, "must be given, unless partitions are column:NAME or rows:n1,n2,…");
    }
    problems.collect(() -> SuitedModel.of(question));
  }

  /** What is wrong with a cell once its rows are counted. */
  static void counted(Question question, Words words, Problems problems) {
    CellCheck check = new CellCheck(question, words, problems);
    check.network();
    check.attackers();
  }

  private void refuse(Key<?> key, String problem) {
    problems.add(words.problem(key, problem));
  }

  private void partition() {
    int rows = question.get(ModelKeys.ROWS);
    int clients = question.get(ClientKeys.CLIENTS);
    switch (question.get(ClientKeys.PARTITION)) {
      case Partition.ByColumn column ->
          refuse(
              ClientKeys.PARTITION,
              "%s needs a table with that column; simulated data have none"
                  .formatted(column.spec()));
      case Partition.Sizes sizes -> {
        int sum = sizes.sizes().stream().mapToInt(Integer::intValue).sum();
        if (sizes.sizes().size() != clients || sum != rows) {
          refuse(
              ClientKeys.PARTITION,
              "%s has %d rows for %d clients; the study has %d for %d"
                  .formatted(sizes.spec(), sum, sizes.sizes().size(), rows, clients));
        }
      }
      case Partition _ when clients > rows ->
          refuse(
              ClientKeys.CLIENTS,
              "each needs a row, so at most the %d rows; got %d".formatted(rows, clients));
      case Partition _ -> {}
    }
  }

  /** Whether a loss that is no model's own suits the responses, and has the right gradient. */
  private void loss() {
    ModelKeys.named(question)
        .ifPresent(
            named ->
                problems.collect(
                    () -> {
                      Loss loss = SuitedModel.of(question);
                      if (question.find(ModelKeys.SIMULATE).isEmpty()) {
                        return loss; // Own rows are looked at when they are read.
                      }
                      Table table =
                          question
                              .get(ModelKeys.SIMULATE)
                              .table(Math.min(MOST_ROWS, question.get(ModelKeys.ROWS)), FIRST);
                      if (loss instanceof ResponseRule rule) {
                        rule.requireResponses(table);
                      }
                      if (named.own()) {
                        Shards all =
                            new Partition.Shuffled()
                                .assign(table, OptionalInt.of(1), Placement.IN_ORDER, FIRST)
                                .shards(table);
                        GradientCheck.require(loss, all, loss.parameterNames(table.features()));
                      }
                      return loss;
                    }));
  }

  /** Whether there can be such a network; what is drawn is looked at later. */
  private void network() {
    try {
      var _ =
          Topology.parse(
              question.get(ClientKeys.NETWORK), question.get(ClientKeys.CLIENTS), Streams.of(1));
    } catch (InvalidInput wrong) {
      String message = String.valueOf(wrong.getMessage());
      String name = ClientKeys.NETWORK.name() + ": ";
      refuse(
          ClientKeys.NETWORK,
          message.startsWith(name) ? message.substring(name.length()) : message);
    }
  }

  private void attackers() {
    int clients = question.get(ClientKeys.CLIENTS);
    for (int attacker : question.find(MethodKeys.ATTACKERS).orElse(List.of())) {
      if (attacker < 0 || attacker >= clients) {
        refuse(
            MethodKeys.ATTACKERS,
            "must be clients, 0 to %d; got %d".formatted(clients - 1, attacker));
      }
    }
  }
}
