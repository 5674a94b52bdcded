package ngd.core.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import ngd.core.Oracles;
import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.LocalDescent;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.admm.DAdmm;
import ngd.core.algorithm.admm.Dinno;
import ngd.core.algorithm.admm.Dlm;
import ngd.core.algorithm.admm.LtAdmm;
import ngd.core.algorithm.descent.BalancedNgd;
import ngd.core.algorithm.descent.HeavyBall;
import ngd.core.algorithm.descent.Nesterov;
import ngd.core.algorithm.descent.QgDsgdm;
import ngd.core.algorithm.exact.Abm;
import ngd.core.algorithm.exact.Abn;
import ngd.core.algorithm.exact.AugDgm;
import ngd.core.algorithm.exact.Nids;
import ngd.core.algorithm.exact.WangElia;
import ngd.core.algorithm.fair.Chi2Dro;
import ngd.core.algorithm.fair.DrDsgd;
import ngd.core.algorithm.federated.FedAdam;
import ngd.core.algorithm.federated.FedAvg;
import ngd.core.algorithm.federated.FedDyn;
import ngd.core.algorithm.federated.FedLt;
import ngd.core.algorithm.federated.FedNova;
import ngd.core.algorithm.federated.FedPd;
import ngd.core.algorithm.federated.FedProx;
import ngd.core.algorithm.federated.Scaffnew;
import ngd.core.algorithm.federated.Scaffold;
import ngd.core.algorithm.local.KGt;
import ngd.core.algorithm.local.Led;
import ngd.core.algorithm.local.LocalDiging;
import ngd.core.algorithm.local.ProxSkip;
import ngd.core.algorithm.personal.Dada;
import ngd.core.algorithm.personal.Mocha;
import ngd.core.algorithm.reduced.Anchored;
import ngd.core.linalg.SymmetricMatrix;
import ngd.core.model.Objective;
import ngd.core.random.Draws;
import ngd.core.random.Streams;
import ngd.core.rows.Edges;
import ngd.core.rows.Rows;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every client's estimate after 3, 10 and 57 rounds. Oracle: {@code oracles/methods}, NumPy
 * programs written from the papers alone.
 */
class OracleMethodsTest {
  private static final int CLIENTS = MethodProblem.CLIENTS;
  private static final int WIDTH = MethodProblem.WIDTH;

  private static boolean[] coins() {
    List<String[]> lines = Oracles.methods("coins.csv");
    boolean[] coins = new boolean[lines.size()];
    lines.forEach(line -> coins[Integer.parseInt(line[0])] = line[1].equals("1"));
    return coins;
  }

  /** The largest (M n_m / N) λmax(H_m) at 0: what an own step size of the file is divided by. */
  private static double curvature(Objective objective, GradientScales scales) {
    double most = 0;
    double[] hessian = new double[WIDTH * WIDTH];
    for (int m = 0; m < CLIENTS; m++) {
      objective.hessian(m, new double[WIDTH], hessian);
      most = Math.max(most, scales.of(m) * SymmetricMatrix.largestEigenvalue(hessian, WIDTH));
    }
    return most;
  }

