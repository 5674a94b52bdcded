package ngd.studies.training;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import ngd.core.InvalidInput;
import ngd.core.algorithm.StepSize;
import ngd.studies.figure.CurveFigure;
import ngd.studies.figure.Figure;

/**
 * Figure 6 of the paper: the mean validation error over clients and the logarithm of its standard
 * deviation, by rounds, for three networks on sorted data, beside the error of the pooled data.
 *
 * <p>Each training has a run folder of its own in the study's folder; one that is finished is not
 * done again, so that a study goes on where it was stopped, and trainings of another machine can be
 * laid beside each other.
 */
public final class Figure6 {
  private static final List<String> NETWORKS = List.of("central", "circle:2", "fixed:6");
  private static final String POOLED = "pooled";
  private static final String MEAN = "mean Err";
  private static final String SPREAD = "log SD of Err";

  /**
   * How large the study is.
   *
   * @param data the folder that holds {@code mnist} and {@code cifar10}
   * @param full the paper's sizes, or such as a processor does in minutes
   */
  public record Size(Path data, TrainingPlan.Machine machine, boolean full, long seed) {}

  /** One of the two experiments. */
  private record Experiment(
      String stem,
      String title,
      String model,
      String data,
      int clients,
      String alpha,
      int rounds,
      int batch,
      int samples,
      int every,
      RunningStatistics statistics) {}

  private final Trainer trainer;
  private final Size size;
  private final Path folder;

  public Figure6(Trainer trainer, Size size, Path folder) {
    this.trainer = trainer;
    this.size = size;
    this.folder = folder;
  }

  private List<Experiment> experiments() {
    List<Experiment> all = new ArrayList<>();
    if (Files.isDirectory(size.data().resolve("mnist"))) {
      String data = "mnist:" + size.data().resolve("mnist");
      all.add(
          size.full()
              ? new Experiment(
                  "mnist",
                  "LeNet on MNIST",
                  "lenet",
                  data,
                  40,
                  "0.01,0.005@1000,0.001@4000",
                  10_000,
                  0,
                  0,
                  50,
                  RunningStatistics.LOCAL)
              : new Experiment(
                  "mnist",
                  "LeNet on MNIST, reduced",
                  "lenet",
                  data,
                  20,
                  "0.05,0.02@400",
                  500,
                  0,
                  60,
                  25,
                  RunningStatistics.LOCAL));
    }
    if (Files.isDirectory(size.data().resolve("cifar10"))) {
      String data = "cifar10:" + size.data().resolve("cifar10");
      all.add(
          size.full()
              ? new Experiment(
                  "cifar10",
                  "MobileNet on CIFAR-10",
                  "mobilenet",
                  data,
                  25,
                  "0.05,0.01@1920",
                  2400,
                  128,
                  0,
                  160,
                  RunningStatistics.MIXED)
              : new Experiment(
                  "cifar10",
                  "MobileNet on CIFAR-10, reduced",
                  "mobilenet",
                  data,
                  10,
                  "0.02",
                  40,
                  8,
                  16,
                  10,
                  RunningStatistics.MIXED));
    }
    if (all.isEmpty()) {
      throw new InvalidInput(
          "figure6: %s must hold the folders mnist or cifar10, or both; it holds neither"
              .formatted(size.data()));
    }
    return all;
  }

  private TrainingPlan plan(Experiment experiment, String network) {
    boolean pooled = network.equals(POOLED);
    return new TrainingPlan(
        experiment.model(),
        TrainingData.Images.parse(experiment.data()),
        new TrainingPlan.Clients(
            experiment.clients(), "sorted", "in-order", pooled ? NETWORKS.get(1) : network, null),
        pooled,
        "ngd",
        StepSize.parse(experiment.alpha()),
        experiment.rounds(),
        // As many samples a round as all clients together.
        pooled ? experiment.batch() * experiment.clients() : experiment.batch(),
        1,
        size.machine(),
        size.seed(),
        experiment.samples(),
        experiment.every(),
        experiment.every() * 10,
        null,
        experiment.statistics(),
        place(experiment, network),
        false);
  }

  private Path place(Experiment experiment, String network) {
    return folder.resolve(experiment.stem() + "-" + network.replace(':', '-'));
  }

  /** Who is told how the study goes. */
  public interface Watch {
    void at(String what, double share);

    /** Something that the person should know. */
    void warning(String text);
  }

  /** Trains what is not there yet, then draws; gives the names of the files. */
  public List<String> run(Watch watch) {
    List<Experiment> experiments = experiments();
    int trainings = experiments.size() * (NETWORKS.size() + 1);
    int done = 0;
    for (Experiment experiment : experiments) {
      for (String network : with(NETWORKS, POOLED)) {
        train(experiment, network, done, trainings, watch);
        done++;
      }
    }
    return report(experiments);
  }

