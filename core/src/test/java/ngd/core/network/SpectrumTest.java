package ngd.core.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import ngd.core.linalg.PowerNorms;
import ngd.core.random.Streams;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.PermutationSampler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SpectrumTest {
  private static final Streams STREAMS = Streams.of(1);

  private static Spectrum of(Network network) {
    return Spectrum.of(network, CommunicatingClasses.of(network));
  }

  private static Spectrum of(String spec, int clients) {
    return of(Network.of(Topology.parse(spec, clients, STREAMS)));
  }

  private static void assertClose(Spectrum actual, Spectrum expected, double tolerance) {
    assertThat(actual.sigmaMax().orNaN()).isCloseTo(expected.sigmaMax().orNaN(), within(tolerance));
    assertThat(actual.sigmaMinPlus().orNaN())
        .isCloseTo(expected.sigmaMinPlus().orNaN(), within(tolerance));
    assertThat(actual.rhoSigmaW().orNaN())
        .isCloseTo(expected.rhoSigmaW().orNaN(), within(tolerance));
    assertThat(actual.secondEigenvalue().orNaN())
        .isCloseTo(expected.secondEigenvalue().orNaN(), within(tolerance));
  }

  private static Spectrum numbers(double sigmaMax, double minPlus, double rho, double second) {
    String by = "by hand";
    return new Spectrum(
        Measured.of(sigmaMax, by),
        Measured.of(minPlus, by),
        Measured.of(rho, by),
        Measured.of(second, by));
  }

  /** Oracle: W = (11ᵀ − I)/(M − 1), so its eigenvalues are 1 and −1/(M − 1). */
  @Test
  void of_complete_isItsClosedForm() {
    assertClose(of("complete", 10), numbers(1, 10.0 / 9, 1.0 / 9, 1.0 / 9), 1e-14);
  }

  /** Oracle: W is a permutation with eigenvalues exp(2πij/M); |1 − λ_1| = 2 sin(π/M). */
  @Test
  void of_circleOfOne_isItsClosedForm() {
    Spectrum spectrum = of("circle:1", 50);
    assertClose(spectrum, numbers(1, 2 * Math.sin(Math.PI / 50), 1, 1), 1e-14);
    assertThat(spectrum.secondEigenvalue()).isEqualTo(Measured.of(1, "structure (periodic)"));
  }

  /** Oracle: W maps e_0 to the others' sum and the others' mean to e_0: σ = √(M − 1); ρ = 1. */
  @Test
  void of_central_isItsClosedForm() {
    Spectrum spectrum = of("central", 26);
    assertThat(spectrum.sigmaMax().orNaN()).isCloseTo(5, within(1e-12));
    assertThat(spectrum.rhoSigmaW().orNaN()).isCloseTo(1, within(1e-12));
    assertThat(spectrum.secondEigenvalue().orNaN()).isEqualTo(1);
  }

  /** Oracle: the eigenvalues of a torus are (cos(2πi/rows) + cos(2πj/columns)) / 2; W = Wᵀ. */
  @ParameterizedTest
  @CsvSource({"15,3,5", "12,3,4", "702,26,27"})
  void of_torus_isItsClosedForm(int clients, int rows, int columns) {
    double second = 0;
    double minPlus = 2;
    for (int i = 0; i < rows; i++) {
      for (int j = i == 0 ? 1 : 0; j < columns; j++) {
        double value = (Math.cos(2 * Math.PI * i / rows) + Math.cos(2 * Math.PI * j / columns)) / 2;
        second = Math.max(second, Math.abs(value));
        minPlus = Math.min(minPlus, 1 - value);
      }
    }
    assertClose(of("torus", clients), numbers(1, minPlus, second, second), 1e-9);
  }

  /** Oracle: the closed form, which a circulant loses with its labels but its numbers do not. */
  @ParameterizedTest
  @CsvSource({
    "circle:2,60,dense",
    "circle:7,61,dense",
    "ring:2,60,dense",
    "exponential,60,dense",
    "exponential,40,dense",
    "exponential,900,iterative (Arnoldi)",
    "circle:300,900,iterative (Arnoldi)"
  })
  void of_relabelledCirculant_isTheClosedForm(String spec, int clients, String how) {
    Network network = Network.of(Topology.parse(spec, clients, STREAMS));
    Spectrum closed = of(network);
    Spectrum computed = of(relabelled(network, STREAMS.stream(Streams.Purpose.NETWORK, clients)));
    assertThat(closed.sigmaMinPlus().how()).isEqualTo("closed form (circulant)");
    assertThat(computed.secondEigenvalue().how()).isEqualTo(how);
    assertClose(computed, closed, 1e-8);
  }

  /** Oracle: the closed form. By Lanczos for W = Wᵀ, by norms of powers where W is not normal. */
  @ParameterizedTest
  @CsvSource({"ring:400,2500,iterative (Lanczos)", "circle:400,2500,iterative (Arnoldi)"})
  void of_manyRelabelledClients_isWithinItsErrorOfTheClosedForm(
      String spec, int clients, String how) {
    Network network = Network.of(Topology.parse(spec, clients, STREAMS));
    Spectrum closed = of(network);
    Spectrum computed = of(relabelled(network, STREAMS.stream(Streams.Purpose.NETWORK, 7)));
    assertThat(computed.secondEigenvalue().how()).startsWith(how);
    assertWithin(computed.sigmaMinPlus(), closed.sigmaMinPlus());
    assertWithin(computed.rhoSigmaW(), closed.rhoSigmaW());
    assertWithin(computed.secondEigenvalue(), closed.secondEigenvalue());
  }

  private static void assertWithin(Measured computed, Measured closed) {
    assertThat(computed.orNaN()).isCloseTo(closed.orNaN(), within(computed.error() + 1e-9));
  }

  /**
   * Oracle: all eigenvalues. Of networks drawn at random these fill a disc, on whose edge no
   * iteration for single ones settles.
   */
  @Test
  void of_regularNetwork_boundsTheSecondEigenvalueByNormsOfPowers() {
    Network network = Network.of(Topology.parse("regular:2", 1000, STREAMS));
    CommunicatingClasses classes = CommunicatingClasses.of(network);
    double exact = of(network).secondEigenvalue().orNaN();
    PowerNorms.Radius grown = Spectrum.grownModulus(new ClassBlock(network, classes, 0), true);
    assertThat(grown.near()).isCloseTo(exact, within(0.02));
    assertThat(grown.atMost()).isBetween(exact, exact + 0.02);
    Spectrum many = of("regular:2", 30_000);
    assertThat(many.secondEigenvalue().how()).startsWith("growth of powers up to ");
    assertThat(many.secondEigenvalue().orNaN()).isCloseTo(Math.sqrt(0.5), within(0.02));
    assertThat(many.secondEigenvalue().error()).isBetween(0.0, 0.03);
  }

  /** Oracle: the closed form of a reversible chain: M clients that hear a line's neighbours. */
  @Test
  void of_reversibleLine_isItsClosedForm() {
    int clients = 2500;
    double[][] w = new double[clients][clients];
    for (int m = 0; m < clients; m++) {
      boolean end = m == 0 || m == clients - 1;
      w[m][m] = 0.5;
      w[m][m == 0 ? 1 : m - 1] += end ? 0.5 : 0.25;
      if (!end) {
        w[m][m + 1] += 0.25;
      }
    }
    Measured second = of(Network.of(w)).secondEigenvalue();
    assertThat(second.how()).startsWith("iterative (Lanczos)");
    assertThat(second.orNaN()).isCloseTo((1 + Math.cos(Math.PI / (clients - 1))) / 2, within(1e-8));
  }

  /** Oracle: the same network under other names. */
  @Test
  void of_relabelledRandomNetworks_isTheSame() {
    UniformRandomProvider random = STREAMS.stream(Streams.Purpose.NETWORK, 5);
    for (int trial = 0; trial < 100; trial++) {
      Network network =
          RandomNetworks.rowStochastic(
              3 + random.nextInt(10), 0.1 + 0.5 * random.nextDouble(), random);
      Spectrum spectrum = of(network);
      Spectrum other = of(relabelled(network, random));
      assertThat(other.sigmaMinPlus().orNaN())
          .isCloseTo(spectrum.sigmaMinPlus().orNaN(), within(1e-10));
      assertThat(other.sigmaMax().orNaN()).isCloseTo(spectrum.sigmaMax().orNaN(), within(1e-10));
      assertThat(other.rhoSigmaW().orNaN()).isCloseTo(spectrum.rhoSigmaW().orNaN(), within(1e-10));
      // A defective eigenvalue keeps only a part of its digits.
      assertThat(other.secondEigenvalue().orNaN())
          .isCloseTo(spectrum.secondEigenvalue().orNaN(), within(1e-5));
    }
  }

  /**
   * Oracle: the definition. The vectors that sum to 0 lose no more than the factor ρ under W less
   * its mean, and for one closed class keep at least the factor σ under I − W when orthogonal to 1.
   */
  @Test
  void of_randomNetworks_boundsEveryVector() {
    UniformRandomProvider random = STREAMS.stream(Streams.Purpose.NETWORK, 6);
    for (int trial = 0; trial < 50; trial++) {
      Network network = RandomNetworks.rowStochastic(8, 0.5, random);
      Spectrum spectrum = of(network);
      double[][] w = RandomNetworks.dense(network);
      boolean oneClass = CommunicatingClasses.of(network).closedClasses().length == 1;
      for (int draw = 0; draw < 100; draw++) {
        double[] x = random.doubles(8, -1, 1).toArray();
        double[] y = Arrays.stream(w).mapToDouble(row -> dot(row, x)).toArray();
        double slack = 1 + 1e-12;
        assertThat(norm(y)).isLessThanOrEqualTo(spectrum.sigmaMax().orNaN() * norm(x) * slack);
        assertThat(norm(centred(y)))
            .isLessThanOrEqualTo(spectrum.rhoSigmaW().orNaN() * norm(x) * slack);
        double[] difference = new double[8];
        Arrays.setAll(difference, m -> x[m] - y[m]);
        if (oneClass) {
          assertThat(norm(difference) * slack)
              .isGreaterThanOrEqualTo(spectrum.sigmaMinPlus().orNaN() * norm(centred(x)));
        }
      }
    }
  }

  /** Oracle: a network of two parts has the values of both. */
  @Test
  void of_twoParts_takesTheSmallestPositiveOfBoth() {
    Network parts = blocks(Network.of(Topology.parse("circle:2", 9, STREAMS)), 9, 0.0);
    Spectrum spectrum = of(parts);
    assertThat(spectrum.sigmaMinPlus().orNaN())
        .isCloseTo(of("circle:2", 9).sigmaMinPlus().orNaN(), within(1e-12));
    assertThat(spectrum.secondEigenvalue())
        .isEqualTo(Measured.of(1, "structure (several closed classes)"));
  }

  /** Oracle: the block below does not change eigenvalues, so those of the open part count too. */
  @Test
  void of_anOpenPart_countsItsEigenvaluesAsWell() {
    Network parts = blocks(Network.of(Topology.parse("circle:2", 9, STREAMS)), 9, 0.05);
    double closed = of("circle:2", 9).secondEigenvalue().orNaN();
    assertThat(of(parts).secondEigenvalue().orNaN())
        .isCloseTo(Math.max(0.95, closed), within(1e-10));
  }

  @Test
  void of_aSingleClientOrOnesThatHearThemselves_saysWhyThereIsNoNumber() {
    Spectrum single = of("complete", 1);
    assertThat(single.sigmaMax().orNaN()).isEqualTo(1);
    assertThat(single.secondEigenvalue().value()).isEmpty();
    assertThat(single.sigmaMinPlus().value()).isEmpty();
    assertThat(single.sigmaMinPlus().how()).contains("I − W is zero");
    Spectrum deaf = of(Network.of(new double[][] {{1, 0}, {0, 1}}));
    assertThat(deaf.sigmaMinPlus().value()).isEmpty();
    assertThat(deaf.secondEigenvalue().orNaN()).isEqualTo(1);
  }

  @Test
  void of_aMillionClients_isTheClosedFormOrTheReason() {
    double angle = 2 * Math.PI / 1_000_000;
    assertThat(of("ring:1", 1_000_000).sigmaMinPlus().orNaN())
        .isCloseTo(1 - Math.cos(angle), within(1e-15));
    assertThat(of("fixed:2", 1_000_000).sigmaMax())
        .isEqualTo(Measured.not("not computed: more than 300000 clients and no closed form"));
  }

  /** W beside a copy of itself that hears the original with this share. */
  private static Network blocks(Network network, int clients, double share) {
    double[][] once = RandomNetworks.dense(network);
    double[][] twice = new double[2 * clients][2 * clients];
    for (int m = 0; m < clients; m++) {
      for (int k = 0; k < clients; k++) {
        twice[m][k] = once[m][k];
        twice[clients + m][clients + k] = (1 - share) * once[m][k];
      }
      twice[clients + m][m] = share;
    }
    return Network.of(twice);
  }

  static Network relabelled(Network network, UniformRandomProvider random) {
    int clients = network.clients();
    int[] name = PermutationSampler.natural(clients);
    PermutationSampler.shuffle(random, name);
    double[][] w = new double[clients][clients];
    for (int m = 0; m < clients; m++) {
      for (int e = network.offsets()[m]; e < network.offsets()[m + 1]; e++) {
        w[name[m]][name[network.heard()[e]]] = network.weights()[e];
      }
    }
    return Network.of(w);
  }

  private static double dot(double[] a, double[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += a[i] * b[i];
    }
    return sum;
  }

  private static double norm(double[] x) {
    return Math.sqrt(dot(x, x));
  }

  private static double[] centred(double[] x) {
    double mean = Arrays.stream(x).sum() / x.length;
    return Arrays.stream(x).map(value -> value - mean).toArray();
  }
}