  private static Algorithm.Rounds<?> algorithm(MethodProblem p) {
    Objective objective = p.objective();
    GradientScales scales = GradientScales.bySize(objective.shards().sizes());
    double beta = p.number("beta", 0);
    int k = (int) p.number("K", 1);
    LocalDescent scaled = new LocalDescent(0, k, scales);
    LocalDescent plain = new LocalDescent(0, k, GradientScales.NONE);
    return switch (p.method()) {
      case "nids" ->
          p.number("own", 0) == 1
              ? new Nids(
                  StepSize.constant(Double.parseDouble(p.alpha()) / curvature(objective, scales)),
                  true,
                  scales)
              : new Nids(p.step(), false, scales);
      case "aug-dgm" -> new AugDgm(p.step(), scales);
      case "heavy-ball" -> new HeavyBall(p.step(), beta, 0, scales);
      case "nesterov" -> new Nesterov(p.step(), beta, 0, scales);
      case "abm" -> new Abm(p.step(), beta, scales);
      case "abn" -> new Abn(p.step(), beta, scales);
      case "qg-dsgdm" -> new QgDsgdm(p.step(), beta, p.number("mu", 0), 0, scales);
      case "wang-elia" -> new WangElia(p.step(), beta, scales);
      case "k-gt" -> new KGt(p.only("c0", "zero").step(), p.number("eta_s", 1), scaled);
      case "ngd-lost" -> new BalancedNgd(p.step(), scales);
      case "local-diging" ->
          new LocalDiging(p.only("form", "diging").only("mix", "first").step(), k, scales);
      case "led" -> new Led(p.step(), beta, scaled);
      case "d-admm" -> new DAdmm(p.number("c", 0), scales);
      case "dlm" -> new Dlm(StepSize.constant(1 / p.number("rho", 0)), p.number("c", 0), scales);
      case "dinno" ->
          new Dinno(
              p.step(), p.number("rho", 0), new LocalDescent(0, (int) p.number("B", 1), scales));
      case "lt-admm" ->
          new LtAdmm(
              p.step(),
              beta,
              p.number("rho", 0),
              1,
              new LocalDescent(0, (int) p.number("tau", 1), scales));
      case "scaffold", "scaffold-selected" ->
          new Scaffold(p.step(), p.number("eta_g", 1), scaled, p.selection());
      case "fedavg", "fedavg-selected" -> new FedAvg(p.step(), plain, p.selection());
      case "fedprox", "fedprox-selected" ->
          new FedProx(p.step(), p.number("mu", 0), plain, p.selection());
      case "fedadam", "fedadam-selected", "fedyogi", "fedadagrad" ->
          new FedAdam(
              p.step(),
              switch (p.method()) {
                case "fedyogi" -> FedAdam.Rule.YOGI;
                case "fedadagrad" -> FedAdam.Rule.ADAGRAD;
                default -> FedAdam.Rule.ADAM;
              },
              p.number("eta", 0),
              p.number("beta1", 0),
              p.number("beta2", 0),
              p.number("tau", 0),
              plain,
              p.selection());
      case "feddyn", "feddyn-selected" ->
          new FedDyn(p.step(), p.number("mu", 0), scaled, p.selection());
      case "fedlt" -> new FedLt(p.step(), p.number("rho", 0), scaled, p.selection());
      case "fedpd" -> {
        boolean[] coins = coins();
        double skip = p.number("p", 0);
        FedPd method = new FedPd(p.step(), p.number("eta", 0), skip, scaled);
        yield new MethodProblem.Telling<>(
            method,
            (s, exchange, local) -> method.step(s, skip == 0 || coins[s.round()], exchange, local));
      }
      case "fednova" -> fedNova(p, plain);
      case "proxskip" -> {
        boolean[] coins = coins();
        ProxSkip method = new ProxSkip(p.step(), p.number("prob", 0), p.number("share", 0), scales);
        yield new MethodProblem.Telling<>(
            method, (s, exchange, local) -> method.step(s, coins[s.round()], exchange, local));
      }
      case "scaffnew" -> {
        boolean[] coins = coins();
        Scaffnew method = new Scaffnew(p.step(), p.number("prob", 0), scales);
        yield new MethodProblem.Telling<>(
            method, (s, exchange, local) -> method.step(s, coins[s.round()], exchange, local));
      }
      case "gt-svrg" ->
          new MethodProblem.Over<>(
              new Anchored(p.step(), false, (int) p.number("T", 1), 1, scales), objective, 0);
      // A round of the file begins with the gradient with which one here ends.
      case "gt-sarah" ->
          new MethodProblem.Over<>(
              new Anchored(p.step(), true, (int) p.number("q", 1) + 1, 1, scales), objective, 1);
      case "dr-dsgd" -> new DrDsgd(p.step(), p.number("mu", 0), 0);
      case "chi2-dro" -> new Chi2Dro(p.step(), p.number("share", 0), scales);
      case "mocha" ->
          new Mocha(
              p.step(),
              p.number("lam", 0),
              p.number("nu", 0),
              p.number("eps", 0),
              (int) p.number("K", 1),
              scales);
      case "zantedeschi" ->
          new Dada(
              p.step(),
              new Dada.Settings(
                  p.number("mu1", 0),
                  p.number("mu2", 0),
                  p.number("lam", 0),
                  p.number("delta", 0),
                  beta,
                  (int) p.number("K", 1)),
              scales);
      default -> throw new IllegalArgumentException(p.method());
    };
  }

  private static Algorithm.Rounds<?> fedNova(MethodProblem p, LocalDescent plain) {
    String[] words = Objects.requireNonNull(p.word("tau")).split(";", -1);
    int[] steps = new int[CLIENTS];
    Arrays.setAll(steps, m -> Integer.parseInt(words[m % words.length]));
    FedNova method = new FedNova(p.step(), 0, plain);
    Draws none = new Draws(Streams.of(1), 0, 0);
    return new MethodProblem.Telling<>(
        method, (s, exchange, local) -> method.step(s, steps, exchange, local, none));
  }

