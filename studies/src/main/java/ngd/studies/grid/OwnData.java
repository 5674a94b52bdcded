package ngd.studies.grid;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import ngd.core.InvalidInput;
import ngd.core.Problems;
import ngd.core.fit.FitSetup;
import ngd.core.fit.Sample;
import ngd.core.model.GlobalEstimate;
import ngd.core.model.NoEstimate;
import ngd.core.question.ClientKeys;
import ngd.core.question.Key;
import ngd.core.question.ModelKeys;
import ngd.core.question.Question;
import ngd.core.random.Streams;

/**
 * Rows that a study does not simulate but reads. A replicate deals them out anew, and draws
 * whatever else is random; what its runs are compared with is the estimate from the pooled rows.
 */
final class OwnData {
  /** Who hears whom has no part in how rows are read. */
  private static final String ANY_NETWORK = "complete";

  /** Rows and clients by the words that decide them. */
  private final Map<Map<String, List<String>>, int[]> known = new HashMap<>();

  private final Set<String> notes = new LinkedHashSet<>();

  /** What reading said, such as how many rows were left out; each once. */
  List<String> notes() {
    return List.copyOf(notes);
  }

  /** The rows, dealt out to their clients. */
  static Sample sample(Question question, Streams streams) {
    return setup(question, streams).sample();
  }

  static FitSetup setup(Question question, Streams streams) {
    Problems problems = new Problems();
    FitSetup setup = FitSetup.of(reading(question), streams, problems);
    problems.throwIfAny();
    if (setup == null) {
      throw new IllegalStateException("neither rows nor problems");
    }
    return setup;
  }

  /** What is read, whatever is done with it. */
  private static Question reading(Question question) {
    Question rows = question.with(ClientKeys.NETWORK, ANY_NETWORK);
    for (Key<?> key : GridKeys.FURTHER) {
      rows = rows.without(key);
    }
    return rows.without(ClientKeys.WEIGHTS);
  }

  /** The same question with the number of its rows and clients; reads the data if they are new. */
  Question counted(Question question) {
    int[] counts =
        known.computeIfAbsent(
            deciding(question),
            _ -> {
              FitSetup setup = setup(question, Streams.of(1));
              var _ = estimate(setup);
              notes.addAll(setup.notes());
              return new int[] {
                Math.toIntExact(setup.sample().rows()), setup.sample().sizes().length
              };
            });
    return question.with(ModelKeys.ROWS, counts[0]).with(ClientKeys.CLIENTS, counts[1]);
  }

  private static Map<String, List<String>> deciding(Question question) {
    Map<String, List<String>> words = question.words();
    words
        .keySet()
        .retainAll(
            Stream.concat(
                    GridKeys.OWN_DATA.stream(),
                    Stream.of(ModelKeys.LOSS, ClientKeys.CLIENTS, ClientKeys.PARTITION))
                .map(Key::name)
                .toList());
    return words;
  }

  /** The estimate from the pooled rows. */
  static double[] estimate(FitSetup setup) {
    Sample sample = setup.sample();
    try {
      return GlobalEstimate.of(setup.loss(), sample.shards(), sample.columnNames()).theta();
    } catch (NoEstimate none) {
      throw new InvalidInput(
          "%s: there is no pooled estimate to compare with: %s"
              .formatted(sample.source(), none.getMessage()),
          none);
    }
  }
}
