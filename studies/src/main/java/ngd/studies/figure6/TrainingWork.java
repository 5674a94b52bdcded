package ngd.studies.figure6;

import java.util.List;
import ngd.core.WorkFailed;
import ngd.core.training.Trainer;
import ngd.core.training.TrainingFailed;
import ngd.core.world.Diverged;
import ngd.studies.StudyWork;
import ngd.studies.Workplace;
import ngd.studies.report.Output;
import ngd.studies.report.Section;

/** The trainings of {@link Figure6}, one after another: each has the whole device. */
record TrainingWork(Figure6 study, Workplace place, List<FolderTraining> trainings)
    implements StudyWork {
  /** A guess, in microseconds; only its proportion to other trainings matters. */
  private static final double ROUND = 1e5;

  private List<FolderTraining> left() {
    return trainings.stream().filter(training -> !training.isDone()).toList();
  }

  @Override
  public String unit() {
    return "training";
  }

  @Override
  public int units() {
    return trainings.size();
  }

  @Override
  public double missing() {
    return left().stream().mapToDouble(training -> ROUND * training.rounds()).sum();
  }

  @Override
  public Done compute(Watch watch) {
    List<FolderTraining> left = left();
    int finished = trainings.size() - left.size();
    long rounds = 0;
    for (FolderTraining training : left) {
      train(training, finished, ROUND * rounds, watch);
      finished++;
      rounds += training.rounds();
      watch.at(training.title(), finished, ROUND * rounds);
    }
    return new Done(left.size(), rounds);
  }

  private void train(FolderTraining training, int finished, double before, Watch watch) {
    try {
      training.train(
          study.trainer(),
          new Trainer.Watch() {
            @Override
            public void round(int done, int all) {
              watch.at(training.title(), finished, before + ROUND * done);
            }

            @Override
            public void warning(String text) {
              watch.warning("%s: %s".formatted(training.title(), text));
            }
          });
    } catch (Diverged | TrainingFailed e) {
      throw new WorkFailed("%s: %s".formatted(training.title(), e.getMessage()), e);
    }
  }

  @Override
  public List<String> opening() {
    return List.of(
        "Network gradient descent (NGD): M clients, no server; in every round each client averages the weights of the clients it hears and takes a gradient step of size α on its own data. Each training has a folder beside this page, with its settings in manifest.json and its numbers in trace.csv and errors.csv; the seed is %d."
            .formatted(place.seed()));
  }

  @Override
  public Section report(Output output) {
    return new Figure6Report(study.experiments(), place.folder()).write(output);
  }

  @Override
  public void close() {}
}
