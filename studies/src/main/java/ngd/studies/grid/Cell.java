package ngd.studies.grid;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import ngd.core.algorithm.AlgorithmChoice;
import ngd.core.data.PaperModel;
import ngd.core.model.Loss;
import ngd.core.network.Topology;
import ngd.core.network.Weights;
import ngd.core.question.ClientKeys;
import ngd.core.question.Key;
import ngd.core.question.MethodKeys;
import ngd.core.question.ModelKeys;
import ngd.core.question.Question;
import ngd.core.random.Streams;

/**
 * One point of a grid: a question of simulated or own data and an algorithm, which is run from zero
 * and looked at after every {@code trace-every} rounds. A cell is itself alone, so that cells are
 * found quickly; two are alike where their questions are equal.
 */
public final class Cell {
  private final Question question;
  private final Map<String, List<String>> words;
  private final Optional<PaperModel> model;
  private final Loss loss;
  private final int rows;
  private final int clients;
  private final Arrangement arrangement;
  private final AlgorithmChoice choice;
  private final String weights;
  private final int rounds;
  private final int every;

  Cell(Question question) {
    this.question = question;
    words = question.words();
    model = question.find(ModelKeys.SIMULATE);
    loss = ModelKeys.loss(question);
    rows = question.get(ModelKeys.ROWS);
    clients = question.get(ClientKeys.CLIENTS);
    arrangement =
        new Arrangement(question.get(ClientKeys.PARTITION), question.get(ClientKeys.PLACEMENT));
    choice = MethodKeys.choice(question);
    weights =
        ClientKeys.weights(question)
            .orElseGet(() -> Weights.standard(topology(Streams.of(1))).spec());
    rounds = question.get(MethodKeys.ROUNDS);
    every = question.find(MethodKeys.TRACE_EVERY).orElse(Math.max(1, rounds));
  }

  public Question question() {
    return question;
  }

  /** The canonical words for a key, as they may be written down; empty where it does not apply. */
  public String word(Key<?> key) {
    return words.getOrDefault(key.name(), List.of()).stream()
        .map(key::storable)
        .collect(Collectors.joining(","));
  }

  /** Whether another differs from this one in these keys alone, if at all. */
  boolean sameBut(Cell other, List<Key<?>> keys) {
    return GridKeys.ALL.stream()
        .filter(key -> !keys.contains(key))
        .allMatch(key -> word(key).equals(other.word(key)));
  }

  /** What the rows are simulated from, where they are. */
  Optional<PaperModel> simulated() {
    return model;
  }

  /** The same where it is known that they are. */
  public PaperModel model() {
    return model.orElseThrow();
  }

  /** Where the rows come from and their model, in words: cells with the same words share them. */
  String data() {
    return model
        .map(PaperModel::spec)
        .orElseGet(
            () ->
                GridKeys.OWN_DATA.stream()
                    .filter(question::says)
                    .map(this::word)
                    .collect(Collectors.joining(", ")));
  }

  /** What each client minimises: the model's own loss, unless another is asked for. */
  Loss loss() {
    return loss;
  }

  /** N. */
  public int rows() {
    return rows;
  }

  /** M. */
  public int clients() {
    return clients;
  }

  public Arrangement arrangement() {
    return arrangement;
  }

  /** The network in words, such as {@code circle:1}. */
  public String network() {
    return word(ClientKeys.NETWORK);
  }

  /** The links, drawn where they are random. */
  Topology topology(Streams streams) {
    return Topology.parse(question.get(ClientKeys.NETWORK), clients, streams);
  }

  /** The rule of the weights in words. */
  public String weights() {
    return weights;
  }

  AlgorithmChoice choice() {
    return choice;
  }

  /** The algorithm in words. */
  public String algorithm() {
    return choice.spec();
  }

  /** The step size in words. */
  public String alpha() {
    return choice.step().spec();
  }

  /** The rounds in all; the simulated seconds of an asynchronous algorithm. */
  public int rounds() {
    return rounds;
  }

  /** The rounds between two looks. */
  public int every() {
    return every;
  }

  /** The looks at a run: before it, at regular intervals, and at its end. */
  public int points() {
    return 1 + Math.ceilDiv(rounds, every);
  }

  /** The rounds done at a look. */
  public int round(int point) {
    return Math.min(point * every, rounds);
  }

  @Override
  public String toString() {
    return words.toString();
  }
}
