package ngd.studies.networks;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Function;
import ngd.core.simulation.Quartiles;

/**
 * What is known of one network: quartiles and means over replicates, or the numbers themselves.
 *
 * @param expectedSe2 SE²(W) in closed form, where there is one
 */
record NetworkSummary(
    NetworkStudy.Case network,
    OptionalDouble expectedSe2,
    Map<NetworkStudy.Measure, Quartiles> quartiles,
    Map<NetworkStudy.Measure, Double> means,
    int replicates) {

  /**
   * The summary of what was measured; what could not be is left out.
   *
   * @param values each measure in every replicate
   */
  static NetworkSummary of(
      NetworkStudy.Case network,
      OptionalDouble expectedSe2,
      Function<NetworkStudy.Measure, double[]> values,
      int replicates) {
    Map<NetworkStudy.Measure, Quartiles> quartiles = new EnumMap<>(NetworkStudy.Measure.class);
    Map<NetworkStudy.Measure, Double> means = new EnumMap<>(NetworkStudy.Measure.class);
    for (NetworkStudy.Measure measure : NetworkStudy.Measure.values()) {
      double[] known =
          Arrays.stream(values.apply(measure)).filter(value -> !Double.isNaN(value)).toArray();
      if (known.length > 0) {
        quartiles.put(measure, Quartiles.of(known));
        means.put(measure, Arrays.stream(known).average().orElse(Double.NaN));
      }
    }
    return new NetworkSummary(network, expectedSe2, quartiles, means, replicates);
  }

  double mean(NetworkStudy.Measure measure) {
    return means.getOrDefault(measure, Double.NaN);
  }

  Quartiles of(NetworkStudy.Measure measure) {
    Quartiles known = quartiles.get(measure);
    return known == null ? new Quartiles(Double.NaN, Double.NaN, Double.NaN) : known;
  }

  /** Such as {@code circle}. */
  String kind() {
    return network.network().replaceFirst(":.*", "");
  }
}
