package ngd.core.preparation;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import ngd.core.InvalidInput;
import ngd.core.algorithm.Totals;

/**
 * The union over all sites of sets of words, found by totals alone.
 *
 * <p>The sites walk down the trie of the words' bytes together. At each step every site says, for
 * every beginning that some word has, which bytes follow it in its own words; the total says which
 * follow anywhere, and these are the beginnings of the next step. So there are as many steps as the
 * longest word has bytes, and what becomes known is how many sites have each beginning.
 */
final class WordAgreement {
  /** No byte of UTF-8: it stands for the end of a word. */
  private static final int END = 0xFF;

  private static final int BYTES = 256;

  /** More is no classification but an identifier, which must not leave its site. */
  static final int MOST_WORDS = 2000;

  static final int LONGEST_WORD = 400;

  private final Totals totals;
  private final List<String> subjects;
  private final List<List<String>> found = new ArrayList<>();

  private WordAgreement(Totals totals, List<String> subjects) {
    this.totals = totals;
    this.subjects = subjects;
    subjects.forEach(_ -> found.add(new ArrayList<>()));
  }

  /** The words of one set at one table, by their bytes. */
  private record Words(List<byte[]> sorted) {
    static Words of(Collection<String> words) {
      return new Words(
          words.stream()
              .distinct()
              .map(word -> word.getBytes(StandardCharsets.UTF_8))
              .sorted(Arrays::compareUnsigned)
              .toList());
    }

    int next(int word, int depth) {
      byte[] bytes = sorted.get(word);
      return depth == bytes.length ? END : bytes[depth] & 0xFF;
    }
  }

  /** A beginning that some word has, and for each table the range of its words that have it. */
  private record Beginning(int set, List<Byte> path, List<Range> ranges) {
    String word() {
      byte[] bytes = new byte[path.size()];
      for (int i = 0; i < bytes.length; i++) {
        bytes[i] = path.get(i);
      }
      return new String(bytes, StandardCharsets.UTF_8);
    }
  }

  private record Range(int from, int to) {}

  /**
   * The unions, each in the order of the words' bytes.
   *
   * @param subjects what each set's words are, as an error names it
   * @param ofTables for each table here, its words for each subject
   */
  static List<List<String>> unions(
      List<String> subjects,
      List<? extends List<? extends Collection<String>>> ofTables,
      Totals totals) {
    WordAgreement agreement = new WordAgreement(totals, subjects);
    agreement.refuseTooMany(ofTables);
    List<List<Words>> words =
        ofTables.stream().map(sets -> sets.stream().map(Words::of).toList()).toList();
    agreement.walk(words);
    return agreement.found;
  }

  private void refuseTooMany(List<? extends List<? extends Collection<String>>> ofTables) {
    double[][] refused =
        ofTables.stream()
            .map(
                sets ->
                    sets.stream()
                        .mapToDouble(words -> words.size() > MOST_WORDS || tooLong(words) ? 1 : 0)
                        .toArray())
            .toArray(double[][]::new);
    if (subjects.isEmpty()) {
      return;
    }
    double[] counts = totals.total(refused);
    for (int set = 0; set < counts.length; set++) {
      if (counts[set] > 0) {
        throw refusal(set);
      }
    }
  }

  private static boolean tooLong(Collection<String> words) {
    return words.stream()
        .anyMatch(word -> word.getBytes(StandardCharsets.UTF_8).length > LONGEST_WORD);
  }

  private InvalidInput refusal(int set) {
    return new InvalidInput(
        "%s: at most %d levels of at most %d bytes can be agreed on; some site has more. Is it an identifier?"
            .formatted(subjects.get(set), MOST_WORDS, LONGEST_WORD));
  }

  private void walk(List<List<Words>> tables) {
    List<Beginning> live = new ArrayList<>();
    for (int s = 0; s < subjects.size(); s++) {
      int set = s;
      live.add(
          new Beginning(
              s,
              List.of(),
              tables.stream().map(own -> new Range(0, own.get(set).sorted().size())).toList()));
    }
    for (int depth = 0; !live.isEmpty(); depth++) {
      live = step(live, tables, depth);
    }
  }

  private List<Beginning> step(List<Beginning> live, List<List<Words>> tables, int depth) {
    double[][] follows = new double[tables.size()][live.size() * BYTES];
    for (int b = 0; b < live.size(); b++) {
      Beginning beginning = live.get(b);
      for (int t = 0; t < tables.size(); t++) {
        Range range = beginning.ranges().get(t);
        Words words = tables.get(t).get(beginning.set());
        for (int word = range.from(); word < range.to(); word++) {
          follows[t][b * BYTES + words.next(word, depth)] = 1;
        }
      }
    }
    double[] counts = totals.total(follows);
    List<Beginning> longer = new ArrayList<>();
    for (int b = 0; b < live.size(); b++) {
      Beginning beginning = live.get(b);
      if (counts[b * BYTES + END] > 0) {
        found.get(beginning.set()).add(beginning.word());
      }
      for (int next = 0; next < END; next++) {
        if (counts[b * BYTES + next] > 0) {
          longer.add(extended(beginning, next, tables, depth));
        }
      }
    }
    for (int set = 0; set < subjects.size(); set++) {
      int own = set;
      if (longer.stream().filter(beginning -> beginning.set() == own).count() > MOST_WORDS) {
        throw refusal(set);
      }
    }
    return longer;
  }

  private static Beginning extended(
      Beginning beginning, int next, List<List<Words>> tables, int depth) {
    List<Byte> path = new ArrayList<>(beginning.path());
    path.add((byte) next);
    List<Range> ranges = new ArrayList<>();
    for (int t = 0; t < tables.size(); t++) {
      Words words = tables.get(t).get(beginning.set());
      int from = beginning.ranges().get(t).from();
      int end = beginning.ranges().get(t).to();
      while (from < end && words.next(from, depth) != next) {
        from++;
      }
      int to = from;
      while (to < end && words.next(to, depth) == next) {
        to++;
      }
      ranges.add(new Range(from, to));
    }
    return new Beginning(beginning.set(), List.copyOf(path), ranges);
  }
}
