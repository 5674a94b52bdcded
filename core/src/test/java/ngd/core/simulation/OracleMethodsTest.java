package ngd.core.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import ngd.core.Oracles;
import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.Exchange;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.Local;
import ngd.core.algorithm.LocalDescent;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.admm.DAdmm;
import ngd.core.algorithm.admm.Dinno;
import ngd.core.algorithm.admm.Dlm;
import ngd.core.algorithm.admm.LtAdmm;
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
import ngd.core.algorithm.federated.FedNova;
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
import ngd.core.data.Shards;
import ngd.core.linalg.SymmetricMatrix;
import ngd.core.model.Linear;
import ngd.core.model.Logistic;
import ngd.core.model.Loss;
import ngd.core.model.Objective;
import ngd.core.network.Network;
import ngd.core.random.Draws;
import ngd.core.random.Streams;
import ngd.core.rows.Edges;
import ngd.core.rows.Rows;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every client's estimate after 3, 10 and 57 rounds. Oracle: {@code oracles/methods}, NumPy
 * programs written from the papers alone.
 */
class OracleMethodsTest {
  private static final int CLIENTS = 8;
  private static final int WIDTH = 4;

  /** One method on one network: the lines of its rounds and clients. */
  private record Problem(
      String method,
      String network,
      String weights,
      String model,
      String alpha,
      String parameters) {
    double number(String name, double otherwise) {
      String text = word(name);
      return text == null ? otherwise : Double.parseDouble(text);
    }

    @Nullable String word(String name) {
      return Arrays.stream(parameters.split(" "))
          .filter(one -> one.startsWith(name + "="))
          .map(one -> one.substring(name.length() + 1))
          .findFirst()
          .orElse(null);
    }

    StepSize step() {
      return StepSize.constant(Double.parseDouble(alpha));
    }

    Objective objective() {
      Loss loss = model.equals("linear") ? new Linear() : new Logistic();
      return loss.over(shards(model));
    }

    Network w() {
      double[][] w = new double[CLIENTS][CLIENTS];
      int[] degree = new int[CLIENTS];
      boolean[][] hears = hears(network);
      for (int m = 0; m < CLIENTS; m++) {
        for (boolean one : hears[m]) {
          degree[m] += one ? 1 : 0;
        }
      }
      double share = weights.equals("lazy-metropolis") ? 0.5 : 1;
      for (int m = 0; m < CLIENTS; m++) {
        w[m][m] = 1;
        for (int k = 0; k < CLIENTS; k++) {
          if (hears[m][k]) {
            w[m][k] = share / (1 + Math.max(degree[m], degree[k]));
            w[m][m] -= w[m][k];
          }
        }
      }
      return Network.of(w);
    }
  }

  private static boolean[][] hears(String network) {
    boolean[][] hears = new boolean[CLIENTS][CLIENTS];
    if (network.startsWith("file:")) {
      for (String[] line : Oracles.methods("mutual.csv")) {
        hears[Integer.parseInt(line[0])][Integer.parseInt(line[1])] = true;
      }
      return hears;
    }
    for (int m = 0; m < CLIENTS; m++) {
      for (int k = 0; k < CLIENTS; k++) {
        int hops = Math.min(Math.floorMod(m - k, CLIENTS), Math.floorMod(k - m, CLIENTS));
        hears[m][k] =
            m != k
                && switch (network) {
                  case "ring:1" -> hops == 1;
                  case "ring:2" -> hops <= 2;
                  case "central" -> m == 0 || k == 0;
                  default -> true;
                };
      }
    }
    return hears;
  }

  private static Shards shards(String model) {
    List<String[]> lines = Oracles.methods(model + ".csv");
    int[] sizes = new int[CLIENTS];
    lines.forEach(line -> sizes[Integer.parseInt(line[0])]++);
    Shards.Filler filler = Shards.sized(WIDTH, sizes);
    int[] next = new int[CLIENTS];
    for (String[] line : lines) {
      int m = Integer.parseInt(line[0]);
      double[] x = {
        1, Double.parseDouble(line[2]), Double.parseDouble(line[3]), Double.parseDouble(line[4])
      };
      filler.put(m, next[m]++, x, Double.parseDouble(line[1]));
    }
    return filler.done();
  }

