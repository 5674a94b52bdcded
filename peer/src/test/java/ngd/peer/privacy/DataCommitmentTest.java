package ngd.peer.privacy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Consumer;
import ngd.core.data.SiteTable;
import ngd.core.formula.Column;
import ngd.core.formula.ColumnType;
import ngd.core.formula.Expression;
import ngd.core.formula.Formula;
import ngd.core.formula.RowValues;
import ngd.peer.Masks;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whatever the formula uses changes the commitment, and nothing else does. */
class DataCommitmentTest {
  private static final Formula FORMULA =
      Formula.parse("y ~ x + factor(sex) + offset(o) + weights(w)");
  private static final PrivateKey KEY = key();

  private static PrivateKey key() {
    try {
      return KeyPairGenerator.getInstance("X25519").generateKeyPair().getPrivate();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Cells as a CSV file has them; nothing between two commas is missing. */
  private record Cells(List<String> head, List<List<String>> rows) implements SiteTable {
    static Cells of(String text) {
      List<List<String>> lines = text.lines().map(line -> List.of(line.split(",", -1))).toList();
      return new Cells(lines.getFirst(), lines.subList(1, lines.size()));
    }

    @Override
    public String site() {
      return "here";
    }

    @Override
    public String source() {
      return "cells";
    }

    @Override
    public List<Column> columns() {
      return head.stream()
          .map(name -> new Column(name, name.equals("sex") ? ColumnType.TEXT : ColumnType.NUMBER))
          .toList();
    }

    @Override
    public void scan(List<Expression> expressions, Consumer<RowValues> sink) {
      for (List<String> row : rows) {
        sink.accept(
            new RowValues() {
              private String cell(int expression) {
                return row.get(
                    head.indexOf(((Expression.Name) expressions.get(expression)).column()));
              }

              @Override
              public double number(int expression) {
                String cell = cell(expression);
                return cell.isEmpty() ? Double.NaN : Double.parseDouble(cell);
              }

              @Override
              public @Nullable String text(int expression) {
                String cell = cell(expression);
                return cell.isEmpty() ? null : cell;
              }
            });
      }
    }

    @Override
    public void close() {}
  }

  private static final String TABLE =
      """
      id,y,x,sex,o,w
      1,0.5,2,f,0,1
      2,1.5,3,m,1,2
      3,2.5,,f,2,3
      """;

  private static String commitment(String table, PrivateKey key, String run) {
    return HexFormat.of().formatHex(DataCommitment.of(FORMULA, Cells.of(table), key, run));
  }

  @ParameterizedTest
  @CsvSource({
    "response, '1,0.5,', '1,0.25,'",
    "predictor, ',1.5,3,', ',1.5,4,'",
    "level, '3,m,', '3,q,'",
    "text moved to the next row, '2,f,0', '2,fm,0'",
    "offset, 'm,1,2', 'm,1.5,2'",
    "weight, 'm,1,2', 'm,1,2.5'",
    "missing, '2.5,,f', '2.5,0,f'",
    "missing text, '2,f,0', '2,,0'",
    "one row less, '3,2.5,,f,2,3\n', ''",
  })
  void of_anythingThatIsUsed_changesIt(String what, String old, String changed) {
    String other = TABLE.replace(old, changed);
    assertThat(other).as(what).isNotEqualTo(TABLE);
    assertThat(commitment(other, KEY, "run")).as(what).isNotEqualTo(commitment(TABLE, KEY, "run"));
  }

  @Test
  void of_theSameData_isTheSameWhateverIsNotUsed() {
    assertThat(commitment(TABLE.replace("\n1,", "\n9,"), KEY, "run"))
        .isEqualTo(commitment(TABLE, KEY, "run"));
  }

  /** Others, who lack the key, cannot try out what the data might be. */
  @Test
  void of_anotherKeyOrRun_isAnother() {
    assertThat(commitment(TABLE, key(), "run")).isNotEqualTo(commitment(TABLE, KEY, "run"));
    assertThat(commitment(TABLE, KEY, "other")).isNotEqualTo(commitment(TABLE, KEY, "run"));
  }

  @Test
  void masks_beforeTheCommitments_cannotBeUsed() {
    Masks masks = Masks.unbound(_ -> Masks.NONE);
    assertThatThrownBy(() -> masks.add(0, new int[4])).hasMessageContaining("must commit");
    masks.bound(new byte[32]).add(0, new int[4]);
  }
}
