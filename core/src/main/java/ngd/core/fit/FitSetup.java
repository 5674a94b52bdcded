package ngd.core.fit;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import ngd.core.Problems;
import ngd.core.data.PaperModel;
import ngd.core.model.Glm;
import ngd.core.network.NamedNetwork;
import ngd.core.network.Topology;
import ngd.core.question.ClientKeys;
import ngd.core.question.ModelKeys;
import ngd.core.question.Question;
import ngd.core.random.Streams;
import org.jspecify.annotations.Nullable;

/**
 * What a question is asked of, read and checked: rows at their clients, and the clients' network.
 *
 * @param model where the rows were simulated from, if they were: it knows the truth
 */
public record FitSetup(
    Question question,
    Sample sample,
    Glm glm,
    Optional<PaperModel> model,
    NamedNetwork network,
    Streams streams) {

  /** Reads the data of a question; null where something is wrong, and then problems say what. */
  public static @Nullable FitSetup of(Question question, Problems problems) {
    Streams streams = ClientKeys.streams(question);
    Glm glm = ModelKeys.glm(question);
    TopologySource topologies = new TopologySource(question.get(ClientKeys.NETWORK), streams);
    Sample sample = new SampleReader(question, glm, streams, topologies, problems).read();
    if (sample == null || problems.any()) {
      return null;
    }
    NamedNetwork network =
        problems.collect(
            () ->
                NamedNetwork.of(
                    topologies.of(sample.sizes().length),
                    ClientKeys.weights(question),
                    sample.sizes()));
    // Of random features no truth is known.
    Optional<PaperModel> model =
        question.find(ModelKeys.SIMULATE).filter(_ -> !question.says(ModelKeys.RANDOM_FEATURES));
    return network == null ? null : new FitSetup(question, sample, glm, model, network, streams);
  }

  /** The same, where every problem is an exception. */
  public static FitSetup of(Question question) {
    Problems problems = new Problems();
    FitSetup setup = of(question, problems);
    problems.throwIfAny();
    return Objects.requireNonNull(setup);
  }

  /** The same rows and network for a question that differs in the answer wanted alone. */
  public FitSetup asking(Question other) {
    return new FitSetup(other, sample, glm, model, network, streams);
  }

  /** θ0, where the data were simulated. */
  public Optional<double[]> truth() {
    return model.map(PaperModel::truth);
  }

  /** A person should know: rows that were left out, clients that nobody hears. */
  public List<String> notes() {
    return sample.notes();
  }

  /** Draws a network's links once, however often it is asked for. */
  static final class TopologySource {
    private final String spec;
    private final Streams streams;
    private @Nullable Topology drawn;

    TopologySource(String spec, Streams streams) {
      this.spec = spec;
      this.streams = streams;
    }

    /** Who hears whom among this many clients. */
    Topology of(int clients) {
      Topology known = drawn;
      if (known == null || known.clients() != clients) {
        known = Topology.parse(spec, clients, streams);
        drawn = known;
      }
      return known;
    }
  }

  /** The number of clients, where the question says it. */
  static OptionalInt clients(Question question) {
    return question.find(ClientKeys.CLIENTS).map(OptionalInt::of).orElse(OptionalInt.empty());
  }
}
