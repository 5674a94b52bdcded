package ngd.core.inference;

import java.util.List;
import java.util.Optional;
import ngd.core.data.Shards;
import ngd.core.data.ShardsHash;
import ngd.core.file.Sha256;

/**
 * The rows of an outcome under the model of a treatment.
 *
 * @param columns of the treatment's model
 * @param rows in the order of the outcome's; the response is 1 where the row was treated, else 0
 */
public record TreatmentRows(List<String> columns, Shards rows) {
  public TreatmentRows {
    columns = List.copyOf(columns);
  }

  /** The fingerprint of the rows of an outcome, and of the treatment that they are weighted by. */
  public static String hash(
      List<String> features, Shards outcome, Optional<TreatmentRows> treatment) {
    String own = ShardsHash.of(features, outcome);
    return treatment
        .map(with -> new Sha256().add(own).add(ShardsHash.of(with.columns, with.rows)).hex())
        .orElse(own);
  }
}
