package ngd.core.formula;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ObjLongConsumer;

/**
 * How often a scan found each text of one expression, where the table numbers them: a number is
 * counted in the time in which a text is not even hashed.
 */
public final class WordTally {
  private long[] counts = {};

  /** In the order in which they came first. */
  private final List<Integer> words = new ArrayList<>();

  private final List<String> texts = new ArrayList<>();

  /** Counts a row's text; false where that has no number. */
  public boolean add(RowValues row, int expression) {
    int word = row.word(expression);
    if (word < 0) {
      return false;
    }
    if (word >= counts.length) {
      counts = Arrays.copyOf(counts, Math.max(16, 2 * word));
    }
    if (counts[word]++ == 0) {
      words.add(word);
      texts.add(String.valueOf(row.text(expression)));
    }
    return true;
  }

  /**
   * Hands over each text with its count, in the order in which they came first, and forgets them.
   */
  public void drain(ObjLongConsumer<String> each) {
    for (int i = 0; i < texts.size(); i++) {
      each.accept(texts.get(i), counts[words.get(i)]);
    }
    counts = new long[0];
    words.clear();
    texts.clear();
  }
}
