package ngd.studies.training;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BiFunction;
import ngd.core.training.TrainingTrace;
import ngd.studies.figure.CurveFigure;
import ngd.studies.figure.Figure;

/** The figures and the page of {@link Figure6}, of the traces in its folders. */
final class Figure6Report {
  private static final String MEAN = "mean Err";
  private static final String SPREAD = "log SD of Err";

  private final Path folder;
  private final List<Experiment> experiments;
  private final BiFunction<Experiment, String, Path> place;

  /**
   * @param place the folder of an experiment's training on a network
   */
  Figure6Report(
      Path folder, List<Experiment> experiments, BiFunction<Experiment, String, Path> place) {
    this.folder = folder;
    this.experiments = experiments;
    this.place = place;
  }

  /** Draws and writes; gives the names of the files. */
  List<String> write() {
    List<String> files = new ArrayList<>();
    StringBuilder figures = new StringBuilder();
    StringBuilder rows = new StringBuilder();
    try {
      for (Experiment experiment : experiments) {
        String stem = "figure6-" + experiment.stem();
        Figure drawn = figure(experiment);
        String svg = drawn.svg(stem);
        Files.writeString(folder.resolve(stem + ".svg"), svg);
        Files.write(folder.resolve(stem + ".png"), drawn.png());
        files.addAll(List.of(stem + ".svg", stem + ".png"));
        figures.append(
            "<figure>%s<figcaption>%s</figcaption></figure>%n"
                .formatted(svg, experiment.inWords()));
        for (String network : Figure6.NETWORKS) {
          rows.append(row(experiment.title(), network, trace(experiment, network)));
        }
        rows.append(row(experiment.title(), Figure6.POOLED, trace(experiment, Figure6.POOLED)));
      }
      Files.writeString(folder.resolve("report.html"), page(figures.toString(), rows.toString()));
    } catch (IOException e) {
      throw new UncheckedIOException("%s: cannot be written".formatted(folder), e);
    }
    files.add("report.html");
    return files;
  }

  private Figure figure(Experiment experiment) {
    String title = experiment.title();
    CurveFigure figure =
        new CurveFigure(
            List.of(title),
            List.of(MEAN, SPREAD),
            Figure6.NETWORKS,
            "pooled data",
            "rounds",
            "",
            true);
    for (String network : Figure6.NETWORKS) {
      TrainingTrace trace = trace(experiment, network);
      figure.curve(MEAN, title, network, trace.rounds(), trace.means());
      figure.curve(SPREAD, title, network, trace.rounds(), trace.logSds());
    }
    figure.reference(MEAN, title, trace(experiment, Figure6.POOLED).lastMean());
    return figure.figure("%s: mean and log SD of the validation error by rounds".formatted(title));
  }

  private TrainingTrace trace(Experiment experiment, String network) {
    return TrainingTrace.read(place.apply(experiment, network).resolve("trace.csv"));
  }

  private static String row(String title, String network, TrainingTrace trace) {
    return String.format(
        Locale.ROOT,
        "<tr><td>%s</td><td>%s</td><td>%.0f</td><td>%.4f</td><td>%s</td></tr>%n",
        title,
        network,
        trace.lastRound(),
        trace.lastMean(),
        network.equals(Figure6.POOLED)
            ? "one client"
            : String.format(Locale.ROOT, "%.2f", trace.lastLogSd()));
  }

  private static String page(String figures, String rows) {
    return """
        <!doctype html>
        <html lang="en"><head><meta charset="utf-8"><title>Figure 6</title>
        <style>body{font-family:sans-serif;max-width:64em;margin:2em auto;padding:0 1em}table{margin-top:1em}td,th{padding:.2em .8em;text-align:left}
        main{display:flex;flex-wrap:wrap;gap:1em}figure{flex:1 1 26em;margin:0}svg{max-width:100%%;height:auto}figcaption{font-size:.9em}</style>
        </head><body>
        <h1>Figure 6: deep learning by network gradient descent</h1>
        <main>
        %s</main>
        <table><thead><tr><th>experiment</th><th>network</th><th>rounds</th><th>mean Err</th><th>log SD</th></tr></thead>
        <tbody>
        %s</tbody></table>
        <p>Err is the share of validation samples that a client's network gets wrong. The dotted line is the last error of
        the same network trained on the pooled data.</p>
        </body></html>
        """
        .formatted(figures, rows);
  }
}
