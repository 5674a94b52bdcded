package ngd.sources;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import ngd.core.InvalidInput;
import ngd.core.data.SiteTable;
import ngd.core.data.TableAddress;
import ngd.core.data.TableProvider;
import ngd.core.formula.Column;
import ngd.core.formula.ColumnType;
import ngd.core.formula.Expression;
import ngd.core.formula.Formula;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Text files that are read without an engine hold what the engine finds in them. Oracle: DuckDB on
 * the same file.
 */
class PlainTextTest {
  /** Each set makes a column; rare ones come after the first. */
  private static final List<List<String>> KINDS =
      List.of(
          List.of("1", "2", "0", "-3", "17"),
          List.of("1", "-0", "0", "123456789012345678", "9223372036854775808"),
          List.of("0.5", "-0", "12.25", "1e5", "-2.5E-3", "3", "0.1", "123456.789012345678901"),
          List.of("1", "2", "", "NA"),
          List.of("1.5", "007", "3"),
          List.of("+5", "5.", ".5", "1_000", " 5", "5 "),
          List.of("a", "b", "it is", "x-1", "3rd", "é", "日本"),
          List.of("a", "1", "2.5", "true", "2020-01-01", "NA", ""),
          List.of("true", "false"),
          List.of("T", "F", "yes", "no", "y", "n", "on", "off"),
          List.of("t", "x"),
          List.of("2020-01-01", "1999-12-31", ""),
          List.of("20200101", "2020", "1999"),
          List.of("12:30", "23:59:59"),
          List.of("nan", "inf", "Infinity", "1", "null", "now", "today", "epoch"),
          List.of("", "NA"),
          List.of("a b", "c:d", "e/f", "(g)", "<5", "h~i", "50%", "j*", "k=l", "m@n", "$o", "{p}"),
          List.of("?", "a", "1"),
          List.of("-", "--", "a"),
          List.of("0x1F", "1e400", "1d", "2f"),
          List.of("q;r", "s|t", "u\tv", "w'x", "#y", "z\\"),
          List.of("January", "Mon", "5 May", "UTC"));

  @TempDir Path folder;

