package ngd.studies.grid;

import java.util.List;
import ngd.core.InvalidInput;
import ngd.core.Problems;
import ngd.core.data.Partition;
import ngd.core.network.Topology;
import ngd.core.question.ClientKeys;
import ngd.core.question.Key;
import ngd.core.question.MethodKeys;
import ngd.core.question.ModelKeys;
import ngd.core.question.Question;
import ngd.core.question.Words;
import ngd.core.random.Streams;

/** What is wrong with a cell's words, beyond single keys and before anything is drawn. */
record CellCheck(Question question, Words words, Problems problems) {
  static void of(Question question, Words words, Problems problems) {
    new CellCheck(question, words, problems).all();
  }

  private void all() {
    MethodKeys.check(question, words, problems);
    for (Key<?> key :
        List.of(ModelKeys.SIMULATE, ModelKeys.ROWS, ClientKeys.CLIENTS, ClientKeys.NETWORK)) {
      if (question.find(key).isEmpty()) {
        refuse(key, "must be given");
      }
    }
    if (!problems.any()) {
      partition();
      network();
      attackers();
    }
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
