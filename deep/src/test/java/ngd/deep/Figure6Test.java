package ngd.deep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import ngd.core.InvalidInput;
import ngd.core.random.Streams;
import ngd.deep.model.Model;
import ngd.deep.model.Net;
import ngd.deep.model.Safetensors;
import ngd.deep.model.Shape;
import ngd.deep.model.Weight;
import ngd.studies.StudyProgress;
import ngd.studies.StudyRequest;
import ngd.studies.StudyRunner;
import ngd.studies.engine.LocalEngine;
import ngd.studies.figure6.Experiment;
import ngd.studies.figure6.Figure6;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The study of figure 6, tiny, on files that the test makes in MNIST's format. */
final class Figure6Test {
  private static final Shape DIGIT = Shape.image(1, 28, 28);

  @TempDir private Path folder = Path.of("");
  private final List<String> messages = new ArrayList<>();

  @BeforeEach
  void makeFiles() throws IOException {
    Path mnist = Files.createDirectories(folder.resolve("data/mnist"));
    digits(mnist, "train", 40);
    digits(mnist, "t10k", 10);
  }

  private static byte[] pixels(int sample) {
    float[] values = new float[DIGIT.size()];
    new Pictures(DIGIT, 10, sample + 1, 4).copy(sample, values, 0);
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) Math.round(100 * values[i]);
    }
    return bytes;
  }

  private static void digits(Path to, String part, int count) throws IOException {
    ByteArrayOutputStream images = new ByteArrayOutputStream();
    ByteArrayOutputStream labels = new ByteArrayOutputStream();
    try (DataOutputStream x = new DataOutputStream(images);
        DataOutputStream y = new DataOutputStream(labels)) {
      for (int size : new int[] {0x803, count, 28, 28}) {
        x.writeInt(size);
      }
      y.writeInt(0x801);
      y.writeInt(count);
      for (int i = 0; i < count; i++) {
        x.write(pixels(i));
        y.writeByte(i % 10);
      }
    }
    Files.write(to.resolve(part + "-images-idx3-ubyte"), images.toByteArray());
    Files.write(to.resolve(part + "-labels-idx1-ubyte"), labels.toByteArray());
  }

  private Experiment digits(int rounds) {
    return new Experiment("mnist", "digits", "lenet", images(), 8, "0.05", rounds, 0, 0, 2, null);
  }

  private Experiment normed() {
    return new Experiment(
        "norm",
        "normed",
        "tiny-norm",
        images(),
        8,
        "0.01",
        2,
        3,
        0,
        1,
        new Experiment.Start.Learned(2, 10, "0.05", 3));
  }

  private String images() {
    return "mnist:" + folder.resolve("data/mnist");
  }

  private List<String> run(Experiment... experiments) {
    return run(folder.resolve("study"), OptionalInt.empty(), experiments);
  }

  private List<String> run(Path out, OptionalInt replicates, Experiment... experiments) {
    Figure6 study = new Figure6(new LibtorchTrainer(), List.of(experiments), "cpu", "float32");
    return new StudyRunner(new LocalEngine(2), InstantSource.system())
        .run(
            new StudyRequest("figure6", List.of(study), replicates, 1),
            out,
            new StudyProgress() {
              @Override
              public void at(String what, int finished, int units, double share) {
                messages.add(what);
              }

              @Override
              public void warning(String text) {
                messages.add("warning: " + text);
              }
            })
        .files();
  }

  @Test
  void run_bothExperiments_drawsThemAndDoesNothingTwice() throws IOException {
    assertThat(run(digits(4), normed()))
        .containsExactly(
            "figure6-mnist.svg",
            "figure6-mnist.png",
            "figure6-mnist.pdf",
            "figure6-norm.svg",
            "figure6-norm.png",
            "figure6-norm.pdf",
            "report.html",
            "claims.json");
    Path study = folder.resolve("study");
    assertThat(study.resolve("figure6-mnist.svg"))
        .content()
        .contains("digits", "central", "circle:2", "fixed:6", "pooled data");
    assertThat(study.resolve("report.html"))
        .content()
        .contains("in place of the paper's ImageNet weights", "frozen");
    assertThat(Files.size(study.resolve("figure6-norm.png"))).isGreaterThan(1000);
    assertThat(study.resolve("manifest.json")).content().contains("\"trainings\"", "finished");
    assertThat(messages).contains("normed, learned before", "digits, pooled");
    messages.clear();
    run(digits(4), normed());
    assertThat(messages).isEmpty();
  }

  @Test
  void run_weightsLearnedBefore_areTheStartAndTheirStatisticsStay() {
    run(normed());
    Path study = folder.resolve("study");
    double[][] before = statistics(study.resolve("norm-learned-before"), 1);
    for (String network : List.of("central", "circle-2", "fixed-6")) {
      for (double[] client : statistics(study.resolve("norm-" + network), 8)) {
        assertThat(client).containsExactly(before[0]);
      }
    }
    // They were learned: nothing is left of where statistics begin.
    assertThat(before[0]).doesNotContain(0, 1);
  }

  private static double[][] statistics(Path run, int clients) {
    Net net = new Net(Model.parse("tiny-norm"), DIGIT, 10);
    int width = net.statistics().stream().mapToInt(Weight::size).sum();
    double[][] theta = new double[clients][];
    Arrays.setAll(theta, _ -> net.start(Streams.of(1)));
    double[][] statistics = new double[clients][width];
    Safetensors.read(run.resolve("theta.safetensors"), net, theta, statistics);
    return statistics;
  }

  @Test
  void run_folderOfOtherChoices_isRefusedBeforeAnythingIsDone() {
    run(digits(2));
    messages.clear();
    assertThatThrownBy(() -> run(normed(), digits(4)))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("mnist-central")
        .hasMessageContaining("rounds 4")
        .hasMessageContaining("it holds one with 2");
    assertThat(messages).isEmpty();
  }

  @Test
  void run_trainingsOfAnotherMachineLaidIntoANewFolder_areTaken() throws IOException {
    run(digits(2));
    Path laid = Files.createDirectories(folder.resolve("laid"));
    for (String name :
        List.of("mnist-central", "mnist-circle-2", "mnist-fixed-6", "mnist-pooled")) {
      Files.move(folder.resolve("study").resolve(name), laid.resolve(name));
    }
    messages.clear();
    assertThat(run(laid, OptionalInt.empty(), digits(2))).contains("figure6-mnist.svg");
    assertThat(messages).isEmpty();
  }

  @Test
  void run_stoppedInATraining_goesOnThereAndEndsWithTheSameFiles() throws IOException {
    run(digits(4));
    Path stopped = folder.resolve("stopped");
    StudyProgress impatient =
        (what, finished, units, share) -> {
          if (finished == 1 && share > 0.3) {
            throw new IllegalStateException("stopped");
          }
        };
    Figure6 study = new Figure6(new LibtorchTrainer(), List.of(digits(4)), "cpu", "float32");
    StudyRequest request = new StudyRequest("figure6", List.of(study));
    assertThatThrownBy(
            () ->
                new StudyRunner(new LocalEngine(2), InstantSource.system())
                    .run(request, stopped, impatient))
        .hasMessage("stopped");
    assertThat(stopped.resolve("mnist-central/manifest.json")).exists();
    assertThat(stopped.resolve("report.html")).doesNotExist();
    run(stopped, OptionalInt.empty(), digits(4));
    assertThat(messages).contains("digits, pooled");
    for (String file : List.of("figure6-mnist.svg", "report.html")) {
      assertThat(stopped.resolve(file)).hasSameBinaryContentAs(folder.resolve("study/" + file));
    }
  }

  @Test
  void run_withReplicates_isRefusedAndMakesNoFolder() {
    Path out = folder.resolve("none");
    assertThatThrownBy(() -> run(out, OptionalInt.of(3), digits(2)))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("figure6 trains once");
    assertThat(out).doesNotExist();
  }

  @Test
  void given_fileThatIsNotThere_isRefusedBeforeAnythingIsDone() {
    assertThatThrownBy(() -> new Experiment.Start.Given(folder.resolve("none.safetensors")))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("must be a safetensors file");
  }

  @Test
  void experiments_folderWithoutData_isRefused() {
    assertThatThrownBy(() -> Experiment.reduced(folder, null))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("must hold the folders mnist or cifar10");
  }
}
