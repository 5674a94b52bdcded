package ngd.core.simulation;

import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import ngd.core.Oracles;
import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.LocalDescent;
import ngd.core.algorithm.admm.Atg;
import ngd.core.algorithm.admm.LtAdmm;
import ngd.core.algorithm.admm.RelaxedAdmm;
import ngd.core.algorithm.descent.BalancedNgd;
import ngd.core.algorithm.descent.Cfa;
import ngd.core.algorithm.descent.CfaGe;
import ngd.core.algorithm.descent.DPsgd;
import ngd.core.algorithm.descent.Dgd;
import ngd.core.algorithm.descent.DualAveraging;
import ngd.core.algorithm.descent.EarlyStopped;
import ngd.core.algorithm.descent.Ngd;
import ngd.core.algorithm.exact.AtcTracking;
import ngd.core.algorithm.exact.D2;
import ngd.core.algorithm.exact.Diging;
import ngd.core.algorithm.exact.ExactDiffusion;
import ngd.core.algorithm.exact.Extra;
import ngd.core.algorithm.exact.SimpleGt;
import ngd.core.algorithm.personal.ModelPropagation;
import ngd.core.algorithm.pushing.PushDiging;
import ngd.core.algorithm.pushing.PushPull;
import ngd.core.algorithm.pushing.Sgp;
import ngd.core.algorithm.reduced.GtSaga;
import ngd.core.algorithm.reduced.GtVr;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every client's estimate after 3, 10 and 57 rounds, on networks with one-way links too. Oracle:
 * {@code oracles/further_oracle.py}, NumPy programs written from the papers alone.
 */
class OracleFurtherMethodsTest {
  private static final List<String> NAMES =
      List.of(
          "ngd",
          "balanced-ngd",
          "dgd",
          "d-psgd",
          "atc",
          "early-stopped",
          "cfa",
          "cfa-ge",
          "dual-averaging",
          "d2",
          "extra",
          "exact-diffusion",
          "simple-gt",
          "diging",
          "atc-tracking",
          "gt-vr",
          "gt-saga-parts",
          "push-diging",
          "sgp",
          "push-pull",
          "relaxed-admm",
          "atg",
          "lt-admm-vr-parts",
          "model-propagation");

  static Stream<String> methods() {
    return NAMES.stream();
  }

  /** All files that are read here, without what they are cut by. */
  static Stream<String> files() {
    return Stream.concat(methods(), Stream.of("directed", "parts", "client-coins"));
  }

  /** Numbers of a file of lines (a, b, value), by a and b. */
  private static int[][] table(String file, int rows, int columns) {
    int[][] values = new int[rows][columns];
    for (String[] line : Oracles.methods(file)) {
      values[Integer.parseInt(line[0])][Integer.parseInt(line[1])] = Integer.parseInt(line[2]);
    }
    return values;
  }

  /** The parts that the clients take in a step. */
  private static IntFunction<int[]> parts() {
    int[][] drawn = table("parts.csv", MethodProblem.CLIENTS, 171);
    return step -> {
      int[] chosen = new int[drawn.length];
      for (int m = 0; m < chosen.length; m++) {
        chosen[m] = drawn[m][step];
      }
      return chosen;
    };
  }

  private static Algorithm.Rounds<?> algorithm(MethodProblem p) {
    int[] sizes = p.objective().shards().sizes();
    GradientScales bySize = GradientScales.bySize(sizes);
    GradientScales scales = GradientScales.bySizeAndWeight(sizes, p.w().stationary().orElseThrow());
    return switch (p.method()) {
      case "ngd" -> new Ngd(p.step());
      case "balanced-ngd" -> new BalancedNgd(p.step(), scales);
      case "dgd" -> new Dgd(p.step(), scales);
      case "d-psgd" -> new MethodProblem.Over<>(new DPsgd(p.step(), 1, scales), p.objective(), 0);
      case "atc" -> new EarlyStopped(p.step(), Integer.MAX_VALUE, scales);
      case "early-stopped" -> new EarlyStopped(p.step(), (int) p.number("T", 1), scales);
      case "cfa" -> new Cfa(p.step(), p.number("eps", 0), 0, scales);
      case "cfa-ge" -> new CfaGe(p.step(), p.number("eps", 0), p.number("rho", 0), 0, scales);
      case "dual-averaging" -> new DualAveraging(p.step(), scales);
      case "d2" -> new D2(p.step(), 0, scales);
      case "extra" -> new Extra(p.step(), scales);
      case "exact-diffusion" -> new ExactDiffusion(p.step(), scales);
      case "simple-gt" -> new SimpleGt(p.step(), scales);
      case "diging" -> new Diging(p.step(), scales);
      case "atc-tracking" -> new AtcTracking(p.step(), scales);
      case "gt-vr" -> {
        int[][] coins = table("client-coins.csv", 57, MethodProblem.CLIENTS);
        GtVr method = new GtVr(p.step(), 0.3, 1, scales);
        yield new MethodProblem.Over<>(
            new MethodProblem.Telling<>(
                method,
                (s, exchange, local) ->
                    method.step(
                        s,
                        Arrays.stream(coins[s.round()]).asDoubleStream().toArray(),
                        exchange,
                        local)),
            p.objective(),
            0);
      }
      case "gt-saga-parts" -> {
        IntFunction<int[]> parts = parts();
        GtSaga method = new GtSaga(p.step(), (int) p.number("parts", 1), scales);
        yield new MethodProblem.Telling<>(
            method,
            (s, exchange, local) -> method.step(s, parts.apply(s.round()), exchange, local));
      }
      case "lt-admm-vr-parts" -> {
        IntFunction<int[]> parts = parts();
        int tau = (int) p.number("tau", 1);
        LtAdmm method =
            new LtAdmm(
                p.step(),
                p.number("beta", 0),
                p.number("rho", 0),
                (int) p.number("parts", 1),
                new LocalDescent(0, tau, scales));
        yield new MethodProblem.Telling<>(
            method,
            (s, exchange, local) -> {
              int[] step = {s.round() * tau};
              return method.step(s, () -> parts.apply(step[0]++), exchange, local);
            });
      }
      case "push-diging" -> new PushDiging(p.step(), bySize);
      case "sgp" -> new Sgp(p.step(), 0, bySize);
      case "push-pull" -> new PushPull(p.step(), bySize);
      case "relaxed-admm" -> new RelaxedAdmm(p.number("rho", 0), p.number("relax", 0), scales);
      case "atg" ->
          new Atg(p.step(), p.number("rho", 0), p.number("relax", 0), p.number("gamma", 0), scales);
      case "model-propagation" -> new ModelPropagation(p.number("own", 0), p.number("ridge", 0));
      default -> throw new IllegalArgumentException(p.method());
    };
  }

  @ParameterizedTest
  @MethodSource("methods")
  void run_everyNetworkAndModel_isTheIndependentProgram(String name) {
    MethodProblem.of(name)
        .forEach(
            (problem, lines) -> problem.compare(algorithm(problem), lines, Algorithm.State::theta));
  }
}
