package ngd.core.inference;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import ngd.core.data.SiteTable;
import ngd.core.data.TableAddress;
import ngd.core.formula.Formula;
import ngd.core.linalg.DenseSolve;
import ngd.core.model.Linear;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.preparation.Missing;
import ngd.core.preparation.Preparation;
import ngd.core.preparation.Sites;
import ngd.core.random.Streams;
import ngd.core.simulation.Simulation;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whoever knows the random numbers that filled a site's gaps solves the sums over many imputations
 * for the rows in which something is missing. Oracle: linear algebra, and the rows themselves.
 *
 * <p>A response is missing in rows i and filled with b₀ + b₁ xᵢ + s uᵢ. All sites draw b and s, so
 * they know them; Σ x y of one imputation is a constant, b₀ Σ xᵢ, b₁ Σ xᵢ² and Σ s uᵢ xᵢ. With more
 * imputations than rows that lack the response, known uᵢ leave nothing unknown.
 */
class ImputationAttackTest {
  private static final int GAPS = 6;
  private static final int IMPUTATIONS = 30;

  /** The constant, and the sums over the rows with gaps. */
  private static final int SUMS = 3;

  private static final List<String> NAMES = List.of("north", "south");
  private static final Network NETWORK = Network.of(new Topology.Complete(2));

  @TempDir Path dir;

  private final List<Double> hidden = new ArrayList<>();
  private final double[] moments = new double[3];

  private List<SiteTable> tables() throws IOException {
    Random random = new Random(3);
    List<SiteTable> tables = new ArrayList<>();
    for (String site : NAMES) {
      List<String> lines = new ArrayList<>(List.of("x,y"));
      for (int i = 0; i < 40; i++) {
        double x = Math.round(1e3 * random.nextGaussian()) / 1e3;
        boolean gap = site.equals("south") && i % 7 == 3;
        lines.add(gap ? x + "," : x + "," + (1 + x / 2 + random.nextGaussian()));
        moments[0]++;
        moments[1] += x;
        moments[2] += x * x;
        if (gap) {
          hidden.add(x);
        }
      }
      Path file = Files.write(dir.resolve(site + ".csv"), lines);
      tables.add(TableAddress.of(site, file.toString()).open());
    }
    assertThat(hidden).hasSize(GAPS);
    return tables;
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void imputations_toldOneByOne_showRowsWhereTheSeedFillsThem(boolean seeded) throws IOException {
    Streams seed = Streams.of(1);
    Sites sites = new Sites(NAMES, 0, tables());
    GapDraws own = GapDraws.seeded(seeded ? seed : Streams.of(20_250_101));
    List<double[]> told = new ArrayList<>();
    for (Inference fit : imputed(sites, seed, own)) {
      told.add(fit.estimate().theta());
    }
    PooledEstimate complete = complete(sites);
    double[][] b = new double[IMPUTATIONS][];
    double[][] known = new double[IMPUTATIONS][];
    for (int k = 0; k < IMPUTATIONS; k++) {
      PosteriorDraw drawn =
          PosteriorDraw.of(complete, seed.replicate(k).stream(Streams.Purpose.IMPUTATION));
      b[k] = drawn.coefficients();
      known[k] = new double[SUMS + GAPS];
      known[k][0] = 1;
      var normal = ZigguratSampler.NormalizedGaussian.of(GapDraws.seeded(seed).of(k, 1));
      // What filled the gaps at first.
      for (int i = 0; i < GAPS; i++) {
        var _ = normal.sample();
      }
      for (int i = 0; i < GAPS; i++) {
        known[k][SUMS + i] = drawn.deviation() * normal.sample();
      }
    }
    for (int j = 0; j < 2; j++) {
      int column = j;
      double mean = Arrays.stream(b).mapToDouble(one -> one[column]).average().orElseThrow();
      for (int k = 0; k < IMPUTATIONS; k++) {
        known[k][1 + j] = (b[k][j] - mean) * Math.sqrt(moments[0]);
      }
    }
    double[] found = solved(known, told);
    double furthest = 0;
    for (int i = 0; i < GAPS; i++) {
      furthest = Math.max(furthest, Math.abs(found[SUMS + i] - hidden.get(i)));
    }
    if (seeded) {
      assertThat(furthest).isLessThan(1e-5);
    } else {
      assertThat(furthest).isGreaterThan(0.3);
    }
  }

  private static List<Inference> imputed(Sites sites, Streams seed, GapDraws own) {
    Preparation prepared =
        Preparation.of(
            Formula.parse("y ~ x").imputed(), sites, Simulation.exchange(NETWORK), Missing.DROP);
    PooledFit fit =
        PooledFit.on(
            NETWORK, new Linear(), prepared.design().coefficients(), PooledFit.Settings.STANDARD);
    ImputedFit imputing =
        new ImputedFit(fit, prepared.design(), Inference.Options.STANDARD, IMPUTATIONS, 1);
    return new Simulation(NETWORK, new Linear().over(prepared.shards()), seed, 1)
        .within(
            (world, _) ->
                imputing.run(world, prepared.incomplete(), 0, seed, own, FitProgress.NONE).fits());
  }

  /** What an answer without imputation says of the rows that have a response. */
  private static PooledEstimate complete(Sites sites) {
    Preparation prepared =
        Preparation.of(Formula.parse("y ~ x"), sites, Simulation.exchange(NETWORK), Missing.DROP);
    return new Simulation(NETWORK, new Linear().over(prepared.shards()), Streams.of(1), 1)
        .within(
            (world, _) ->
                PooledFit.on(
                        NETWORK,
                        new Linear(),
                        prepared.design().coefficients(),
                        PooledFit.Settings.STANDARD)
                    .run(world, FitProgress.NONE));
  }

  /** Least squares of Σ x y, which follow from the estimates and the known Σ x and Σ x². */
  private double[] solved(double[][] known, List<double[]> told) {
    int p = SUMS + GAPS;
    double[] square = new double[p * p];
    double[] right = new double[p];
    for (int k = 0; k < known.length; k++) {
      double products = moments[1] * told.get(k)[0] + moments[2] * told.get(k)[1];
      for (int i = 0; i < p; i++) {
        right[i] += known[k][i] * products;
        for (int j = 0; j < p; j++) {
          square[i * p + j] += known[k][i] * known[k][j];
        }
      }
    }
    return DenseSolve.solve(square, p, right).orElseThrow();
  }
}
