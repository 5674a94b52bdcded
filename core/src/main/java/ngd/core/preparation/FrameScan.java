package ngd.core.preparation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import ngd.core.data.NumericText;
import ngd.core.data.SiteTable;
import ngd.core.formula.ColumnType;
import ngd.core.formula.Expression;
import ngd.core.formula.Frame;
import ngd.core.formula.Levels;
import ngd.core.formula.RowValues;
import ngd.core.formula.Variable;
import ngd.core.formula.WordTally;

/** The first pass over one site's rows: how many are complete, and which levels they have. */
final class FrameScan {
  private final Frame frame;
  private final String site;
  private final long[] missing;
  private final List<LevelsSeen> levels = new ArrayList<>();
  private final List<Values> bases = new ArrayList<>();
  private final List<NumericText> texts = new ArrayList<>();

  /** Where each of these stands among what is scanned. */
  private final int[] textPlaces;

  private long complete;
  private long dropped;

  private FrameScan(Frame frame, SiteTable table) {
    this.frame = frame;
    site = table.site();
    missing = new long[frame.scanned().size()];
    for (Variable factor : frame.factors()) {
      levels.add(new LevelsSeen(frame.type(factor), frame.at(factor)));
    }
    for (Variable basis : frame.bases()) {
      bases.add(new Values(frame.at(basis)));
    }
    List<Integer> places = new ArrayList<>();
    for (int i = 0; i < missing.length; i++) {
      if (frame.scannedTypes().get(i) == ColumnType.TEXT
          && frame.scanned().get(i) instanceof Expression.Name(String column)
          && table.levels(column).isEmpty()) {
        texts.add(new NumericText(site, column));
        places.add(i);
      }
    }
    textPlaces = places.stream().mapToInt(i -> i).toArray();
    table.scan(frame.scanned(), this::add);
  }

  static FrameScan of(Frame frame, SiteTable table) {
    return new FrameScan(frame, table);
  }

  private void add(RowValues row) {
    boolean whole = true;
    for (int t = 0; t < textPlaces.length; t++) {
      texts.get(t).add(row, textPlaces[t]);
    }
    for (int i = 0; i < missing.length && !row.isWhole(); i++) {
      if (frame.isMissing(row, i)) {
        missing[i]++;
        whole = false;
      }
    }
    if (!whole && !frame.formula().isImputed()) {
      dropped++;
      return;
    }
    complete++;
    for (LevelsSeen seen : levels) {
      seen.add(row);
    }
    for (Values values : bases) {
      values.add(row);
    }
  }

  /** For each basis of the frame, its number in complete rows, and in others that count. */
  List<double[]> values() {
    return bases.stream().map(Values::array).toList();
  }

  /** One number of every complete row. */
  private static final class Values {
    private final int at;
    private double[] numbers = new double[64];
    private int size;

    Values(int at) {
      this.at = at;
    }

    void add(RowValues row) {
      if (Double.isNaN(row.number(at))) {
        return;
      }
      if (size == numbers.length) {
        numbers = Arrays.copyOf(numbers, 2 * size);
      }
      numbers[size++] = row.number(at);
    }

    double[] array() {
      return Arrays.copyOf(numbers, size);
    }
  }

  SiteRows rows() {
    Map<String, Long> counts = new LinkedHashMap<>();
    for (int i = 0; i < missing.length; i++) {
      if (missing[i] > 0) {
        counts.put(frame.scanned().get(i).text(), missing[i]);
      }
    }
    List<String> notes = texts.stream().flatMap(text -> text.warning().stream()).toList();
    return new SiteRows(site, complete, dropped, counts, notes);
  }

  /** For each factor of the frame, its levels in complete rows. */
  List<Collection<String>> levels() {
    return levels.stream().map(LevelsSeen::texts).toList();
  }

  /** One factor's levels. More than can be agreed on are not kept. */
  private static final class LevelsSeen {
    private final ColumnType type;
    private final int at;
    private final Set<String> texts = new HashSet<>();
    private final Set<Double> numbers = new HashSet<>();
    private final WordTally tally = new WordTally();

    LevelsSeen(ColumnType type, int at) {
      this.type = type;
      this.at = at;
    }

    void add(RowValues row) {
      if (type == ColumnType.TEXT && tally.add(row, at)) {
        return;
      }
      if (type == ColumnType.TEXT ? row.text(at) == null : Double.isNaN(row.number(at))) {
        return;
      }
      if (type == ColumnType.TEXT) {
        keep(String.valueOf(row.text(at)));
      } else if (numbers.size() <= WordAgreement.MOST_WORDS) {
        numbers.add(row.number(at) + 0.0);
      }
    }

    private void keep(String text) {
      if (texts.size() <= WordAgreement.MOST_WORDS) {
        texts.add(text);
      }
    }

    Collection<String> texts() {
      tally.drain((text, _) -> keep(text));
      return type == ColumnType.TEXT
          ? new TreeSet<>(texts)
          : new TreeSet<>(numbers)
              .stream().map(n -> String.valueOf(Levels.of(type, n, null))).toList();
    }
  }
}
