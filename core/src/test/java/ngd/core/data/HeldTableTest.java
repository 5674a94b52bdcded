package ngd.core.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.function.Consumer;
import ngd.core.InvalidInput;
import ngd.core.Memory;
import ngd.core.formula.Column;
import ngd.core.formula.ColumnType;
import ngd.core.formula.Expression;
import ngd.core.formula.RowValues;
import ngd.core.formula.WordTally;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Oracle: what the source says, and how often it was read. */
class HeldTableTest {
  private static final Memory PLENTY = Memory.parse("1m");
  private static final Memory LITTLE = Memory.parse("1k");

  private static final List<Expression> BOTH =
      List.of(new Expression.Name("x"), new Expression.Name("word"));

  /** A source whose next pass may be another. */
  private static final class Source implements SiteTable {
    private int rows = 100;
    private double firstNumber;
    private String lastWord = "w99";
    private int passes;

    @Override
    public String site() {
      return "north";
    }

    @Override
    public String source() {
      return "north.csv";
    }

    @Override
    public List<Column> columns() {
      return List.of(new Column("x", ColumnType.NUMBER), new Column("word", ColumnType.TEXT));
    }

    @Override
    public void scan(List<Expression> expressions, Consumer<RowValues> sink) {
      passes++;
      for (int i = 0; i < rows; i++) {
        int row = i;
        sink.accept(
            new RowValues() {
              @Override
              public double number(int expression) {
                return row == 0 ? firstNumber : row;
              }

              @Override
              public String text(int expression) {
                return row == 99 ? lastWord : "w" + row;
              }
            });
      }
    }

    @Override
    public void close() {}
  }

  private static List<String> read(SiteTable table) {
    List<String> found = new ArrayList<>();
    table.scan(BOTH, row -> found.add(row.number(0) + row.text(1)));
    return found;
  }

  @Test
  void scan_ofALargeTable_isThatOfASmallOne() {
    Source source = new Source();
    HeldTable held = new HeldTable(source, PLENTY);
    HeldTable passing = new HeldTable(source, LITTLE);
    List<String> direct = read(source);
    for (int pass = 0; pass < 3; pass++) {
      assertThat(read(held)).isEqualTo(direct);
      assertThat(read(passing)).isEqualTo(direct);
    }
    // Once to hold it; of the other the try, and every pass.
    assertThat(source.passes).isEqualTo(1 + 1 + 1 + 3);
  }

  /** Oracle: the texts themselves, counted one by one. */
  @Test
  void word_ofATableInMemory_tellsItsTextsApart() {
    Source source = new Source();
    source.lastWord = "w7";
    HeldTable held = new HeldTable(source, PLENTY);
    Map<String, Set<Integer>> numbers = new HashMap<>();
    held.scan(
        BOTH,
        row ->
            numbers
                .computeIfAbsent(String.valueOf(row.text(1)), _ -> new HashSet<>())
                .add(row.word(1)));
    assertThat(numbers).hasSize(99).allSatisfy((_, own) -> assertThat(own).hasSize(1));
    assertThat(numbers.values()).doesNotHaveDuplicates();
    WordTally tally = new WordTally();
    held.scan(BOTH, row -> assertThat(tally.add(row, 1)).isTrue());
    SequencedMap<String, Long> counted = new LinkedHashMap<>();
    tally.drain(counted::put);
    assertThat(counted.sequencedKeySet().getFirst()).isEqualTo("w0");
    assertThat(counted).hasSize(99).containsEntry("w7", 2L).containsEntry("w8", 1L);
    tally.drain((text, _) -> assertThat(text).isNull());
    source.scan(BOTH, row -> assertThat(tally.add(row, 1)).isFalse());
  }

  @Test
  void isWhole_ofATableInMemory_isFalseWhereSomethingIsMissing() {
    Source source = new Source();
    HeldTable held = new HeldTable(source, PLENTY);
    held.scan(BOTH, row -> assertThat(row.isWhole()).isTrue());
    source.firstNumber = Double.NaN;
    HeldTable gap = new HeldTable(source, PLENTY);
    gap.scan(BOTH, row -> assertThat(row.isWhole()).isFalse());
    gap.scan(BOTH.subList(1, 2), row -> assertThat(row.isWhole()).isTrue());
  }

  @ParameterizedTest
  @CsvSource({
    "rows, it had 100 rows in one pass and 99 in the next",
    "number, x had other values",
    "word, word had other values"
  })
  void scan_aSourceThatChangesBetweenTwoPasses_isRefused(String what, String message) {
    Source source = new Source();
    HeldTable passing = new HeldTable(source, LITTLE);
    var _ = read(passing);
    switch (what) {
      case "rows" -> source.rows = 99;
      case "number" -> source.firstNumber = Double.NaN;
      default -> source.lastWord = "w98";
    }
    assertThatThrownBy(() -> read(passing))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContainingAll("site north: its table must not change", "north.csv", message);
  }

  @ParameterizedTest
  @CsvSource({"2g, 2147483648", "512m, 536870912", "3K, 3072", "1t, 1099511627776"})
  void parse_aSize_isReadAndWritten(String word, long bytes) {
    assertThat(Memory.parse(word).bytes()).isEqualTo(bytes);
    assertThat(Memory.parse(Memory.parse(word).word())).isEqualTo(Memory.parse(word));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "2", "g", "-1g", "0m", "1.5g", "2gb", "9999999999g", "2 g"})
  void parse_noSize_isRefused(String word) {
    assertThatThrownBy(() -> Memory.parse(word))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContainingAll("memory: must be", "such as 512m or 2g", "got `" + word + "`");
  }
}
