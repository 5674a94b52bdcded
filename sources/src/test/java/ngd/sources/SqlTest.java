package ngd.sources;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import ngd.core.formula.ColumnType;
import ngd.core.formula.Formula;
import org.junit.jupiter.api.Test;

/** SQL as MariaDB and standard engines want it; the others are asked for real. */
class SqlTest {
  private static final Map<String, ColumnType> TYPES =
      Map.of("n", ColumnType.NUMBER, "s", ColumnType.TEXT, "a`b\"c", ColumnType.NUMBER);

  private static String sql(Dialect dialect, List<String> missing, String expression) {
    Sql sql = new Sql(dialect, TYPES, missing);
    return sql.value(Formula.parse(expression + " ~ 1").response())
        + " "
        + String.join("|", sql.bound());
  }

  @Test
  void value_mariaDb_comparesToTheLetterAndBindsTexts() {
    assertThat(sql(Dialect.MARIADB, List.of(), "s = '\\'' or 1=1'"))
        .isEqualTo(
            "CASE WHEN (CONVERT(`s` USING utf8mb4) COLLATE utf8mb4_bin = CONVERT(? USING utf8mb4) COLLATE utf8mb4_bin)"
                + " THEN 1e0 WHEN NOT ((CONVERT(`s` USING utf8mb4) COLLATE utf8mb4_bin = CONVERT(? USING utf8mb4) COLLATE utf8mb4_bin))"
                + " THEN 0e0 END \\' or 1=1|\\' or 1=1");
    assertThat(sql(Dialect.MARIADB, List.of(), "n/2"))
        .isEqualTo("(CAST(`n` AS DOUBLE) / NULLIF((2.0e0), 0e0)) ");
  }

  @Test
  void value_namesWithQuotes_stayNames() {
    assertThat(sql(Dialect.MARIADB, List.of(), "`a``b\"c`"))
        .isEqualTo("CAST(`a``b\"c` AS DOUBLE) ");
    assertThat(sql(Dialect.STANDARD, List.of(), "`a``b\"c`"))
        .isEqualTo("CAST(\"a`b\"\"c\" AS DOUBLE PRECISION) ");
  }

  @Test
  void value_missingWords_areNull() {
    assertThat(sql(Dialect.SQLITE, List.of("?", "."), "s"))
        .isEqualTo("NULLIF(NULLIF(CAST(\"s\" AS TEXT), CAST(? AS TEXT)), CAST(? AS TEXT)) ?|.");
  }

  @Test
  void shown_urls_holdNoSecret() {
    Secrets secrets =
        Secrets.of("jdbc:mariadb://ann:s3cret@host:3306/db?user=ann&password=hush&x=1");
    assertThat(secrets.shown()).isEqualTo("jdbc:mariadb://host:3306/db");
    assertThat(secrets.cleaned("cannot use s3cret or hush at " + secrets.url()))
        .doesNotContain("s3cret")
        .doesNotContain("hush")
        .contains("jdbc:mariadb://host:3306/db");
  }
}
