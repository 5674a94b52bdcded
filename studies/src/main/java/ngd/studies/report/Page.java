package ngd.studies;

import java.util.List;
import java.util.stream.Collectors;

/**
 * The page that shows and explains a study. It holds its figures itself and names no time and no
 * machine: the same plan, seed and replicates give the same bytes.
 */
final class Report {
  private static final String STYLE =
      """
      body { font: 16px/1.5 "DejaVu Sans", Verdana, sans-serif; max-width: 62rem; margin: 2rem auto;
             padding: 0 1rem; color: #1a1a1a; background: #fff; }
      h1 { font-size: 1.6rem; } h2 { font-size: 1.3rem; margin-top: 3rem;
           border-bottom: 1px solid #bbb; } h3 { font-size: 1.05rem; }
      figure { margin: 1.5rem 0; } figure svg { width: 100%; height: auto; }
      figcaption { font-size: .85rem; color: #444; }
      .table { overflow-x: auto; } table { border-collapse: collapse; font-size: .85rem; }
      th, td { padding: .2rem .7rem; text-align: right; border-bottom: 1px solid #ddd;
               white-space: nowrap; }
      th:first-child, td:first-child, th:nth-child(2), td:nth-child(2) { text-align: left; }
      .claim { border-left: 4px solid #bbb; padding: .1rem 0 .1rem 1rem; margin: 1rem 0; }
      .claim p { margin: .3rem 0; }
      .verdict { font-size: .8rem; font-weight: bold; padding: .1rem .5rem; border: 1px solid #333; }
      .supported { background: #dff0d8; } .in_part { background: #fdf3d0; }
      .not_supported { background: #f5d9d5; }
      @media print { body { font-size: 11px; max-width: none; } h2 { page-break-before: always; } }
      """;

  private Report() {}

  static String html(StudyPlan plan, long seed, List<Section> sections) {
    String title = "ngd study " + plan.name();
    String body =
        sections.stream()
            .map(
                section ->
                    "<section>\n<h2>%s</h2>\n%s</section>\n"
                        .formatted(Html.escaped(section.title()), section.html()))
            .collect(Collectors.joining());
    String opening =
        new Html()
            .paragraph(
                "Network gradient descent (NGD): M clients, no server; in every round each client averages the estimates of the clients it hears and takes a gradient step of size α on its own data. The figures show the natural logarithm of the mean squared error over clients, MSE = ‖θ* − θ0*‖²/M, against the true parameter.")
            .paragraph(
                "Every replicate r draws new data and new random networks from streams that depend on the seed (%d), r and the purpose alone, so all curves of a figure, and all studies with this seed, see the same data. Medians and quartiles are over replicates. Section numbers and quotations are those of the paper (Wu, Huang and Wang, Network Gradient Descent Algorithm for Decentralized Federated Learning). Numbers behind the figures are in the CSV files beside this page, settings in manifest.json."
                    .formatted(seed))
            .toString();
    return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        + "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>"
        + Html.escaped(title)
        + "</title>\n<style>\n"
        + STYLE
        + "</style>\n</head>\n<body>\n<h1>"
        + Html.escaped(title)
        + "</h1>\n"
        + opening
        + body
        + "</body>\n</html>\n";
  }
}
