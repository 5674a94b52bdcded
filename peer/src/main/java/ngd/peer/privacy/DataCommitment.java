package ngd.peer.privacy;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SequencedSet;
import java.util.function.Predicate;
import javax.crypto.KDF;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.spec.HKDFParameterSpec;
import ngd.core.data.SiteTable;
import ngd.core.file.Sha256;
import ngd.core.formula.Column;
import ngd.core.formula.ColumnType;
import ngd.core.formula.Expression;
import ngd.core.formula.Formula;

/**
 * A site's commitment to all that a formula uses of its table: 32 bytes that change with any value,
 * and say nothing of it to others, who lack the site's private key. After a restart, even one that
 * lost its state, the same data give the same commitment.
 */
public final class DataCommitment {
  private static final int KEY_BYTES = 32;

  private DataCommitment() {}

  /**
   * Reads the table once.
   *
   * @param own the site's private key, from which the secret salt derives
   * @param run what the run is known by
   */
  public static byte[] of(Formula formula, SiteTable table, PrivateKey own, String run) {
    SequencedSet<String> named = formula.columns();
    return of(name -> formula.takesAllOthers() || named.contains(name), table, own, run);
  }

  /** The same to columns by their names; to all where none is named. */
  public static byte[] of(Collection<String> columns, SiteTable table, PrivateKey own, String run) {
    return of(name -> columns.isEmpty() || columns.contains(name), table, own, run);
  }

  private static byte[] of(Predicate<String> columns, SiteTable table, PrivateKey own, String run) {
    try {
      SecretKey salt =
          KDF.getInstance("HKDF-SHA256")
              .deriveKey(
                  "HmacSHA256",
                  HKDFParameterSpec.ofExtract()
                      .addIKM(own.getEncoded())
                      .addSalt(run.getBytes(StandardCharsets.UTF_8))
                      .thenExpand("ngd data".getBytes(StandardCharsets.UTF_8), KEY_BYTES));
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(salt);
      return mac.doFinal(hash(columns, table));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has HKDF and HMAC with SHA-256", e);
    }
  }

  /** The values of every column that may be used, row after row. */
  private static byte[] hash(Predicate<String> columns, SiteTable table) {
    List<Column> used =
        table.columns().stream()
            .filter(column -> columns.test(column.name()))
            // Of what no formula can use, or what is not there, there is no value to commit to.
            .filter(column -> column.type() != ColumnType.OTHER)
            .filter(column -> column.type() != ColumnType.EMPTY)
            .toList();
    Sha256 hash = new Sha256();
    List<Expression> values = new ArrayList<>();
    for (Column column : used) {
      hash.add(column.name().length()).add(column.name()).add(column.type().name());
      values.add(new Expression.Name(column.name()));
    }
    double[] numbers = new double[used.size()];
    table.scan(
        values,
        row -> {
          // A text stands among the numbers by its length, and follows them.
          StringBuilder texts = new StringBuilder();
          for (int i = 0; i < numbers.length; i++) {
            if (used.get(i).type() == ColumnType.TEXT) {
              String word = row.text(i);
              numbers[i] = word == null ? -1 : word.length();
              texts.append(word == null ? "" : word);
            } else {
              numbers[i] = row.number(i);
            }
          }
          hash.add(numbers, 0, numbers.length).add(texts.toString());
        });
    return hash.bytes();
  }
}