  /** Data whose mini-batches are those of the file. */
  private static final class FileBatches implements Local {
    private final Local whole;
    private final Objective objective;
    private final int later;
    private final Map<String, int[]> rows = new HashMap<>();

    FileBatches(Local whole, Objective objective, int later) {
      this.whole = whole;
      this.objective = objective;
      this.later = later;
      for (String[] line : Oracles.methods("batches.csv")) {
        rows.put(
            line[0] + "," + line[1],
            Arrays.stream(line[2].split(";")).mapToInt(Integer::parseInt).toArray());
      }
    }

    @Override
    public int rows(int row) {
      return whole.rows(row);
    }

    @Override
    public Rows gradient(Rows at) {
      return whole.gradient(at);
    }

    @Override
    public Local part(int[] chosen, int of) {
      return whole.part(chosen, of);
    }

    @Override
    public Local batch(int size, int round) {
      FileBatches all = this;
      return new Local() {
        @Override
        public int rows(int row) {
          return all.rows(row);
        }

        @Override
        public Rows gradient(Rows at) {
          double[][] gradients = new double[at.rows()][WIDTH];
          for (int m = 0; m < gradients.length; m++) {
            int[] own = Objects.requireNonNull(all.rows.get(m + "," + (round + later)));
            objective.batchGradient(m, own, 0, own.length, at.row(m), 0, gradients[m], 0);
          }
          return at.of(gradients);
        }

        @Override
        public Local batch(int other, int otherRound) {
          return all.batch(other, otherRound);
        }

        @Override
        public Local part(int[] chosen, int of) {
          return all.part(chosen, of);
        }
      };
    }
  }

  /** A method over other data than the simulation's. */
  private record Over<S extends Algorithm.State>(
      Algorithm.Rounds<S> method, Objective objective, int later) implements Algorithm.Rounds<S> {
    @Override
    public S start(Rows theta) {
      return method.start(theta);
    }

    @Override
    public S step(S s, Exchange exchange, Local local, Draws draws) {
      return method.step(s, exchange, new FileBatches(local, objective, later), draws);
    }
  }

  /** A method whose round takes something from a file. */
  private interface Told<S> {
    S step(S s, Exchange exchange, Local local);
  }

  private record Telling<S extends Algorithm.State>(Algorithm.Rounds<S> method, Told<S> told)
      implements Algorithm.Rounds<S> {
    @Override
    public S start(Rows theta) {
      return method.start(theta);
    }

    @Override
    public S step(S s, Exchange exchange, Local local, Draws draws) {
      return told.step(s, exchange, local);
    }
  }

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

