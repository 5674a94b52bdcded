package ngd.core.theory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import ngd.core.data.Shards;
import ngd.core.linalg.DenseSpectrum;
import ngd.core.model.Linear;
import ngd.core.network.CommunicatingClasses;
import ngd.core.network.Measured;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.random.Streams;
import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.api.Test;

/** Oracle: Gelfand's limit of the dense operator's powers, and the paper's p × p products. */
class SpectralRadiusTest {

  private static Measured radius(double[][] w, Shards shards, double alpha) {
    Network network = Network.of(w);
    Curvature curvature = Curvature.at(new Linear(), shards, new double[shards.features()]);
    return SpectralRadius.of(
        ContractionOperator.of(network, curvature, alpha), CommunicatingClasses.of(network));
  }

  @Test
  void of_randomNetworks_equalsGelfandsLimit() {
    UniformRandomProvider random = Cases.random(1);
    for (int i = 0; i < 200; i++) {
      int clients = 2 + random.nextInt(5);
      int p = 1 + random.nextInt(3);
      double[][] w = Cases.weights(random, clients);
      Shards shards = Cases.shards(random, clients, 1 + random.nextInt(4), p);
      double alpha = random.nextDouble(0.01, 1.5);
      double expected =
          Cases.gelfandRadius(Cases.contraction(w, shards, alpha, Cases.ones(clients)));
      assertThat(radius(w, shards, alpha).value().getAsDouble())
          .as("case %d: M = %d, p = %d, alpha = %s", i, clients, p, alpha)
          .isCloseTo(expected, within(1e-7 * Math.max(1, expected)));
    }
  }

  @Test
  void of_periodicNetworks_equalsGelfandsLimit() {
    UniformRandomProvider random = Cases.random(2);
    double[][][] networks = {
      Cases.circle(5, 1), Cases.central(6), Cases.blockCircle(3, 2), Cases.blockCircle(2, 3)
    };
    for (double[][] w : networks) {
      Shards shards = Cases.shards(random, w.length, 4, 2);
      double expected =
          Cases.gelfandRadius(Cases.contraction(w, shards, 0.1, Cases.ones(w.length)));
      assertThat(radius(w, shards, 0.1).value().getAsDouble()).isCloseTo(expected, within(1e-9));
    }
  }

  /** Oracle: clients with the same rows have the same Δ, so that the operator is W ⊗ Δ. */
  @Test
  void of_manyClientsWithTheSameRows_isTheRadiusOfOne() {
    int clients = 8000;
    int p = 3;
    double[][][] x = new double[clients][][];
    Arrays.fill(x, Cases.normalRows(Cases.random(11), 1, 6, p)[0]);
    double[][] y = new double[clients][6];
    Shards one = Shards.of(Arrays.copyOf(x, 1), Arrays.copyOf(y, 1));
    double alone =
        Cases.gelfandRadius(Cases.contraction(new double[][] {{1}}, one, 0.1, Cases.ones(1)));
    Curvature curvature = Curvature.at(new Linear(), Shards.of(x, y), new double[p]);
    for (String spec : new String[] {"regular:3", "torus"}) {
      Network network = Network.of(Topology.parse(spec, clients, Streams.of(3)));
      Measured found =
          SpectralRadius.of(
              ContractionOperator.of(network, curvature, 0.1), CommunicatingClasses.of(network));
      assertThat(found.how()).contains("a few vectors").contains("residual");
      assertThat(found.orNaN()).isCloseTo(alone, within(1e-6));
    }
  }

  /** Oracle: all eigenvalues, which differ from client to client. */
  @Test
  void dominantSubspace_ofClientsThatDiffer_equalsDense() {
    UniformRandomProvider random = Cases.random(12);
    int clients = 60;
    int p = 3;
    for (double[][] w :
        new double[][][] {Cases.weights(random, clients), Cases.blockCircle(1, clients)}) {
      Shards shards = Cases.shards(random, clients, 8, p);
      Network network = Network.of(w);
      CommunicatingClasses classes = CommunicatingClasses.of(network);
      Curvature curvature = Curvature.at(new Linear(), shards, new double[p]);
      int closed = classes.closedClasses()[0];
      CyclicClass cyclic =
          CyclicClass.of(
              ContractionOperator.of(network, curvature, 0.05),
              classes.members(closed),
              classes.period(closed));
      double expected =
          denseRadius(flat(Cases.contraction(w, shards, 0.05, Cases.ones(clients))), clients * p);
      DominantSubspace.Found found = DominantSubspace.of(cyclic, 1e-4).orElseThrow();
      assertThat(found.residual()).isLessThan(1e-7);
      assertThat(found.modulus()).isCloseTo(expected, within(1e-6));
    }
  }

