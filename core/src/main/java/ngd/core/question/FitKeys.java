package ngd.core.question;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import ngd.core.Problems;
import ngd.core.data.Partition;
import ngd.core.network.Topology;

/** All that a fit may be asked. */
public final class FitKeys {
  private FitKeys() {}

  /** The options of {@code ngd fit} that bear on its answer. */
  public static final List<Key<?>> ALL =
      joined(DataKeys.ALL, ModelKeys.ALL, ClientKeys.ALL, MethodKeys.ALL, PooledKeys.ALL);

  @SafeVarargs
  private static List<Key<?>> joined(List<Key<?>>... groups) {
    List<Key<?>> all = new ArrayList<>();
    for (List<Key<?>> group : groups) {
      all.addAll(group);
    }
    return List.copyOf(all);
  }

  /** The question that these words ask; every problem is collected. */
  public static Question read(Words words, Problems problems) {
    Question question = Question.read(ALL, words, problems);
    boolean readable = !problems.any();
    requireAll(question, words, problems);
    if (readable) {
      check(question, words, problems);
    }
    return question;
  }

  /** What is missing; of what was said and is wrong, that is said already. */
  private static void requireAll(Question question, Words words, Problems problems) {
    if (Stream.of(DataKeys.DATA, DataKeys.SITE, ModelKeys.SIMULATE).noneMatch(words::says)) {
      problems.add("--data FILE, --site NAME=PLACE or --simulate MODEL: one of them must be given");
    }
    if (question.says(ModelKeys.SIMULATE) && !words.says(ModelKeys.ROWS)) {
      problems.add(words.problem(ModelKeys.ROWS, "must be given: how many rows to simulate"));
    }
    if (question.says(DataKeys.DATA)
        && !words.says(ModelKeys.FORMULA)
        && !words.says(ModelKeys.RESPONSE)) {
      problems.add(
          words.problem(ModelKeys.RESPONSE, "must be given: the column to predict, or --formula"));
    }
    if (question.says(DataKeys.SITE)
        && !words.says(ModelKeys.FORMULA)
        && !words.says(ModelKeys.RESPONSE)) {
      problems.add(
          words.problem(ModelKeys.FORMULA, "must be given: the model formula, such as 'y ~ x'"));
    }
    if (!words.says(ClientKeys.NETWORK)) {
      problems.add(
          words.problem(ClientKeys.NETWORK, "must be given: who hears whom, such as regular:2"));
    }
    question
        .find(ClientKeys.NETWORK)
        .ifPresent(
            network ->
                question
                    .find(ClientKeys.CLIENTS)
                    .ifPresent(
                        clients ->
                            problems.collect(
                                () ->
                                    Topology.parse(
                                        network, clients, ClientKeys.streams(question)))));
    Partition cut = question.get(ClientKeys.PARTITION);
    boolean implied =
        words.says(DataKeys.SITE)
            || (words.says(ClientKeys.PARTITION) && !question.says(ClientKeys.PARTITION))
            || cut instanceof Partition.ByColumn
            || cut instanceof Partition.Sizes;
    if (!implied && !words.says(ClientKeys.CLIENTS)) {
      // Sites say by themselves how many there are.
      boolean any = words.says(DataKeys.DATA) || words.says(ModelKeys.SIMULATE);
      problems.add(
          words.problem(
              ClientKeys.CLIENTS,
              any
                  ? "must be given: the number of clients"
                  : "must be given with --data or --simulate: the number of clients"));
    }
  }

  /** What is wrong beyond single keys. */
  private static void check(Question question, Words words, Problems problems) {
    problems.collect(() -> SuitedModel.of(question));
    MethodKeys.check(question, words, problems);
    if (MethodKeys.pooled(question)) {
      PooledKeys.check(question, problems);
    }
  }
}