  static Stream<String> methods() {
    return Stream.of(
        "nids",
        "aug-dgm",
        "heavy-ball",
        "nesterov",
        "abm",
        "abn",
        "qg-dsgdm",
        "wang-elia",
        "k-gt",
        "local-diging",
        "led",
        "d-admm",
        "dlm",
        "dinno",
        "lt-admm",
        "scaffold",
        "fedprox",
        "fedadam",
        "fedyogi",
        "fedadagrad",
        "fednova",
        "feddyn",
        "fedlt",
        "fedpd",
        "ngd-lost",
        "fedavg",
        "fedavg-selected",
        "fedprox-selected",
        "fedadam-selected",
        "scaffold-selected",
        "feddyn-selected",
        "proxskip",
        "scaffnew",
        "gt-svrg",
        "gt-sarah",
        "dr-dsgd",
        "chi2-dro",
        "mocha",
        "zantedeschi");
  }

  /** Data, plans, and what other tests compare. */
  private static final List<String> OTHERS =
      List.of(
          "linear",
          "logistic",
          "mutual",
          "batches",
          "coins",
          "lost",
          "selected",
          "selected-one",
          "selected-mixed",
          "selected-all",
          "zantedeschi-links",
          "choco",
          "beer",
          "lead");

  /**
   * Not compared: they keep a gradient of every row, {@code GtSaga} and {@code LtAdmm} of parts,
   * which {@code gt-saga-parts} and {@code lt-admm-vr-parts} are.
   */
  private static final List<String> BY_ROWS = List.of("gt-saga", "lt-admm-vr");

  /** A table that no test reads shows nothing. */
  @Test
  void files_ofTheFolder_areAllUsed() {
    assertThat(Oracles.methodFiles())
        .containsExactlyInAnyOrderElementsOf(
            Stream.of(
                    methods(),
                    OracleFurtherMethodsTest.files(),
                    OracleAsynchronousMethodsTest.files(),
                    OraclePersonalMethodsTest.methods(),
                    OTHERS.stream(),
                    BY_ROWS.stream())
                .flatMap(all -> all)
                .toList());
  }

  @ParameterizedTest
  @MethodSource("methods")
  void run_everyNetworkAndModel_isTheIndependentProgram(String name) {
    MethodProblem.of(name)
        .forEach(
            (problem, lines) ->
                problem.compare(algorithm(problem), lines, state -> shown(problem, state)));
  }

  /** The weights of a round are those that the next round begins with. */
  @Test
  void run_learnedLinks_haveTheWeightsOfTheIndependentProgram() {
    for (String[] line : Oracles.methods("zantedeschi-links.csv")) {
      MethodProblem problem =
          new MethodProblem("zantedeschi", line[0], line[1], line[2], line[3], line[4]);
      int client = Integer.parseInt(line[6]);
      int other = Integer.parseInt(line[7]);
      boolean[] hears = MethodProblem.hears(problem.network())[client];
      int place = (int) IntStream.range(0, other).filter(k -> hears[k]).count();
      double[] weights = weights(problem, Integer.parseInt(line[5]) + 1, client);
      assertThat(weights[place])
          .as(String.join(",", line))
          .isCloseTo(Double.parseDouble(line[8]), within(1e-10));
    }
  }

  private static final Map<String, double[][]> WEIGHTS = new HashMap<>();

  private static double[] weights(MethodProblem problem, int rounds, int client) {
    return WEIGHTS
        .computeIfAbsent(
            problem + " " + rounds,
            _ -> {
              Dada dada = (Dada) algorithm(problem);
              Simulation simulation =
                  new Simulation(problem.w(), problem.objective(), Streams.of(1), 1);
              try (Run<Dada.State> run = simulation.start(dada)) {
                run.advance(rounds);
                Edges links = Objects.requireNonNull(run.state().weights());
                double[][] all = new double[CLIENTS][];
                for (int m = 0; m < CLIENTS; m++) {
                  int first = links.first(m);
                  all[m] =
                      IntStream.range(first, links.first(m + 1))
                          .mapToDouble(e -> links.values().get(e, 0))
                          .toArray();
                }
                return all;
              }
            })[client];
  }

  /** What the file reports: the estimate, or with {@code report=own} the client's own point. */
  private static Rows shown(MethodProblem problem, Algorithm.State state) {
    return switch (state) {
      case FedPd.State s when "own".equals(problem.word("report")) ->
          Objects.requireNonNull(s.own());
      case FedLt.State s when "own".equals(problem.word("report")) ->
          Objects.requireNonNull(s.own());
      default -> state.theta();
    };
  }
}
