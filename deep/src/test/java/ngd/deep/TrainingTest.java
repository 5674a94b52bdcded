package ngd.deep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import ngd.core.InvalidInput;
import ngd.core.question.Approach;
import ngd.core.question.ClientKeys;
import ngd.core.question.MethodKeys;
import ngd.core.random.Streams;
import ngd.core.training.Trainer;
import ngd.core.training.TrainingKeys;
import ngd.core.training.TrainingQuestion;
import ngd.core.training.TrainingResult;
import ngd.core.world.Diverged;
import ngd.core.world.Mixing;
import ngd.deep.data.DataSet;
import ngd.deep.data.Standardisation;
import ngd.deep.device.Device;
import ngd.deep.device.Precision;
import ngd.deep.model.Model;
import ngd.deep.model.Net;
import ngd.deep.model.Safetensors;
import ngd.deep.model.Shape;
import org.bytedeco.javacpp.Pointer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whole trainings, small. Oracles: gradient descent written out; the undisturbed run. */
final class TrainingTest {
  private static final Trainer.Watch QUIET = new Trainer.Watch() {};
  private static final Shape IMAGE = Shape.image(1, 10, 10);

  /** Where the test makes the samples. */
  private static final String NONE = "images:none";

  private static TrainingQuestion plan(
      String model, String data, int clients, String network, String alpha, int rounds, int batch) {
    return plan(model, data, clients, network, alpha, rounds, batch, "float64", 0, null, false);
  }

  private static TrainingQuestion plan(
      String model,
      String data,
      int clients,
      String network,
      String alpha,
      int rounds,
      int batch,
      String precision,
      int samples,
      @Nullable Path out,
      boolean resume) {
    Map<String, String> words = new HashMap<>();
    words.put("model", model);
    words.put("data", data);
    if (data.endsWith(".csv")) {
      words.put("response", "label");
    }
    words.put("clients", Integer.toString(clients));
    words.put("partition", "sorted");
    words.put("network", network.equals("pooled") ? "complete" : network);
    words.put("pooled", Boolean.toString(network.equals("pooled")));
    words.put("algorithm", "ngd");
    words.put("alpha", alpha);
    words.put("rounds", Integer.toString(rounds));
    if (batch > 0) {
      words.put("batch", Integer.toString(batch));
    }
    words.put("precision", precision);
    if (samples > 0) {
      words.put("samples", Integer.toString(samples));
    }
    words.put("evaluate-every", Integer.toString(rounds));
    return TrainingQuestion.of(
        words, new TrainingQuestion.Work(samples == 0 ? 2 : 1, 5, out, resume));
  }

  private static TrainingQuestion startingAt(TrainingQuestion plan, Path file) {
    return new TrainingQuestion(
        plan.question().with(TrainingKeys.START, file.toString()),
        new TrainingQuestion.Work(plan.work().threads(), 5, plan.out(), false));
  }

  private static DataSet pictures(int train) {
    return new DataSet(new Pictures(IMAGE, 4, train, 1), new Pictures(IMAGE, 4, 100, 2));
  }

  @Test
  void advance_oneClient_isPlainGradientDescent() {
    TrainingQuestion plan = plan("mlp:6", NONE, 1, "complete", "0.2", 5, 0);
    DataSet data = pictures(24);
    Net net = new Net(Model.parse("mlp:6"), IMAGE, 4);
    double[] theta = net.start(Streams.of(1));
    try (Device device = Device.of("cpu", Precision.FLOAT64, 1);
        Training training = Training.prepare(plan, data, QUIET)) {
      int[] order = new int[24];
      Arrays.setAll(order, i -> i);
      long[] labels = Arrays.stream(order).mapToLong(data.train()::label).toArray();
      float[] x = Standardisation.of(data.train()).apply(data.train(), order);
      ClientData all = new ClientData(device, IMAGE, new int[] {0, 24}, x, labels);
      DeviceLocal local =
          new DeviceLocal(net, all, device, Streams.of(1), new Statistics(device, net, 1));
      for (int round = 0; round < 5; round++) {
        double[] gradient = local.gradient(device.of(new double[][] {theta})).row(0);
        for (int j = 0; j < theta.length; j++) {
          theta[j] -= 0.2 * gradient[j];
        }
      }
      training.advance(5);
      GradientTest.assertClose(
          new double[][] {training.theta().row(0)}, new double[][] {theta}, 1e-12);
    }
  }