  @Test
  void of_circleOfDegreeOne_isTheRootOfOneProduct() {
    UniformRandomProvider random = Cases.random(3);
    int clients = 7;
    int p = 3;
    Shards shards = Cases.shards(random, clients, 5, p);
    double[][] product = new double[p][p];
    for (int i = 0; i < p; i++) {
      product[i][i] = 1;
    }
    double[][] whole =
        Cases.contraction(Cases.circle(clients, 1), shards, 0.1, Cases.ones(clients));
    for (int m = 0; m < clients; m++) {
      product = Cases.times(product, block(whole, m, (m + 1) % clients, p));
    }
    Measured found = radius(Cases.circle(clients, 1), shards, 0.1);
    assertThat(found.value().getAsDouble())
        .isCloseTo(Math.pow(Cases.gelfandRadius(product), 1.0 / clients), within(1e-12));
    assertThat(found.how()).contains("3 x 3").contains("power 7");
  }

  @Test
  void of_centralClient_isTheRootOfThePapersProduct() {
    UniformRandomProvider random = Cases.random(4);
    int clients = 6;
    int p = 2;
    Shards shards = Cases.shards(random, clients, 5, p);
    // Section 2.6, case 1: Δ^(1) (M − 1)⁻¹ Σ Δ^(k) has the eigenvalues λ².
    double[][] whole = Cases.contraction(Cases.central(clients), shards, 0.1, Cases.ones(clients));
    double[][] mean = new double[p][p];
    for (int k = 1; k < clients; k++) {
      double[][] delta = block(whole, k, 0, p);
      for (int i = 0; i < p; i++) {
        for (int j = 0; j < p; j++) {
          mean[i][j] += delta[i][j];
        }
      }
    }
    double[][] first = block(whole, 0, 1, p); // Δ^(1) / (M − 1)
    Measured found = radius(Cases.central(clients), shards, 0.1);
    assertThat(found.value().getAsDouble())
        .isCloseTo(Math.sqrt(Cases.gelfandRadius(Cases.times(first, mean))), within(1e-12));
    assertThat(found.how()).contains("2 x 2").contains("power 2");
  }

  @Test
  void of_longCircle_neitherVanishesNorOverflows() {
    // Every client has x = 1, so Δ = 1 − α: the product is (1 − α)^M, far below the smallest
    // double.
    int clients = 20_000;
    double[][][] x = new double[clients][1][1];
    double[][] y = new double[clients][1];
    int[][] hears = new int[clients][];
    for (int m = 0; m < clients; m++) {
      x[m][0][0] = 1;
      hears[m] = new int[] {(m + 1) % clients};
    }
    Network network =
        Network.of(ngd.core.network.Graph.of(hears), new ngd.core.network.Weights.Uniform());
    Curvature curvature = Curvature.at(new Linear(), Shards.of(x, y), new double[1]);
    Measured found =
        SpectralRadius.of(
            ContractionOperator.of(network, curvature, 0.9), CommunicatingClasses.of(network));
    assertThat(found.value().getAsDouble()).isCloseTo(0.1, within(1e-12));
  }

  @Test
  void of_manyUnknowns_arnoldiEqualsDense() {
    UniformRandomProvider random = Cases.random(5);
    int clients = 90;
    int p = 4;
    for (double[][] w :
        new double[][][] {Cases.circle(clients, 2), Cases.blockCircle(1, clients)}) {
      Shards shards = Cases.shards(random, clients, 12, p);
      Measured found = radius(w, shards, 0.05);
      double expected =
          denseRadius(flat(Cases.contraction(w, shards, 0.05, Cases.ones(clients))), clients * p);
      assertThat(found.how()).startsWith("Arnoldi");
      assertThat(found.value().getAsDouble()).isCloseTo(expected, within(1e-10));
    }
  }

  @Test
  void of_periodicWithManyUnknowns_arnoldiEqualsDense() {
    UniformRandomProvider random = Cases.random(6);
    double[][] w = Cases.blockCircle(3, 80);
    Shards shards = Cases.shards(random, w.length, 12, 4);
    Measured found = radius(w, shards, 0.05);
    // The cube maps block 0 to itself: the product of the three blocks of the dense operator.
    double[][] whole = Cases.contraction(w, shards, 0.05, Cases.ones(w.length));
    double[][] cube =
        Cases.times(
            block(whole, 0, 1, 320), Cases.times(block(whole, 1, 2, 320), block(whole, 2, 0, 320)));
    double expected = Math.cbrt(denseRadius(flat(cube), 320));
    assertThat(found.how()).startsWith("Arnoldi").contains("320 unknowns");
    assertThat(found.value().getAsDouble()).isCloseTo(expected, within(1e-10));
  }

  private static double[][] block(double[][] a, int row, int column, int size) {
    double[][] block = new double[size][size];
    for (int i = 0; i < size; i++) {
      System.arraycopy(a[row * size + i], column * size, block[i], 0, size);
    }
    return block;
  }

  private static double denseRadius(double[] matrix, int n) {
    return Arrays.stream(DenseSpectrum.eigenvalues(matrix, n).orElseThrow())
        .mapToDouble(value -> Math.hypot(value[0], value[1]))
        .max()
        .orElseThrow();
  }

  private static double[] flat(double[][] a) {
    double[] flat = new double[a.length * a.length];
    for (int i = 0; i < a.length; i++) {
      System.arraycopy(a[i], 0, flat, i * a.length, a.length);
    }
    return flat;
  }
}