  private Path write(String name, String text) {
    try {
      return Files.writeString(folder.resolve(name), text);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** All that a table says: its columns, and the values of each; or why it cannot be read. */
  private static List<String> told(SiteTable table) {
    List<String> told = new ArrayList<>();
    for (Column column : table.columns()) {
      StringBuilder values = new StringBuilder(column.toString());
      if (column.type() != ColumnType.EMPTY && column.type() != ColumnType.OTHER) {
        boolean text = column.type() == ColumnType.TEXT;
        try {
          table.scan(
              List.of(new Expression.Name(column.name())),
              row -> values.append('\n').append(text ? "<" + row.text(0) + ">" : row.number(0)));
        } catch (InvalidInput e) {
          values.append('\n').append(e.getMessage());
        }
      }
      told.add(values.toString());
    }
    return told;
  }

  private static @Nullable SiteTable opened(TableAddress address, boolean plain) {
    try {
      return plain ? address.open() : TableProvider.first().open(address);
    } catch (InvalidInput e) {
      return null;
    }
  }

  /** Compares both readings; says whether the first was without an engine. */
  private static boolean agree(TableAddress address, String content) {
    try (SiteTable here = opened(address, true);
        SiteTable engine = opened(address, false)) {
      assertThat(here == null).as(content).isEqualTo(engine == null);
      if (here == null || engine == null) {
        return false;
      }
      assertThat(told(here)).as(content).isEqualTo(told(engine));
      return !(here instanceof SqlTable);
    }
  }

  private static String field(String value, int style) {
    return style == 0 || (style == 1 && !value.isEmpty() && Character.isLetter(value.charAt(0)))
        ? "\"" + value + "\""
        : value;
  }

  /** A file of a few columns and rows of random kinds, written in a random style. */
  private static String random(SplittableRandom draws) {
    int style = draws.nextInt(5);
    String ends = draws.nextInt(5) == 0 ? "\r\n" : "\n";
    List<List<String>> columns =
        IntStream.range(0, 2 + draws.nextInt(4))
            .mapToObj(c -> KINDS.get(draws.nextInt(c == 0 ? 3 : KINDS.size())))
            .toList();
    StringBuilder text =
        new StringBuilder(
            IntStream.range(0, columns.size())
                .mapToObj(c -> field("col" + c, style))
                .collect(Collectors.joining(",")));
    int rows = 1 + draws.nextInt(12);
    for (int row = 0; row < rows; row++) {
      text.append(ends)
          .append(
              columns.stream()
                  .map(kind -> field(kind.get(draws.nextInt(kind.size())), style))
                  .collect(Collectors.joining(",")));
    }
    int irregular = draws.nextInt(40);
    return text
        + switch (irregular) {
          case 0 -> ends + "1";
          case 1 -> ends + ends + "1" + ",1".repeat(columns.size() - 1);
          case 2 -> "," + ends;
          case 3 -> "";
          default -> ends;
        };
  }

  @Test
  void open_randomFiles_holdWhatTheEngineFinds() {
    SplittableRandom draws = new SplittableRandom(20261118);
    int plain = 0;
    int files = Integer.getInteger("ngd.plain.files", 100);
    for (int i = 0; i < files; i++) {
      String text = random(draws);
      String file = write("f%d.csv".formatted(i), text).toString();
      List<String> missing = draws.nextInt(4) == 0 ? List.of("?", "-3") : List.of();
      plain += agree(new TableAddress("here", file, Optional.empty(), missing), text) ? 1 : 0;
    }
    assertThat(plain).isGreaterThan(files / 8);
  }

  @Test
  void open_namesOfColumns_areTheEngines() {
    for (String header :
        List.of("a,A", "a,a", "a, b", "NA,b", "a,", "\"a\",b", "1,2", "true,x y", "\ufeffa,b")) {
      String text = header + "\n1,x\n2,y\n";
      agree(TableAddress.of("here", write("h.csv", text).toString()), text);
    }
  }

  /** Quotes, words and fractions that come late in a file of many lines. */
  @Test
  void open_surprisesFarDown_areTheEngines() {
    String many = "1,x\n".repeat(60_000);
    for (String last : List.of("\"2\",\"y\"\n", "z,y\n", "2.5,1\n", "007,w\n", "1,x;y\n", "2\n")) {
      String text = "a,b\n" + many + last + many;
      agree(TableAddress.of("here", write("l.csv", text).toString()), last);
    }
  }

  /** Oracle: the engine's own evaluation, to the last digits. */
  @Test
  void scan_expressions_comeToWhatTheEngineMakesOfThem() {
    String file =
        write("e.csv", "x,n,s\n2.5,7,a\n,3,A\n0.25,-2,it is\n1000,0,\n10,2, z \n").toString();
    List<String> expressions =
        List.of(
            "x + n*2 - 1",
            "-n^2",
            "power(n, 3)",
            "n/2",
            "log(1 + x*x)",
            "log10(x)",
            "log2(x)",
            "log1p(x)",
            "exp(n/10)",
            "expm1(n)",
            "sqrt(x)",
            "abs(n)",
            "sign(n)",
            "floor(x)",
            "ceiling(x)",
            "pmin(x, n)",
            "pmax(x, n)",
            "n > 2",
            "n >= 2 and x < 5",
            "x > 1 or n > 2",
            "not (n > 2)",
            "s = 'a'",
            "s != 'a'",
            "n = 2",
            "n != 2",
            "is.na(x)",
            "is.na(s)",
            "is.na(x + n)",
            "coalesce(x, 0)",
            "ifelse(is.na(s), 9, n)",
            "ifelse(x > 1, n, x)",
            "(n > 2)*n + (s = 'a')",
            "I(x*x)",
            "as.numeric(x)",
            "sin(n)",
            "log(n)",
            "1/n",
            "sqrt(n)",
            "lower(s)",
            "upper(trim(s))",
            "ifelse(n > 2, 'b', s)",
            "exp(x)");
    TableAddress address = TableAddress.of("here", file);
    try (SiteTable here = address.open();
        SiteTable engine = TableProvider.first().open(address)) {
      assertThat(here).isNotInstanceOf(SqlTable.class);
      for (String text : expressions) {
        Expression expression = Formula.parse(text + " ~ 1").response();
        List<String> own = values(here, expression);
        List<String> theirs = values(engine, expression);
        assertThat(own).as(text).hasSameSizeAs(theirs);
        for (int i = 0; i < own.size(); i++) {
          assertThat(alike(own.get(i), theirs.get(i)))
              .as("%s, row %d: %s and %s", text, i, own.get(i), theirs.get(i))
              .isTrue();
        }
      }
    }
  }

  private static List<String> values(SiteTable table, Expression expression) {
    List<String> found = new ArrayList<>();
    boolean text = expression.text().matches(".*(lower|upper|'b'|\"b\").*");
    try {
      table.scan(
          List.of(expression),
          row -> found.add(text ? "<" + row.text(0) + ">" : Double.toString(row.number(0))));
    } catch (InvalidInput e) {
      found.add(e.getMessage());
    }
    return found;
  }

  private static boolean alike(String one, String two) {
    try {
      double here = Double.parseDouble(one);
      double there = Double.parseDouble(two);
      return one.equals(two) || Math.abs(here - there) <= 2 * Math.ulp(there);
    } catch (NumberFormatException words) {
      return one.equals(two);
    }
  }
}
