package ngd.studies.grid;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import ngd.core.InvalidInput;
import ngd.core.algorithm.StepSize;
import ngd.core.data.PaperModel;
import ngd.core.network.Topology;
import ngd.core.network.Weights;
import ngd.core.random.Streams;

/**
 * The axes of a study, in the command line's words; every combination is a {@link Cell}.
 *
 * @param rows N, one or more
 * @param clients M, one or more
 */
public record Grid(
    List<ModelAxis> models,
    List<Integer> rows,
    List<Integer> clients,
    List<Arrangement> arrangements,
    List<String> networks,
    List<String> weights,
    List<String> algorithms)
    implements Serializable {

  /** A step size, as on the command line, the rounds it gets, and how often to look. */
  public record Step(String alpha, int rounds, int every) implements Serializable {
    public Step {
      StepSize.parse(alpha);
      requirePositive("rounds", rounds);
      requirePositive("every", every);
    }
  }

  /** A model with the step sizes that suit it. */
  public record ModelAxis(PaperModel model, List<Step> steps) implements Serializable {
    public ModelAxis {
      steps = requireSome("alphas", steps);
    }
  }

  public Grid {
    models = requireSome("models", models);
    rows = requireSome("rows", rows);
    clients = requireSome("clients", clients);
    arrangements = requireSome("partitions", arrangements);
    networks = requireSome("networks", networks);
    weights = requireSome("weights", weights);
    algorithms = requireSome("algorithms", algorithms);
    rows.forEach(n -> requirePositive("rows", n));
    for (int m : clients) {
      requirePositive("clients", m);
      for (int n : rows) {
        if (m > n) {
          throw new InvalidInput(
              "clients: each needs a row, so at most the %d rows; got %d".formatted(n, m));
        }
      }
      for (String network : networks) {
        Topology topology = Topology.parse(network, m, Streams.of(1));
        weights.forEach(rule -> Weights.parse(rule, topology, new int[m]));
      }
    }
    algorithms.forEach(Algorithms::require);
  }

  private static <T> List<T> requireSome(String axis, List<T> values) {
    if (values.isEmpty()) {
      throw new InvalidInput(axis + ": needs at least one; got none");
    }
    if (values.stream().distinct().count() < values.size()) {
      throw new InvalidInput("%s: each must be named once; got %s".formatted(axis, values));
    }
    return List.copyOf(values);
  }

  private static void requirePositive(String subject, int value) {
    if (value < 1) {
      throw new InvalidInput("%s: must be at least 1; got %d".formatted(subject, value));
    }
  }

  /** All combinations; those that share data stand together. */
  public List<Cell> cells() {
    List<Cell> cells = new ArrayList<>();
    for (ModelAxis axis : models) {
      for (int n : rows) {
        for (int m : clients) {
          for (Arrangement arrangement : arrangements) {
            for (String network : networks) {
              for (String rule : weights) {
                for (String algorithm : algorithms) {
                  for (Step step : axis.steps()) {
                    cells.add(
                        new Cell(
                            axis.model(),
                            n,
                            m,
                            arrangement,
                            network,
                            rule,
                            algorithm,
                            step.alpha(),
                            step.rounds(),
                            step.every()));
                  }
                }
              }
            }
          }
        }
      }
    }
    return cells;
  }

  Map<String, Object> settings() {
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("models", models.stream().map(Grid::settings).toList());
    settings.put("rows", rows);
    settings.put("clients", clients);
    settings.put(
        "arrangements",
        arrangements.stream().map(a -> a.partition() + "/" + a.placement()).toList());
    settings.put("networks", networks.stream().map(EdgeFiles::withDigest).toList());
    settings.put("weights", weights);
    settings.put("algorithms", algorithms);
    settings.put("start", 0);
    return settings;
  }

  private static Map<String, Object> settings(ModelAxis axis) {
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("model", axis.model().spec());
    settings.put(
        "steps",
        axis.steps().stream()
            .map(
                step ->
                    "alpha %s, %d rounds, recorded every %d"
                        .formatted(step.alpha(), step.rounds(), step.every()))
            .toList());
    return settings;
  }
}
