package ngd.studies.figure6;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import ngd.core.InvalidInput;
import ngd.core.Problems;
import ngd.core.question.Question;
import ngd.core.question.Words;
import ngd.core.question.WordsFile;
import ngd.core.training.Trainer;
import ngd.core.training.TrainingKeys;
import ngd.core.training.TrainingQuestion;

/**
 * A training with a folder of its own, finished, stopped or not begun.
 *
 * @param title what to call it
 */
record FolderTraining(String title, TrainingQuestion asked) {
  /** Choices that may differ between trainings of one figure: where and how they were computed. */
  private static final List<String> FREE =
      List.of("data", "device", "precision", "plain", "evaluate-every", "start");

  private Path folder() {
    return Objects.requireNonNull(asked.out());
  }

  /** Whether its folder holds this training, finished; refuses a folder that holds another. */
  boolean isDone() {
    Path manifest = folder().resolve("manifest.json");
    if (!Files.exists(manifest)) {
      return false;
    }
    Problems problems = new Problems();
    Words words =
        WordsFile.read(manifest, TrainingKeys.ALL, Map.of(), new Words(Words.Style.KEYS), problems);
    Question found = Question.read(TrainingKeys.ALL, words, problems);
    if (problems.any()) {
      throw new InvalidInput(
          "%s: must be the manifest of a training; it is damaged".formatted(manifest));
    }
    for (String choice : asked.question().differences(found)) {
      if (!FREE.contains(choice)) {
        throw new InvalidInput(
            "figure6: %s must hold a training with %s %s, or none; it holds one with %s (another --out begins anew)"
                .formatted(folder(), choice, said(asked.question(), choice), said(found, choice)));
      }
    }
    return true;
  }

  private static String said(Question question, String choice) {
    return String.join(",", question.words().getOrDefault(choice, List.of("nothing said")));
  }

  /** Trains, from the beginning or from where it was stopped. */
  void train(Trainer trainer, Trainer.Watch watch) {
    boolean stopped = Files.exists(folder().resolve("checkpoint.bin"));
    trainer.train(stopped ? asked.resumed() : asked, watch);
  }

  int rounds() {
    return asked.rounds();
  }
}
