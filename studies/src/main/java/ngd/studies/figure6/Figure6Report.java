package ngd.studies.figure6;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import ngd.core.training.TrainingTrace;
import ngd.studies.figure.CurveFigure;
import ngd.studies.figure.Figure;
import ngd.studies.report.Html;
import ngd.studies.report.Output;
import ngd.studies.report.Section;

/** The figures and words of {@link Figure6}, of the traces in its folders. */
record Figure6Report(List<Experiment> experiments, Path folder) {
  private static final String MEAN = "mean Err";
  private static final String SPREAD = "log SD of Err";

  Section write(Output output) {
    Html html = new Html();
    List<List<String>> rows = new ArrayList<>();
    for (Experiment experiment : experiments) {
      html.figure(
          output.figure("figure6-" + experiment.stem(), figure(experiment)), experiment.inWords());
      for (String network : Figure6.NETWORKS) {
        rows.add(row(experiment.title(), network, trace(experiment, network)));
      }
      rows.add(row(experiment.title(), Figure6.POOLED, trace(experiment, Figure6.POOLED)));
    }
    html.table(List.of("experiment", "network", "rounds", "mean Err", "log SD"), rows);
    html.paragraph(
        "Err is the share of validation samples that a client's network gets wrong. The dotted line is the last error of the same network trained on the pooled data.");
    return new Section("Figure 6: deep learning by network gradient descent", html);
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
    return TrainingTrace.read(
        folder.resolve(Figure6.folder(experiment, network)).resolve("trace.csv"));
  }

  private static List<String> row(String title, String network, TrainingTrace trace) {
    return List.of(
        title,
        network,
        String.format(Locale.ROOT, "%.0f", trace.lastRound()),
        String.format(Locale.ROOT, "%.4f", trace.lastMean()),
        network.equals(Figure6.POOLED)
            ? "one client"
            : String.format(Locale.ROOT, "%.2f", trace.lastLogSd()));
  }
}
