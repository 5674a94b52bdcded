package ngd.studies.report;

import java.util.List;
import java.util.stream.Collectors;

/**
 * The page that shows and explains a study or an answer. It holds its figures itself and names no
 * time and no machine: the same request, seed and replicates give the same bytes.
 */
public final class Page {
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
      .numbers th:nth-child(2), .numbers td:nth-child(2) { text-align: right; }
      .claim { border-left: 4px solid #bbb; padding: .1rem 0 .1rem 1rem; margin: 1rem 0; }
      .claim p { margin: .3rem 0; }
      .verdict { font-size: .8rem; font-weight: bold; padding: .1rem .5rem; border: 1px solid #333; }
      .supported { background: #dff0d8; } .in_part { background: #fdf3d0; }
      .not_supported { background: #f5d9d5; } .no_cases { background: #eee; }
      @media print { body { font-size: 11px; max-width: none; } h2 { page-break-before: always; } }
      """;

  private Page() {}

  /**
   * The page.
   *
   * @param opening how it begins, a paragraph each
   */
  public static String html(String title, List<String> opening, List<Section> sections) {
    Html begin = new Html();
    opening.forEach(begin::paragraph);
    String body =
        sections.stream()
            .map(
                section ->
                    "<section>\n<h2>%s</h2>\n%s</section>\n"
                        .formatted(Html.escaped(section.title()), section.html()))
            .collect(Collectors.joining());
    return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        + "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>"
        + Html.escaped(title)
        + "</title>\n<style>\n"
        + STYLE
        + "</style>\n</head>\n<body>\n<h1>"
        + Html.escaped(title)
        + "</h1>\n"
        + begin
        + body
        + "</body>\n</html>\n";
  }
}