  @Test
  void restore_whatWasWritten_goesOnWithTheSameBits() throws IOException {
    // Batch normalisation, whose statistics are state too, and batches of which the last is
    // shorter.
    TrainingQuestion plan = plan("tiny-norm", NONE, 4, "circle:1", "0.05", 6, 5);
    DataSet data =
        new DataSet(
            new Pictures(Shape.image(1, 8, 8), 4, 28, 1),
            new Pictures(Shape.image(1, 8, 8), 4, 8, 2));
    try (Training whole = Training.prepare(plan, data, QUIET);
        Training again = Training.prepare(plan, data, QUIET)) {
      whole.advance(3);
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      whole.write(new DataOutputStream(bytes));
      whole.advance(3);
      again.restore(
          new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())), bytes.size());
      assertThat(again.round()).isEqualTo(3);
      again.advance(3);
      for (int m = 0; m < 4; m++) {
        assertThat(again.theta().row(m)).containsExactly(whole.theta().row(m));
      }
      assertThat(again.statistics().values()).isDeepEqualTo(whole.statistics().values());
    }
  }

  @Test
  void restore_aDamagedCheckpoint_isRefusedAndChangesNothing(@TempDir Path folder)
      throws IOException {
    Shape shape = Shape.image(1, 8, 8);
    DataSet data = new DataSet(new Pictures(shape, 4, 28, 1), new Pictures(shape, 4, 8, 2));
    TrainingQuestion plan =
        plan("tiny-norm", NONE, 4, "circle:1", "0.05", 6, 5, "float32", 0, null, false);
    List<TrainingResult.Point> points =
        List.of(new TrainingResult.Point(0, 0, List.of(0.5, 0.25, 0.75, 1.0)));
    try (Training whole = Training.prepare(plan, data, QUIET);
        Training other = Training.prepare(plan, data, QUIET)) {
      whole.advance(2);
      TrainingFolder.fresh(folder).checkpoint("request", points, whole);
      other.advance(1);
      double[] theta = other.theta().row(3);
      double[][] statistics = other.statistics().values();
      Path file = folder.resolve("checkpoint.bin");
      byte[] good = Files.readAllBytes(file);
      // θ is float32, so four bytes a number; statistics, names and points are small.
      assertThat(good.length).isBetween(4 * 4 * theta.length, 4 * 4 * theta.length + 1000);
      for (int at = 0; at < good.length; at += at < 100 || at > good.length - 20 ? 1 : 37) {
        byte[] flipped = good.clone();
        flipped[at] ^= 0x10;
        refusedCheckpoint(folder, flipped, other);
        refusedCheckpoint(folder, Arrays.copyOf(good, at), other);
      }
      assertThat(other.round()).isEqualTo(1);
      assertThat(other.theta().row(3)).containsExactly(theta);
      assertThat(other.statistics().values()).isDeepEqualTo(statistics);
      Files.write(file, good);
      assertThat(TrainingFolder.stopped(folder).restore("request", other)).isEqualTo(points);
      assertThat(other.round()).isEqualTo(2);
      assertThat(other.theta().row(3)).containsExactly(whole.theta().row(3));
    }
  }

  @Test
  void fresh_aDraftOfAProcessThatWasKilled_isNoObstacle(@TempDir Path folder) throws IOException {
    Files.write(folder.resolve("checkpoint.bin.new"), new byte[7]);
    TrainingFolder.fresh(folder);
    assertThat(folder).isEmptyDirectory();
  }

  private static void refusedCheckpoint(Path folder, byte[] bytes, Training training)
      throws IOException {
    Files.write(folder.resolve("checkpoint.bin"), bytes);
    assertThatThrownBy(() -> TrainingFolder.stopped(folder).restore("request", training))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("it is damaged");
  }

  @Test
  void prepare_withWeightsOfATrainingThatEnded_hasItsErrors(@TempDir Path folder) {
    Shape shape = Shape.image(1, 8, 8);
    DataSet data = new DataSet(new Pictures(shape, 4, 40, 1), new Pictures(shape, 4, 200, 2));
    TrainingQuestion plan =
        plan("tiny-norm", NONE, 4, "circle:1", "0.1", 20, 5, "float32", 0, null, false);
    Path file = folder.resolve("theta.safetensors");
    List<Double> errors;
    try (Training first = Training.prepare(plan, data, QUIET)) {
      double[][] fresh = first.statistics().values();
      first.advance(20);
      errors = first.errors();
      Safetensors.write(file, first.net(), first.theta(), first.statistics().values(), false);
      first.statistics().restore(fresh);
      assertThat(first.errors()).as("what statistics are worth").isNotEqualTo(errors);
    }
    try (Training second = Training.prepare(startingAt(plan, file), data, QUIET)) {
      assertThat(second.errors()).isEqualTo(errors);
    }
  }

  @Test
  void train_stoppedAndResumed_leavesTheSameFiles(@TempDir Path folder) throws IOException {
    Path csv = folder.resolve("d.csv");
    StringBuilder text = new StringBuilder("a,b,label\n");
    for (int i = 0; i < 60; i++) {
      text.append("%d,%d,%d%n".formatted(i % 7, i * i % 11, i % 7 > 3 ? 1 : 0));
    }
    Files.writeString(csv, text);
    String data = csv.toString();
    Path whole = folder.resolve("whole");
    Path stopped = folder.resolve("stopped");
    Trainer trainer = new LibtorchTrainer();
    trainer.train(
        plan("mlp:5", data, 4, "circle:1", "0.3", 20, 4, "float32", 0, whole, false), QUIET);
    TrainingQuestion asked =
        plan("mlp:5", data, 4, "circle:1", "0.3", 20, 4, "float32", 0, stopped, false);
    assertThatThrownBy(
            () ->
                trainer.train(
                    asked,
                    new Trainer.Watch() {
                      @Override
                      public void round(int done, int all) {
                        if (done == 13) {
                          throw new IllegalStateException("the power fails");
                        }
                      }
                    }))
        .hasMessage("the power fails");
    assertThatThrownBy(() -> trainer.train(asked, QUIET))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("--resume");
    assertThatThrownBy(
            () ->
                trainer.train(
                    plan("mlp:6", data, 4, "circle:1", "0.3", 20, 4, "float32", 0, stopped, true),
                    QUIET))
        .hasMessageContainingAll(
            "options must be those", "training: model was mlp:5, now it is mlp:6");
    String before = Files.readString(csv);
    Files.writeString(csv, before.replaceFirst("\n0,0,0", "\n1,0,0"));
    assertThatThrownBy(() -> trainer.train(asked.resumed(), QUIET))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContainingAll("options must be those", "samples");
    Files.writeString(csv, before);
    trainer.train(asked.resumed(), QUIET);
    for (String file : List.of("theta.safetensors", "trace.csv", "errors.csv")) {
      assertThat(stopped.resolve(file)).hasSameBinaryContentAs(whole.resolve(file));
    }
    assertThat(stopped.resolve("checkpoint.bin")).doesNotExist();
    assertThatThrownBy(() -> trainer.train(asked.resumed(), QUIET))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("the training there has finished");
  }

  @Test
  void advance_manyRounds_doesNotGrow() {
    TrainingQuestion plan =
        plan("lenet", NONE, 4, "circle:1", "0.01", 1, 4, "float32", 0, null, false);
    Shape shape = Shape.image(1, 28, 28);
    DataSet data = new DataSet(new Pictures(shape, 10, 40, 1), new Pictures(shape, 10, 10, 2));
    int rounds = Integer.getInteger("ngd.rounds", 150);
    try (Training training = Training.prepare(plan, data, QUIET)) {
      training.advance(60);
      training.errors();
      long before = Pointer.physicalBytes();
      training.advance(rounds);
      training.errors();
      // A round that kept one gradient of 4 x 61,706 numbers would leave 148 MB behind.
      assertThat(Pointer.physicalBytes() - before).isLessThan(60L << 20);
    }
  }

  @Test
  void train_sortedPictures_everyClientLearnsAllClasses() {
    TrainingQuestion plan =
        plan("mlp:16", NONE, 8, "circle:2", "0.1", 300, 0, "float32", 0, null, false);
    try (Training training = Training.prepare(plan, pictures(160), QUIET)) {
      training.advance(300);
      assertThat(training.errors()).allSatisfy(err -> assertThat(err).isLessThan(0.1));
    }
  }

  /** Sorted MNIST: circle and fixed-degree come close to the pooled optimum, central does not. */
  @Test
  void train_sortedMnist_reducedFigure6() {
    String given = System.getenv("NGD_DATA");
    Path mnist = Path.of(given == null ? "../../shared/data" : given).resolve("mnist");
    Assumptions.assumeTrue(
        Files.isDirectory(mnist), "MNIST is not there: " + mnist + " (NGD_DATA names its folder)");
    double pooled = reduced(mnist, "pooled").mean();
    TrainingResult.Point circle = reduced(mnist, "circle:2");
    TrainingResult.Point fixed = reduced(mnist, "fixed:6");
    TrainingResult.Point central = reduced(mnist, "central");
    // So short a training depends on the processor's rounding: the order is what counts.
    assertThat(circle.mean()).isCloseTo(pooled, within(0.12)).isLessThan(central.mean());
    assertThat(fixed.mean()).isCloseTo(pooled, within(0.12)).isLessThan(central.mean());
    assertThat(central.mean()).isGreaterThan(pooled + 0.12);
    assertThat(central.logSd()).isGreaterThan(Math.max(circle.logSd(), fixed.logSd()));
  }

  private static TrainingResult.Point reduced(Path mnist, String network) {
    TrainingQuestion plan =
        plan(
            "lenet",
            "mnist:" + mnist,
            10,
            network,
            "0.1,0.03@90",
            120,
            0,
            "float32",
            20,
            null,
            false);
    return new LibtorchTrainer().train(plan, QUIET).last();
  }

  /** Sums notice what overflows before a look at the estimates does. */
  @Test
  void advance_stepsFarTooLarge_divergesInWordsWhateverTheAlgorithm() {
    for (String algorithm : List.of("fedavg", "ngd", "diging")) {
      TrainingQuestion plan = plan("mlp:6", NONE, 4, "ring:1", "1e30", 40, 0);
      TrainingQuestion asked =
          new TrainingQuestion(
              plan.question()
                  .with(MethodKeys.ALGORITHM, Approach.parse(algorithm))
                  .with(ClientKeys.WEIGHTS, "lazy-metropolis"),
              plan.work());
      try (Training training = Training.prepare(asked, pictures(24), QUIET)) {
        assertThatThrownBy(() -> training.advance(40))
            .as(algorithm)
            .isInstanceOf(Diverged.class)
            .hasMessageContaining("diverged by round");
      }
    }
  }

  /** A robust rule on the device: one client's samples are wild, the others learn all the same. */
  @Test
  void advance_robustMixing_isThatOfTheRule() {
    TrainingQuestion plan = plan("mlp:6", NONE, 4, "complete", "0.1", 5, 0);
    TrainingQuestion robust =
        new TrainingQuestion(
            plan.question().with(MethodKeys.MIX, new Mixing.Median()), plan.work());
    try (Training mean = Training.prepare(plan, pictures(24), QUIET);
        Training median = Training.prepare(robust, pictures(24), QUIET)) {
      mean.advance(5);
      median.advance(5);
      assertThat(median.theta().row(0)).isNotEqualTo(mean.theta().row(0));
    }
  }
}
