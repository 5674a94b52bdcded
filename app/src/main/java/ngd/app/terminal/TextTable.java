package ngd.app.terminal;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** Columns of text, the first aligned left and the others right. */
public final class TextTable {
  private final List<List<String>> lines = new ArrayList<>();

  public TextTable(List<String> head) {
    add(head);
  }

  public void add(List<String> cells) {
    lines.add(List.copyOf(cells));
  }

  public void print(PrintWriter out) {
    int columns = lines.getFirst().size();
    int[] widths = new int[columns];
    for (List<String> line : lines) {
      for (int c = 0; c < columns; c++) {
        widths[c] = Math.max(widths[c], width(line.get(c)));
      }
    }
    for (List<String> line : lines) {
      StringBuilder text = new StringBuilder();
      for (int c = 0; c < columns; c++) {
        String pad = " ".repeat(widths[c] - width(line.get(c)));
        text.append(c == 0 ? "" : "  ").append(c == 0 ? line.get(c) + pad : pad + line.get(c));
      }
      out.println(text.toString().stripTrailing());
    }
  }

  private static int width(String text) {
    return text.codePointCount(0, text.length());
  }
}
