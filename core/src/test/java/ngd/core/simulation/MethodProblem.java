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
import java.util.Optional;
import java.util.function.Function;
import ngd.core.Oracles;
import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.ClientSelection;
import ngd.core.algorithm.Exchange;
import ngd.core.algorithm.Local;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.Totals;
import ngd.core.data.Shards;
import ngd.core.model.Linear;
import ngd.core.model.Logistic;
import ngd.core.model.Loss;
import ngd.core.model.Objective;
import ngd.core.model.OwnCurved;
import ngd.core.network.Network;
import ngd.core.network.NetworkSchedule;
import ngd.core.network.Topology;
import ngd.core.network.Weights;
import ngd.core.random.Draws;
import ngd.core.random.Streams;
import ngd.core.rows.Rows;
import org.jspecify.annotations.Nullable;

/**
 * One method on one network of {@code oracles/methods}, with what its files say: data, links,
 * batches, coins, who takes part.
 */
record MethodProblem(
    String method, String network, String weights, String model, String alpha, String parameters) {
  static final int CLIENTS = 8;
  static final int WIDTH = 4;

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

  /** Itself, where a choice of the file is the one that is made here. */
  MethodProblem only(String name, String value) {
    if (!value.equals(word(name))) {
      throw new IllegalArgumentException(
          "%s: %s must be %s; got %s".formatted(method, name, value, parameters));
    }
    return this;
  }

  StepSize step() {
    return StepSize.constant(Double.parseDouble(alpha));
  }

  /** The clients that the file says for each round. */
  ClientSelection selection() {
    String plan = word("selected");
    return plan == null
        ? new ClientSelection.All()
        : new Listed(
            Oracles.methods(plan.equals("half") ? "selected.csv" : "selected-" + plan + ".csv"));
  }

  /** With {@code prox=exact} a loss of one's own, whose proximal steps all go to the end. */
  Objective objective() {
    Loss loss =
        model.equals("linear")
            ? new Linear()
            : "exact".equals(word("prox")) ? new OwnCurved(new Logistic()) : new Logistic();
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
    if (weights.startsWith("lazy:")) {
      double own = Double.parseDouble(weights.substring(5));
      for (int m = 0; m < CLIENTS; m++) {
        for (int k = 0; k < CLIENTS; k++) {
          w[m][k] = k == m ? own : hears[m][k] ? (1 - own) / degree[m] : 0;
        }
      }
      return Network.of(w);
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

  /** W of every round: where a message is lost, its weight is the client's own. */
  NetworkSchedule schedule() {
    if (word("lost") == null) {
      return w();
    }
    only("lost", "own");
    List<String> lost =
        Oracles.methods("lost.csv").stream().map(line -> String.join(",", line)).toList();
    int rounds = 1 + Integer.parseInt(lost.getLast().split(",", -1)[0]);
    Network whole = w();
    StringBuilder text = new StringBuilder("client,hears,weight,round\n");
    for (int t = 0; t < rounds; t++) {
      for (int m = 0; m < CLIENTS; m++) {
        double own = 1;
        for (int k = 0; k < CLIENTS; k++) {
          double weight = whole.weight(m, k);
          if (k != m && weight > 0 && !lost.contains(t + "," + k + "," + m)) {
            own -= weight;
            text.append("%d,%d,%s,%d\n".formatted(m, k, weight, t));
          }
        }
        text.append("%d,%d,%s,%d\n".formatted(m, m, own, t));
      }
    }
    Topology.EdgeFile file = new Topology.EdgeFile(CLIENTS, network, Optional.of(text.toString()));
    return NetworkSchedule.of(file, Weights.standard(file));
  }

  /** The clients of each round, by a file. */
  private record Listed(List<String[]> rounds) implements ClientSelection {
    @Override
    public String spec() {
      return "listed";
    }

    @Override
    public boolean[] chosen(Draws draws, int clients, Rows theta, Local local, Totals totals) {
      boolean[] chosen = new boolean[clients];
      for (String client : rounds.get(draws.round())[1].split(";", -1)) {
        chosen[Integer.parseInt(client)] = true;
      }
      return chosen;
    }
  }

  static boolean[][] hears(String network) {
    boolean[][] hears = new boolean[CLIENTS][CLIENTS];
    if (network.startsWith("file:")) {
      for (String[] line : Oracles.methods(network.substring(5))) {
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
                  case "circle:2" -> Math.floorMod(k - m, CLIENTS) <= 2;
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

  /** Data whose mini-batches are those of the file, of the clients from {@code first} on. */
  static final class FileBatches implements Local {
    private final Local whole;
    private final Objective objective;
    private final int first;
    private final int later;
    private final Map<String, int[]> rows = new HashMap<>();

    FileBatches(Local whole, Objective objective, int first, int later) {
      this.whole = whole;
      this.objective = objective;
      this.first = first;
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
            int client = first + m;
            int[] own = Objects.requireNonNull(all.rows.get(client + "," + (round + later)));
            objective.batchGradient(client, own, 0, own.length, at.row(m), 0, gradients[m], 0);
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
  record Over<S extends Algorithm.State>(Algorithm.Rounds<S> method, Objective objective, int later)
      implements Algorithm.Rounds<S> {
    @Override
    public S start(Rows theta) {
      return method.start(theta);
    }

    @Override
    public S step(S s, Exchange exchange, Local local, Draws draws) {
      return method.step(s, exchange, new FileBatches(local, objective, 0, later), draws);
    }
  }

  /** A method whose round takes something from a file. */
  interface Told<S> {
    S step(S s, Exchange exchange, Local local);
  }

  record Telling<S extends Algorithm.State>(Algorithm.Rounds<S> method, Told<S> told)
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

  /** Runs a method and compares what it shows after the rounds of the file. */
  <S extends Algorithm.State> void compare(
      Algorithm.Rounds<S> algorithm, List<String[]> lines, Function<Algorithm.State, Rows> shown) {
    Simulation simulation = new Simulation(schedule(), objective(), Streams.of(1), 1);
    try (Run<S> run = simulation.start(algorithm)) {
      for (String[] line : lines) {
        run.advance(Integer.parseInt(line[5]) - run.round());
        double[] expected = new double[WIDTH];
        Arrays.setAll(expected, j -> Double.parseDouble(line[7 + j]));
        assertThat(shown.apply(run.state()).row(Integer.parseInt(line[6])))
            .as("%s after %s rounds, client %s", this, line[5], line[6])
            .containsExactly(expected, within(1e-10));
      }
    }
  }

  /** The problems of a file, with their lines. */
  static Map<MethodProblem, List<String[]>> of(String name) {
    Map<MethodProblem, List<String[]>> problems = new LinkedHashMap<>();
    for (String[] line : Oracles.methods(name + ".csv")) {
      MethodProblem problem = new MethodProblem(name, line[0], line[1], line[2], line[3], line[4]);
      problems.computeIfAbsent(problem, _ -> new ArrayList<>()).add(line);
    }
    assertThat(problems).isNotEmpty();
    return problems;
  }
}