  private static Algorithm.@Nullable Rounds<?> algorithm(Problem p) {
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
      case "k-gt" ->
          "zero".equals(p.word("c0")) ? new KGt(p.step(), p.number("eta_s", 1), scaled) : null;
      case "local-diging" ->
          "diging".equals(p.word("form")) && "first".equals(p.word("mix"))
              ? new LocalDiging(p.step(), k, scales)
              : null;
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
      case "scaffold" -> new Scaffold(p.step(), p.number("eta_g", 1), scaled);
      case "fedprox" -> new FedProx(p.step(), p.number("mu", 0), plain);
      case "fedadam", "fedyogi" ->
          new FedAdam(
              p.step(),
              p.method().equals("fedadam") ? FedAdam.Rule.ADAM : FedAdam.Rule.YOGI,
              p.number("eta", 0),
              p.number("beta1", 0),
              p.number("beta2", 0),
              p.number("tau", 0),
              plain);
      case "fednova" -> fedNova(p, plain);
      case "proxskip" -> {
        boolean[] coins = coins();
        ProxSkip method = new ProxSkip(p.step(), p.number("prob", 0), p.number("share", 0), scales);
        yield new Telling<>(
            method, (s, exchange, local) -> method.step(s, coins[s.round()], exchange, local));
      }
      case "scaffnew" -> {
        boolean[] coins = coins();
        Scaffnew method = new Scaffnew(p.step(), p.number("prob", 0), scales);
        yield new Telling<>(
            method, (s, exchange, local) -> method.step(s, coins[s.round()], exchange, local));
      }
      case "gt-svrg" ->
          new Over<>(
              new Anchored(p.step(), false, (int) p.number("T", 1), 1, scales), objective, 0);
      // A round of the file begins with the gradient with which one here ends.
      case "gt-sarah" ->
          new Over<>(
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

  private static Algorithm.Rounds<?> fedNova(Problem p, LocalDescent plain) {
    String[] words = Objects.requireNonNull(p.word("tau")).split(";", -1);
    int[] steps = new int[CLIENTS];
    Arrays.setAll(steps, m -> Integer.parseInt(words[m % words.length]));
    FedNova method = new FedNova(p.step(), 0, plain);
    return new Telling<>(method, (s, exchange, local) -> method.step(s, steps, exchange, local));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
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
        "fednova",
        "proxskip",
        "scaffnew",
        "gt-svrg",
        "gt-sarah",
        "dr-dsgd",
        "chi2-dro",
        "mocha",
        "zantedeschi"
      })
  void run_everyNetworkAndModel_isTheIndependentProgram(String name) {
    Map<Problem, List<String[]>> problems = new LinkedHashMap<>();
    for (String[] line : Oracles.methods(name + ".csv")) {
      Problem problem = new Problem(name, line[0], line[1], line[2], line[3], line[4]);
      problems.computeIfAbsent(problem, _ -> new ArrayList<>()).add(line);
    }
    int compared = 0;
    for (var entry : problems.entrySet()) {
      Algorithm.Rounds<?> algorithm = algorithm(entry.getKey());
      if (algorithm != null) {
        compare(entry.getKey(), algorithm, entry.getValue());
        compared++;
      }
    }
    assertThat(compared).isPositive();
  }

  /** The weights of a round are those that the next round begins with. */
  @Test
  void run_learnedLinks_haveTheWeightsOfTheIndependentProgram() {
    for (String[] line : Oracles.methods("zantedeschi-links.csv")) {
      Problem problem = new Problem("zantedeschi", line[0], line[1], line[2], line[3], line[4]);
      int client = Integer.parseInt(line[6]);
      int other = Integer.parseInt(line[7]);
      boolean[] hears = hears(problem.network())[client];
      int place = (int) IntStream.range(0, other).filter(k -> hears[k]).count();
      double[] weights = weights(problem, Integer.parseInt(line[5]) + 1, client);
      assertThat(weights[place])
          .as(String.join(",", line))
          .isCloseTo(Double.parseDouble(line[8]), within(1e-10));
    }
  }

  private static final Map<String, double[][]> WEIGHTS = new HashMap<>();

  private static double[] weights(Problem problem, int rounds, int client) {
    return WEIGHTS
        .computeIfAbsent(
            problem + " " + rounds,
            _ -> {
              Dada dada = (Dada) Objects.requireNonNull(algorithm(problem));
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

  private static <S extends Algorithm.State> void compare(
      Problem problem, Algorithm.Rounds<S> algorithm, List<String[]> lines) {
    Simulation simulation = new Simulation(problem.w(), problem.objective(), Streams.of(1), 1);
    try (Run<S> run = simulation.start(algorithm)) {
      for (String[] line : lines) {
        run.advance(Integer.parseInt(line[5]) - run.round());
        double[] expected = new double[WIDTH];
        Arrays.setAll(expected, j -> Double.parseDouble(line[7 + j]));
        assertThat(run.theta().row(Integer.parseInt(line[6])))
            .as("%s after %s rounds, client %s", problem, line[5], line[6])
            .containsExactly(expected, within(1e-10));
      }
    }
  }
}
