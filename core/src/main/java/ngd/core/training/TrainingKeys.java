package ngd.core.training;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import ngd.core.Problems;
import ngd.core.data.Partition;
import ngd.core.data.TableAddress;
import ngd.core.question.Approach;
import ngd.core.question.ClientKeys;
import ngd.core.question.DataKeys;
import ngd.core.question.Key;
import ngd.core.question.MethodKeys;
import ngd.core.question.ModelKeys;
import ngd.core.question.Question;
import ngd.core.question.Words;

/** What a training may be asked. */
public final class TrainingKeys {
  private TrainingKeys() {}

  public static final Key<String> MODEL =
      Key.text("model", "WORD")
          .help(
              "Model: lenet, mobilenet, resnet20 (:group for group normalisation), mlp:64-32, or"
                  + " one of your own.");

  public static final Key<Boolean> POOLED =
      Key.flag("pooled")
          .help("Train one client on all samples instead, as the baseline for comparison.");

  public static final Key<String> DEVICE =
      Key.text("device", "WORD").standard("cpu").help("Device: cpu (the default) or cuda.");

  public static final Key<String> PRECISION =
      Key.text("precision", "WORD")
          .standard("float32")
          .help("Precision: float32 (the default), tf32, bf16 or float64.");

  public static final Key<Boolean> PLAIN =
      Key.flag("plain").help("Use libtorch only, not ngd's own kernels.");

  public static final Key<Integer> SAMPLES =
      Key.whole("samples", "N", 1)
          .help("Use only the first N samples of each class, for training and for validation.");

  public static final Key<String> START =
      Key.text("start", "FILE")
          .files(_ -> 0)
          .help("Safetensors file with the initial weights; Xavier uniform by default.");

  public static final Key<RunningStatistics> BATCH_NORM =
      Key.of("batch-norm", "WORD", RunningStatistics::parse, RunningStatistics::spec)
          .standard("local")
          .help(
              "Running statistics of batch normalisation stay local (the default), are mixed like"
                  + " parameters, or are frozen as --start gives them and used in training too.");

  public static final Key<Integer> EVALUATE_EVERY =
      Key.whole("evaluate-every", "K", 1)
          .help("Evaluate all clients every K rounds; by default about twenty times in all.");

  /** All of them, and those that a fit has too. */
  public static final List<Key<?>> ALL =
      List.of(
          MODEL,
          DataKeys.DATA,
          DataKeys.QUERY,
          DataKeys.MISSING,
          DataKeys.NA,
          DataKeys.DECIMAL,
          DataKeys.ENCODING,
          ModelKeys.FORMULA,
          ModelKeys.RESPONSE,
          ModelKeys.FEATURES,
          SAMPLES,
          ClientKeys.CLIENTS,
          ClientKeys.PARTITION,
          ClientKeys.PLACEMENT,
          ClientKeys.NETWORK,
          ClientKeys.WEIGHTS,
          ClientKeys.SEED,
          POOLED,
          MethodKeys.ALGORITHM,
          MethodKeys.ALPHA,
          MethodKeys.ROUNDS,
          MethodKeys.BATCH,
          MethodKeys.LOCAL_STEPS,
          MethodKeys.MIX,
          MethodKeys.CODEC,
          MethodKeys.WEIGHT_DECAY,
          START,
          BATCH_NORM,
          DEVICE,
          PRECISION,
          PLAIN,
          EVALUATE_EVERY);