  private void train(
      Experiment experiment, String network, int before, int trainings, Watch watch) {
    Path place = place(experiment, network);
    TrainingPlan plan = plan(experiment, network);
    if (Files.exists(place.resolve("manifest.json"))) {
      return;
    }
    boolean stopped = Files.exists(place.resolve("checkpoint.bin"));
    trainer.train(
        stopped ? plan.resumed() : plan,
        new Trainer.Watch() {
          @Override
          public void round(int now, int all) {
            watch.at(
                "%s, %s".formatted(experiment.title(), network),
                (before + (double) now / all) / trainings);
          }

          @Override
          public void warning(String text) {
            watch.warning(text);
          }
        });
  }

  private static List<String> with(List<String> some, String more) {
    List<String> all = new ArrayList<>(some);
    all.add(more);
    return all;
  }

  private List<String> report(List<Experiment> experiments) {
    CurveFigure figure =
        new CurveFigure(
            experiments.stream().map(Experiment::title).toList(),
            List.of(MEAN, SPREAD),
            NETWORKS,
            "pooled data",
            "rounds",
            "",
            true);
    StringBuilder rows = new StringBuilder();
    for (Experiment experiment : experiments) {
      for (String network : NETWORKS) {
        TrainingTrace trace = TrainingTrace.read(place(experiment, network).resolve("trace.csv"));
        figure.curve(MEAN, experiment.title(), network, trace.rounds(), trace.means());
        figure.curve(SPREAD, experiment.title(), network, trace.rounds(), trace.logSds());
        rows.append(row(experiment.title(), network, trace));
      }
      TrainingTrace pooled = TrainingTrace.read(place(experiment, POOLED).resolve("trace.csv"));
      figure.reference(MEAN, experiment.title(), pooled.lastMean());
      rows.append(row(experiment.title(), POOLED, pooled));
    }
    Figure drawn = figure.figure("mean and log SD of the validation error by rounds");
    String svg = drawn.svg("figure6");
    write("figure6.svg", svg);
    try {
      Files.write(folder.resolve("figure6.png"), drawn.png());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    write("report.html", page(svg, rows.toString(), experiments));
    return List.of("figure6.svg", "figure6.png", "report.html");
  }

  private static String row(String title, String network, TrainingTrace trace) {
    return String.format(
        Locale.ROOT,
        "<tr><td>%s</td><td>%s</td><td>%.0f</td><td>%.4f</td><td>%.2f</td></tr>%n",
        title,
        network,
        trace.lastRound(),
        trace.lastMean(),
        trace.lastLogSd());
  }

  private String page(String svg, String rows, List<Experiment> experiments) {
    StringBuilder sizes = new StringBuilder();
    for (Experiment e : experiments) {
      sizes
          .append("<li>%s: %d clients, sorted data, in order; ".formatted(e.title(), e.clients()))
          .append(e.batch() == 0 ? "full batches" : "batches of " + e.batch())
          .append("; alpha %s; %d rounds; ".formatted(e.alpha(), e.rounds()))
          .append(
              e.samples() == 0
                  ? "all samples"
                  : "the first %d samples of each class, to learn and to validate"
                      .formatted(e.samples()))
          .append(
              e.model().equals("mobilenet")
                  ? "; Xavier start, not the paper's ImageNet weights; statistics of batch normalisation "
                      + e.statistics().spec()
                  : "; Xavier start, the same for all clients")
          .append(".</li>\n");
    }
    return """
        <!doctype html>
        <html lang="en"><head><meta charset="utf-8"><title>Figure 6</title>
        <style>body{font-family:sans-serif;max-width:60em;margin:2em auto;padding:0 1em}td,th{padding:.2em .8em;text-align:left}</style>
        </head><body>
        <h1>Figure 6: deep learning by network gradient descent</h1>
        <p>%s</p>
        <ul>
        %s</ul>
        <figure>%s</figure>
        <table><thead><tr><th>experiment</th><th>network</th><th>rounds</th><th>mean Err</th><th>log SD</th></tr></thead>
        <tbody>
        %s</tbody></table>
        </body></html>
        """
        .formatted(
            size.full()
                ? "The paper's sizes."
                : "A reduced size, such as a processor does in minutes; --full asks for the paper's.",
            sizes,
            svg,
            rows);
  }

  private void write(String name, String text) {
    try {
      Files.createDirectories(folder);
      Files.writeString(folder.resolve(name), text);
    } catch (IOException e) {
      throw new UncheckedIOException(
          "%s: cannot be written: %s".formatted(folder.resolve(name), e.getMessage()), e);
    }
  }
}
