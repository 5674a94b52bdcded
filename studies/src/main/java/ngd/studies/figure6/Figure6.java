package ngd.studies.figure6;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import ngd.core.Problems;
import ngd.core.training.RunningStatistics;
import ngd.core.training.Trainer;
import ngd.core.training.TrainingQuestion;
import ngd.studies.Study;
import ngd.studies.StudyWork;
import ngd.studies.Workplace;

/**
 * Figure 6 of the paper: the mean validation error over clients and the logarithm of its standard
 * deviation, by rounds, for three networks on sorted data, beside the error of the pooled data.
 *
 * <p>Its units of work are trainings. Each has a run folder of its own in the study's folder; one
 * that is finished is not done again, so that a study goes on where it was stopped, and trainings
 * of another machine can be laid beside each other.
 *
 * @param device where to train, in the words of the command line
 * @param precision and with which numbers
 */
public record Figure6(
    Trainer trainer, List<Experiment> experiments, String device, String precision)
    implements Study {
  static final List<String> NETWORKS = List.of("central", "circle:2", "fixed:6");
  static final String POOLED = "pooled";
  private static final String LEARNED = "learned-before";

  public Figure6 {
    experiments = List.copyOf(experiments);
  }

  @Override
  public String name() {
    return "figure6";
  }

  /** Each training's own manifest says the rest, and a folder may get more of them later. */
  @Override
  public Map<String, Object> settings() {
    return Map.of("networks", NETWORKS, "trainings", "each has a manifest in its folder");
  }

  @Override
  public List<String> folders() {
    List<String> folders = new ArrayList<>();
    for (Experiment experiment : experiments) {
      NETWORKS.forEach(network -> folders.add(folder(experiment, network)));
      folders.add(folder(experiment, POOLED));
      folders.add(folder(experiment, LEARNED));
    }
    return folders;
  }

  @Override
  public void check(Workplace place, Problems problems) {
    problems.require(
        place.replicates().isEmpty(),
        "replicates: figure6 trains once; got " + place.replicates().orElse(1));
    problems.require(
        place.engine().threads().isPresent(),
        "engine: figure6 trains on this machine, local or local:THREADS; got "
            + place.engine().description());
    trainings(place).forEach(training -> problems.collect(training::isDone));
  }

  @Override
  public StudyWork in(Workplace place) {
    return new TrainingWork(this, place, trainings(place));
  }

  /** The folder of an experiment's training on a network, in the study's own. */
  static String folder(Experiment experiment, String network) {
    return experiment.stem() + "-" + network.replace(':', '-');
  }

  /** All trainings, in an order in which each finds what it begins with. */
  private List<FolderTraining> trainings(Workplace place) {
    List<FolderTraining> trainings = new ArrayList<>();
    for (Experiment experiment : experiments) {
      if (experiment.start() instanceof Experiment.Start.Learned few) {
        trainings.add(
            new FolderTraining(
                experiment.title() + ", learned before", learned(experiment, few, place)));
      }
      for (String network : NETWORKS) {
        trainings.add(training(experiment, network, place));
      }
      trainings.add(training(experiment, POOLED, place));
    }
    return trainings;
  }

  private FolderTraining training(Experiment experiment, String network, Workplace place) {
    Map<String, String> words = words(experiment, network, place);
    words.put("alpha", experiment.alpha());
    words.put("rounds", Integer.toString(experiment.rounds()));
    // Pooled: as many samples a round as all clients together.
    putPositive(
        words,
        "batch",
        network.equals(POOLED) ? experiment.batch() * experiment.clients() : experiment.batch());
    putPositive(words, "samples", experiment.samples());
    switch (experiment.start()) {
      case null -> {}
      case Experiment.Start.Given given -> words.put("start", given.file().toString());
      case Experiment.Start.Learned _ ->
          words.put(
              "start",
              place
                  .folder()
                  .resolve(folder(experiment, LEARNED))
                  .resolve("theta.safetensors")
                  .toString());
    }
    words.put("batch-norm", experiment.statistics().spec());
    return new FolderTraining(
        experiment.title() + ", " + network,
        question(words, experiment.every(), folder(experiment, network), place));
  }

  /** The training whose weights the others begin with. */
  private TrainingQuestion learned(
      Experiment experiment, Experiment.Start.Learned few, Workplace place) {
    Map<String, String> words = words(experiment, POOLED, place);
    words.put("alpha", few.alpha());
    words.put("rounds", Integer.toString(few.rounds()));
    putPositive(words, "batch", few.batch());
    putPositive(words, "samples", few.samples());
    words.put("batch-norm", RunningStatistics.LOCAL.spec());
    return question(words, Math.max(1, few.rounds() / 10), folder(experiment, LEARNED), place);
  }

  /** What all trainings of an experiment are asked alike, but for the network. */
  private Map<String, String> words(Experiment experiment, String network, Workplace place) {
    Map<String, String> words = new LinkedHashMap<>();
    words.put("model", experiment.model());
    words.put("data", experiment.data());
    if (network.equals(POOLED)) {
      words.put("pooled", "true");
    } else {
      words.put("clients", Integer.toString(experiment.clients()));
      words.put("partition", "sorted");
      words.put("network", network);
    }
    words.put("algorithm", "ngd");
    words.put("device", device);
    words.put("precision", precision);
    words.put("seed", Long.toString(place.seed()));
    return words;
  }

  private static void putPositive(Map<String, String> words, String key, int value) {
    if (value > 0) {
      words.put(key, Integer.toString(value));
    }
  }

  private static TrainingQuestion question(
      Map<String, String> words, int every, String folder, Workplace place) {
    words.put("evaluate-every", Integer.toString(every));
    Path out = place.folder().resolve(folder);
    return TrainingQuestion.of(
        words,
        new TrainingQuestion.Work(place.engine().threads().orElse(1), every * 10, out, false));
  }
}
