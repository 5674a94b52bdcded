package ngd.studies.figure6;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import ngd.core.InvalidInput;
import ngd.core.question.Key;
import ngd.core.question.Question;
import ngd.core.training.Trainer;
import ngd.studies.StudyKind;
import ngd.studies.StudyRequest;
import org.jspecify.annotations.Nullable;

/** {@code figure6}, and the options that it takes. */
public final class Figure6Kind implements StudyKind {
  private static final String NAME = "figure6";

  private static final Key<String> DATA =
      Key.text("data", "DIR")
          .standard(_ -> Optional.ofNullable(System.getenv("NGD_DATA")))
          .help(
              "For figure6: folder with mnist and cifar10 (default: the environment variable NGD_DATA).");

  private static final Key<String> DEVICE =
      Key.text("device", "WORD").standard("cpu").help("For figure6: cpu (the default) or cuda.");

  private static final Key<String> PRECISION =
      Key.text("precision", "WORD")
          .standard("float32")
          .help("For figure6: float32 (the default), tf32, bf16 or float64.");

  private static final Key<String> START =
      Key.text("start", "FILE")
          .help(
              "For figure6: safetensors file with initial weights and statistics of MobileNet, such as ImageNet's; by default they are first learned from a few pooled samples.");

  private static final Key<Boolean> FULL =
      Key.flag("full").help("For figure6: run at the paper's size, on a GPU; reduced by default.");

  @Override
  public List<String> names() {
    return List.of(NAME);
  }

  @Override
  public boolean partOfAll() {
    return false;
  }

  @Override
  public List<Key<?>> options() {
    return List.of(DATA, DEVICE, PRECISION, START, FULL);
  }

  @Override
  public StudyRequest request(String name, Question options) {
    Path data =
        Path.of(
            options
                .find(DATA)
                .orElseThrow(
                    () ->
                        new InvalidInput(
                            "--data: the folder with mnist and cifar10 must be given")));
    @Nullable Path start = options.find(START).map(Path::of).orElse(null);
    List<Experiment> experiments =
        options.get(FULL) ? Experiment.full(data, start) : Experiment.reduced(data, start);
    return new StudyRequest(
        name,
        List.of(
            new Figure6(Trainer.find(), experiments, options.get(DEVICE), options.get(PRECISION))));
  }
}
