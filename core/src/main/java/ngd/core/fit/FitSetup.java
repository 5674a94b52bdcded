package ngd.core.fit;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.IntFunction;
import ngd.core.Problems;
import ngd.core.data.PaperModel;
import ngd.core.model.Categories;
import ngd.core.model.Cox;
import ngd.core.model.GradientCheck;
import ngd.core.model.Loss;
import ngd.core.model.Losses;
import ngd.core.model.Regression;
import ngd.core.network.NamedNetwork;
import ngd.core.network.Topology;
import ngd.core.question.ClientKeys;
import ngd.core.question.MethodKeys;
import ngd.core.question.ModelKeys;
import ngd.core.question.Question;
import ngd.core.random.Streams;
import org.jspecify.annotations.Nullable;

/**
 * What a question is asked of, read and checked: rows at their clients, and the clients' network.
 *
 * @param loss what each client minimises
 * @param model where the rows were simulated from, if they were: it knows the truth
 */
public record FitSetup(
    Question question,
    Sample sample,
    Loss loss,
    Optional<PaperModel> model,
    NamedNetwork network,
    Streams streams) {

  /** Reads the data of a question; null where something is wrong, and then problems say what. */
  public static @Nullable FitSetup of(Question question, Problems problems) {
    return of(question, ClientKeys.streams(question), problems);
  }

  /** The same with all that is random from these streams, whatever the question's seed. */
  public static @Nullable FitSetup of(Question question, Streams streams, Problems problems) {
    return of(
        question, streams, clients -> ClientKeys.topology(question, clients, streams), problems);
  }

  /** The same; who hears whom is known once the clients have been counted. */
  private static @Nullable FitSetup of(
      Question question, Streams streams, IntFunction<Topology> links, Problems problems) {
    Loss asked = ModelKeys.loss(question);
    TopologySource topologies = new TopologySource(links);
    Sample sample = new SampleReader(question, asked, streams, topologies, problems).read();
    if (sample == null || problems.any()) {
      return null;
    }
    NamedNetwork network =
        problems.collect(
            () ->
                NamedNetwork.of(
                        topologies.of(sample.sizes().length),
                        ClientKeys.weights(question),
                        sample.sizes())
                    .with(whole -> MethodKeys.impaired(question, whole, streams)));
    // Of random features no truth is known.
    Optional<PaperModel> model =
        question.find(ModelKeys.SIMULATE).filter(_ -> !question.says(ModelKeys.RANDOM_FEATURES));
    Loss loss = problems.collect(() -> checked(question, known(asked, sample), sample));
    return network == null || loss == null
        ? null
        : new FitSetup(question, sample, loss, model, network, streams);
  }

  /** The loss, its gradient compared with its value where it is of somebody else's making. */
  private static Loss checked(Question question, Loss loss, Sample sample) {
    if (ModelKeys.named(question).filter(Losses.Named::own).isPresent()) {
      GradientCheck.require(loss, sample.shards(), loss.parameterNames(sample.columnNames()));
    }
    return loss;
  }

  /** The model that is fitted; asked only of a loss that is one's. */
  public Regression regression() {
    return (Regression) loss;
  }

  /** The names of what is estimated, in the order of its numbers. */
  public List<String> parameters() {
    return loss.parameterNames(sample.columnNames());
  }

  /** The loss with what the data say of it: times, or classes. */
  private static Loss known(Loss asked, Sample sample) {
    return switch (asked) {
      case Cox cox -> new Cox(cox.ties(), sample.grid());
      case Categories classes when sample instanceof Sample.OfSites sites ->
          classes.of(sites.prepared().design());
      default -> asked;
    };
  }

  /** The same, where every problem is an exception. */
  public static FitSetup of(Question question) {
    Problems problems = new Problems();
    return required(of(question, problems), problems);
  }

  /**
   * The same for a network that was drawn: the file that the question names need not exist.
   *
   * @param name what messages call it
   * @param edges what would stand in the file
   */
  public static FitSetup ofDrawn(Question question, String name, String edges) {
    Problems problems = new Problems();
    return required(
        of(
            question,
            ClientKeys.streams(question),
            clients -> new Topology.EdgeFile(clients, name, Optional.of(edges)),
            problems),
        problems);
  }

  private static FitSetup required(@Nullable FitSetup setup, Problems problems) {
    problems.throwIfAny();
    return Objects.requireNonNull(setup);
  }

  /** The same rows and network for a question that differs in the answer wanted alone. */
  public FitSetup asking(Question other) {
    return new FitSetup(other, sample, loss, model, network, streams);
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
    private final IntFunction<Topology> links;
    private @Nullable Topology drawn;

    TopologySource(IntFunction<Topology> links) {
      this.links = links;
    }

    /** Who hears whom among this many clients. */
    Topology of(int clients) {
      Topology known = drawn;
      if (known == null || known.clients() != clients) {
        known = links.apply(clients);
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
