package ngd.studies.training;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import ngd.studies.figure.CurveFigure;
import ngd.studies.figure.Figure;

/** The figure and the page of {@link Figure6}, of the traces in its folders. */
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
    CurveFigure figure =
        new CurveFigure(
            experiments.stream().map(Experiment::title).toList(),
            List.of(MEAN, SPREAD),
            Figure6.NETWORKS,
            "pooled data",
            "rounds",
            "",
            true);
    StringBuilder rows = new StringBuilder();
    for (Experiment experiment : experiments) {
      String title = experiment.title();
      for (String network : Figure6.NETWORKS) {
        TrainingTrace trace = trace(experiment, network);
        figure.curve(MEAN, title, network, trace.rounds(), trace.means());
        figure.curve(SPREAD, title, network, trace.rounds(), trace.logSds());
        rows.append(row(title, network, trace));
      }
      TrainingTrace pooled = trace(experiment, Figure6.POOLED);
      figure.reference(MEAN, title, pooled.lastMean());
      rows.append(row(title, Figure6.POOLED, pooled));
    }
    Figure drawn = figure.figure("mean and log SD of the validation error by rounds");
    String svg = drawn.svg("figure6");
    try {
      Files.writeString(folder.resolve("figure6.svg"), svg);
      Files.write(folder.resolve("figure6.png"), drawn.png());
      Files.writeString(folder.resolve("report.html"), page(svg, rows.toString()));
    } catch (IOException e) {
      throw new UncheckedIOException("%s: cannot be written".formatted(folder), e);
    }
    return List.of("figure6.svg", "figure6.png", "report.html");
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

  private String page(String svg, String rows) {
    return """
        <!doctype html>
        <html lang="en"><head><meta charset="utf-8"><title>Figure 6</title>
        <style>body{font-family:sans-serif;max-width:60em;margin:2em auto;padding:0 1em}td,th{padding:.2em .8em;text-align:left}svg{max-width:100%%;height:auto}</style>
        </head><body>
        <h1>Figure 6: deep learning by network gradient descent</h1>
        <ul>
        %s</ul>
        <figure>%s</figure>
        <table><thead><tr><th>experiment</th><th>network</th><th>rounds</th><th>mean Err</th><th>log SD</th></tr></thead>
        <tbody>
        %s</tbody></table>
        <p>Err is the share of validation samples that a client's network gets wrong. The dotted line is the last error of
        the same network trained on the pooled data.</p>
        </body></html>
        """
        .formatted(
            experiments.stream()
                .map(experiment -> "<li>" + experiment.inWords() + "</li>\n")
                .collect(Collectors.joining()),
            svg,
            rows);
  }
}