  /** The question that these words ask; every problem is collected. */
  public static Question read(Words words, Problems problems) {
    if (!words.says(MethodKeys.ALGORITHM)) {
      words.say(MethodKeys.ALGORITHM, "ngd");
    }
    Question question = Question.read(ALL, words, problems);
    boolean readable = !problems.any();
    require(
        question.find(MODEL).isPresent(),
        MODEL,
        "must be given: the model, such as lenet",
        words,
        problems);
    require(
        question.get(POOLED) || question.find(ClientKeys.NETWORK).isPresent(),
        ClientKeys.NETWORK,
        "must be given: who hears whom, such as circle:2",
        words,
        problems);
    Partition cut = question.get(ClientKeys.PARTITION);
    require(
        question.get(POOLED)
            || question.find(ClientKeys.CLIENTS).isPresent()
            || cut instanceof Partition.ByColumn
            || cut instanceof Partition.Sizes,
        ClientKeys.CLIENTS,
        "must be given: the number of clients",
        words,
        problems);
    require(
        question.get(BATCH_NORM) != RunningStatistics.FROZEN || question.says(START),
        BATCH_NORM,
        "frozen needs --start, which provides the running statistics",
        words,
        problems);
    if (readable) {
      checkAlgorithm(question, words, problems);
    }
    data(question, words, problems);
    return question;
  }

  private static void require(
      boolean holds, Key<?> key, String problem, Words words, Problems problems) {
    if (!holds) {
      problems.add(words.problem(key, problem));
    }
  }

  private static void checkAlgorithm(Question question, Words words, Problems problems) {
    boolean rounds =
        question.get(MethodKeys.ALGORITHM) instanceof Approach.Method(var named)
            && !named.descriptor().asynchronous();
    require(
        rounds,
        MethodKeys.ALGORITHM,
        "must be one that runs in rounds; got `%s`"
            .formatted(question.get(MethodKeys.ALGORITHM).spec()),
        words,
        problems);
    if (rounds) {
      MethodKeys.check(question, words, problems);
    }
  }

  /** What a network learns from; empty where something is wrong, and then the problems say what. */
  private static Optional<TrainingData> data(Question question, Words words, Problems problems) {
    Optional<String> place = question.find(DataKeys.DATA);
    if (place.isEmpty()) {
      problems.add(
          words.problem(
              DataKeys.DATA,
              "must be given: the training data, such as mnist:DIR or table.csv with --response"));
      return Optional.empty();
    }
    String given = place.get();
    if (!given.startsWith(TrainingData.URL) && Files.isDirectory(Path.of(given))) {
      problems.add(
          words.problem(
              DataKeys.DATA,
              "must be a table, or say what the folder holds, as in mnist:%s; it is a folder"
                  .formatted(given)));
      return Optional.empty();
    }
    if (!TrainingData.isTable(given)) {
      for (Key<?> key :
          List.of(
              ModelKeys.RESPONSE,
              ModelKeys.FEATURES,
              ModelKeys.FORMULA,
              DataKeys.QUERY,
              DataKeys.MISSING,
              DataKeys.NA,
              DataKeys.DECIMAL,
              DataKeys.ENCODING)) {
        require(
            !question.says(key),
            key,
            "works only with a table; --data is " + given,
            words,
            problems);
      }
      return Optional.ofNullable(problems.collect(() -> TrainingData.ImageFiles.parse(given)));
    }
    if (!question.says(ModelKeys.FORMULA) && !question.says(ModelKeys.RESPONSE)) {
      problems.add(
          words.problem(ModelKeys.RESPONSE, "must be given: the table's column with the classes"));
      return Optional.empty();
    }
    return Optional.ofNullable(problems.collect(() -> rows(question)));
  }

  private static TrainingData rows(Question question) {
    return new TrainingData.TableRows(
        new TableAddress(
            "data",
            question.get(DataKeys.DATA),
            question.find(DataKeys.QUERY).map(List::getFirst),
            question.find(DataKeys.NA).orElse(List.of()),
            DataKeys.format(question, "data", List.of("data"))),
        ModelKeys.formulaOf(question, true),
        question.get(DataKeys.MISSING));
  }

  /** What a network learns from, of a question without problems. */
  static TrainingData data(Question question) {
    Problems problems = new Problems();
    Optional<TrainingData> data = data(question, new Words(Words.Style.KEYS), problems);
    problems.throwIfAny();
    return data.orElseThrow();
  }
}
