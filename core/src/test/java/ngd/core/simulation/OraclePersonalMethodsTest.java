package ngd.core.simulation;

import java.util.stream.Stream;
import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.bayesian.Bayesian;
import ngd.core.algorithm.bayesian.MeanField;
import ngd.core.algorithm.personal.Collaborative;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Personal models and beliefs after 3, 10 and 57 rounds. Oracle: {@code
 * oracles/personal_oracle.py}, a NumPy program with every link's copies and duals, itself held by
 * joint minima and posteriors.
 */
class OraclePersonalMethodsTest {
  static Stream<String> methods() {
    return Stream.of("collaborative", "bayesian");
  }

  private static Algorithm.Rounds<?> algorithm(MethodProblem p) {
    int[] sizes = p.objective().shards().sizes();
    if (p.method().equals("collaborative")) {
      return new Collaborative(
          p.number("coupling", 0), p.number("rho", 0), GradientScales.bySize(sizes));
    }
    double prior = p.number("prior", 0);
    double noise = p.number("noise", 0);
    GradientScales scales = GradientScales.bySizeAndWeight(sizes, p.w().stationary().orElseThrow());
    return p.model().equals("linear")
        ? new Bayesian(noise, prior, scales)
        : new MeanField(p.step(), 0.5 / noise, prior, scales);
  }

  @ParameterizedTest
  @MethodSource("methods")
  void run_everyNetworkAndModel_isTheIndependentProgram(String name) {
    MethodProblem.of(name)
        .forEach(
            (problem, lines) -> problem.compare(algorithm(problem), lines, Algorithm.State::theta));
  }
}
