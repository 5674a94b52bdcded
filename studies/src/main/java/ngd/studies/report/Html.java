package ngd.studies.report;

import java.util.ArrayList;
import java.util.List;

/** A piece of the report under construction. */
public final class Html {
  private final StringBuilder text = new StringBuilder();
  private final List<Claim> claims = new ArrayList<>();

  static String escaped(String plain) {
    return plain.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  public Html paragraph(String plain) {
    text.append("<p>").append(escaped(plain)).append("</p>\n");
    return this;
  }

  public Html heading(String plain) {
    text.append("<h3>").append(escaped(plain)).append("</h3>\n");
    return this;
  }

  /** A figure inline, so that the page needs no other file. */
  public Html figure(String svg, String caption) {
    text.append("<figure>\n").append(svg).append("<figcaption>");
    text.append(escaped(caption)).append("</figcaption>\n</figure>\n");
    return this;
  }

  public Html table(List<String> header, List<List<String>> rows) {
    return table("table", header, rows);
  }

  /** A table whose columns are numbers, but for the first. */
  public Html numbers(List<String> header, List<List<String>> rows) {
    return table("table numbers", header, rows);
  }

  private Html table(String kind, List<String> header, List<List<String>> rows) {
    text.append("<div class=\"").append(kind).append("\"><table>\n<thead><tr>");
    header.forEach(cell -> text.append("<th>").append(escaped(cell)).append("</th>"));
    text.append("</tr></thead>\n<tbody>\n");
    for (List<String> row : rows) {
      text.append("<tr>");
      row.forEach(cell -> text.append("<td>").append(escaped(cell)).append("</td>"));
      text.append("</tr>\n");
    }
    text.append("</tbody></table></div>\n");
    return this;
  }

  /** A claim of the paper with what these data say of it. */
  public Html claim(Claim claim) {
    claims.add(claim);
    text.append("<div class=\"claim\"><p><span class=\"verdict ")
        .append(claim.verdict().name().toLowerCase(java.util.Locale.ROOT))
        .append("\">")
        .append(claim.verdict().words())
        .append("</span> <q>")
        .append(escaped(claim.text()))
        .append("</q></p>\n<p>")
        .append(escaped(claim.numbers()))
        .append("</p></div>\n");
    return this;
  }

  /** The claims so far, in their order. */
  public List<Claim> claims() {
    return List.copyOf(claims);
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
