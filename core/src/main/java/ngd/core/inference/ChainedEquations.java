package ngd.core.inference;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import ngd.core.InvalidInput;
import ngd.core.data.Shards;
import ngd.core.data.Table;
import ngd.core.model.Categories;
import ngd.core.model.Glm;
import ngd.core.model.Linear;
import ngd.core.model.Logistic;
import ngd.core.model.NoEstimate;
import ngd.core.model.Regression;
import ngd.core.model.Thresholds;
import ngd.core.preparation.IncompleteRows;
import ngd.core.preparation.IncompleteRows.Kind;
import ngd.core.random.Streams;
import ngd.core.world.World;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;

/**
 * Multiple imputation by chained equations with models of all sites' rows (van Buuren 2018, 4.5).
 *
 * <p>Every variable with gaps is imputed in turn, from a regression on all other variables fitted
 * by sums to the rows that have it: numbers by Bayesian linear regression, 0 and 1 and two levels
 * by logistic regression, more levels by multinomial logits. Parameters are drawn from the pooled
 * posterior with numbers that all sites share; each site fills its own gaps with draws of its own,
 * and no row leaves it.
 */
public final class ChainedEquations {
  private final World world;
  private final List<Double> pi;
  private final List<IncompleteRows> own;
  private final int firstClient;
  private final Streams streams;
  private final GapDraws draws;
  private final List<IncompleteRows.OfFrame> variables;
  private final List<Regression> models = new ArrayList<>();
  private final double[] means;
  private final double[] deviations;
  private final double[][] shares;
  private final long[] missing;

  /**
   * Looks at what is missing, together with the other sites.
   *
   * @param own the rows of the clients here
   * @param firstClient the number of the first of them
   * @param streams of the parameters, which all clients draw alike
   * @param draws of what each client draws for its own gaps
   * @param response the variable that is explained, by its name
   * @param outcome the family of the model that is asked for
   */
  public ChainedEquations(
      World world,
      List<Double> pi,
      List<IncompleteRows> own,
      int firstClient,
      Streams streams,
      GapDraws draws,
      String response,
      Regression outcome) {
    this.world = world;
    this.pi = List.copyOf(pi);
    this.own = List.copyOf(own);
    this.firstClient = firstClient;
    this.streams = streams;
    this.draws = draws;
    variables = own.getFirst().variables();
    int count = variables.size();
    double[] sums =
        Pooled.total(
            world,
            m ->
                Pooled.joined(
                    each(v -> own.get(m).missing(v)),
                    each(v -> own.get(m).rows() - own.get(m).missing(v)),
                    each(v -> observed(m, v, value -> value))));
    double[] others =
        Pooled.having(
            world, m -> each(v -> observed(m, v, value -> value == 0 || value == 1 ? 0 : 1)));
    missing = new long[count];
    means = new double[count];
    deviations = new double[count];
    Arrays.setAll(missing, v -> (long) sums[v]);
    Arrays.setAll(means, v -> sums[2 * count + v] / sums[count + v]);
    double[] squares =
        Pooled.total(
            world,
            m -> each(v -> observed(m, v, value -> (value - means[v]) * (value - means[v]))));
    Arrays.setAll(deviations, v -> Math.sqrt(squares[v] / sums[count + v]));
    shares = shares();
    for (int v = 0; v < count; v++) {
      models.add(model(v, others[v] == 0));
    }
    require(response, outcome);
  }

  private double[] each(IntToDoubleFunction of) {
    return IntStream.range(0, variables.size()).mapToDouble(of).toArray();
  }

  /** The sum over a client's rows that have a variable. */
  private double observed(int client, int variable, DoubleUnaryOperator term) {
    IncompleteRows rows = own.get(client);
    double[] values = rows.values(variable);
    double sum = 0;
    for (int i = 0; i < values.length; i++) {
      sum += rows.isMissing(variable, i) ? 0 : term.applyAsDouble(values[i]);
    }
    return sum;
  }

  /** The shares of the levels of each variable that has some, among rows that have it. */
  private double[][] shares() {
    int[] first = new int[variables.size() + 1];
    for (int v = 0; v < variables.size(); v++) {
      first[v + 1] = first[v] + (missing[v] > 0 ? variables.get(v).levels().size() : 0);
    }
    double[][] found = new double[variables.size()][];
    if (first[variables.size()] == 0) {
      return found;
    }
    double[] counts =
        Pooled.total(
            world,
            m -> {
              double[] own = new double[first[variables.size()]];
              for (int v = 0; v < variables.size(); v++) {
                for (int level = 0; level < first[v + 1] - first[v]; level++) {
                  int wanted = level;
                  own[first[v] + level] = observed(m, v, value -> value == wanted ? 1 : 0);
                }
              }
              return own;
            });
    for (int v = 0; v < variables.size(); v++) {
      found[v] = Arrays.copyOfRange(counts, first[v], first[v + 1]);
      double all = Arrays.stream(found[v]).sum();
      for (int level = 0; level < found[v].length; level++) {
        found[v][level] /= all;
      }
    }
    return found;
  }

  private Regression model(int v, boolean labels) {
    IncompleteRows.OfFrame variable = variables.get(v);
    if (variable.kind() != Kind.LEVEL) {
      return labels ? new Logistic() : new Linear();
    }
    return variable.levels().size() <= 2
        ? new Logistic()
        : new Categories(false, Thresholds.LOGIT, variable.levels(), columns(v));
  }

  private void require(String response, Regression outcome) {
    if (Arrays.stream(missing).sum() == 0) {
      throw new InvalidInput(
          "impute: something must be missing in what the formula reads; nothing is, at any site;"
              + " leave --impute out");
    }
    for (int v = 0; v < missing.length; v++) {
      IncompleteRows.OfFrame variable = variables.get(v);
      if (missing[v] > 0 && variable.kind() == Kind.GIVEN) {
        throw new InvalidInput(
            "impute: `%s` must not be missing, as offsets, weights, dates and times are not imputed; it is in %d rows"
                .formatted(variable.name(), missing[v]));
      }
      if (missing[v] > 0 && variable.kind() == Kind.LEVEL && variable.levels().size() < 2) {
        throw new InvalidInput(
            "impute: `%s` must have at least two levels where it is not missing; it has %d"
                .formatted(variable.name(), variable.levels().size()));
      }
      boolean possible =
          outcome instanceof Linear
              || (outcome instanceof Glm glm && glm.family().equals("binomial"));
      if (missing[v] > 0 && variable.name().equals(response) && !possible) {
        throw new InvalidInput(
            "impute: the response `%s` must not be missing where the family is neither gaussian with link identity nor binomial; it is in %d rows"
                .formatted(response, missing[v]));
      }
    }
  }

  /** What is imputed, in how many rows, and by which model. */
  public List<Imputed> imputed() {
    return IntStream.range(0, missing.length)
        .filter(v -> missing[v] > 0)
        .mapToObj(v -> new Imputed(variables.get(v).name(), missing[v], models.get(v).family()))
        .toList();
  }

  /** A variable with gaps. */
  public record Imputed(String variable, long missing, String family) {}

  /** The names of the columns of a variable's model. */
  private List<String> columns(int of) {
    List<String> names = new ArrayList<>(List.of(Table.INTERCEPT));
    for (int v = 0; v < variables.size(); v++) {
      IncompleteRows.OfFrame variable = variables.get(v);
      if (v == of || !variable.predicts()) {
        continue;
      }
      if (variable.kind() == Kind.LEVEL) {
        variable.levels().stream().skip(1).forEach(level -> names.add(variable.name() + level));
      } else {
        names.add(variable.name());
      }
    }
    return names;
  }

  /**
   * One imputation: each client's variables, the gaps filled.
   *
   * @param number of the imputation, from 0
   * @param iterations how often each variable is imputed
   */
  public List<double[][]> impute(int number, int iterations) {
    UniformRandomProvider common = streams.replicate(number).stream(Streams.Purpose.IMPUTATION);
    UniformRandomProvider[] each = new UniformRandomProvider[own.size()];
    Arrays.setAll(each, m -> draws.of(number, firstClient + m));
    List<double[][]> filled = new ArrayList<>();
    for (int m = 0; m < each.length; m++) {
      filled.add(started(m, each[m]));
    }
    for (int round = 0; round < iterations; round++) {
      for (int v = 0; v < missing.length; v++) {
        if (missing[v] > 0) {
          fill(v, filled, common, each);
        }
      }
    }
    return filled;
  }

  /** Gaps filled by what the variable is by itself. */
  private double[][] started(int client, UniformRandomProvider draw) {
    IncompleteRows rows = own.get(client);
    var normal = ZigguratSampler.NormalizedGaussian.of(draw);
    double[][] values = new double[variables.size()][];
    Arrays.setAll(values, rows::values);
    for (int v = 0; v < values.length; v++) {
      for (int i = 0; i < values[v].length; i++) {
        if (rows.isMissing(v, i)) {
          values[v][i] =
              variables.get(v).kind() == Kind.LEVEL
                  ? chosen(shares[v], draw.nextDouble())
                  : models.get(v) instanceof Logistic
                      ? (draw.nextDouble() < means[v] ? 1 : 0)
                      : means[v] + deviations[v] * normal.sample();
        }
      }
    }
    return values;
  }

  /** The first level up to which shares exceed a number. */
  private static int chosen(double[] shares, double number) {
    double sum = 0;
    for (int level = 0; level < shares.length - 1; level++) {
      sum += shares[level];
      if (number < sum) {
        return level;
      }
    }
    return shares.length - 1;
  }

  /** Imputes one variable from the others. */
  private void fill(
      int v, List<double[][]> filled, UniformRandomProvider common, UniformRandomProvider[] each) {
    Regression model = models.get(v);
    List<String> columns = columns(v);
    double[][][] x = new double[own.size()][][];
    Arrays.setAll(x, m -> predictors(v, filled.get(m)));
    PosteriorDraw drawn;
    try {
      drawn =
          PosteriorDraw.of(
              new PooledFit(model, terms(model, columns), pi, PooledFit.Settings.STANDARD)
                  .run(world.over(model, shards(v, x, filled)), FitProgress.NONE),
              common);
    } catch (NoEstimate e) {
      throw new NoEstimate(
          e.reason(),
          "impute: `%s` cannot be imputed from the other variables: %s"
              .formatted(variables.get(v).name(), e.getMessage()));
    }
    for (int m = 0; m < each.length; m++) {
      var normal = ZigguratSampler.NormalizedGaussian.of(each[m]);
      for (int i = 0; i < x[m].length; i++) {
        if (own.get(m).isMissing(v, i)) {
          filled.get(m)[v][i] = value(model, drawn, x[m][i], each[m], normal);
        }
      }
    }
  }

  private static double value(
      Regression model,
      PosteriorDraw drawn,
      double[] x,
      UniformRandomProvider draw,
      ZigguratSampler.NormalizedGaussian normal) {
    if (model instanceof Categories classes) {
      double[] shares = new double[classes.classes().size()];
      double most = 0;
      for (int level = 1; level < shares.length; level++) {
        int from = (level - 1) * x.length;
        shares[level] = Glm.dot(x, Arrays.copyOfRange(drawn.coefficients(), from, from + x.length));
        most = Math.max(most, shares[level]);
      }
      double sum = 0;
      for (int level = 0; level < shares.length; level++) {
        shares[level] = Math.exp(shares[level] - most);
        sum += shares[level];
      }
      return chosen(shares, draw.nextDouble() * sum);
    }
    double eta = Glm.dot(x, drawn.coefficients());
    return model instanceof Linear
        ? eta + drawn.deviation() * normal.sample()
        : draw.nextDouble() < model.mean(eta) ? 1 : 0;
  }

  private static List<String> terms(Regression model, List<String> columns) {
    return model instanceof Categories classes
        ? classes.classes().stream()
            .skip(1)
            .flatMap(level -> columns.stream().map(column -> level + ":" + column))
            .toList()
        : columns;
  }

  /** A client's rows of a variable's model. */
  private double[][] predictors(int of, double[][] values) {
    int width = columns(of).size();
    double[][] rows = new double[values[0].length][width];
    int at = 1;
    for (double[] row : rows) {
      row[0] = 1;
    }
    for (int v = 0; v < variables.size(); v++) {
      IncompleteRows.OfFrame variable = variables.get(v);
      if (v == of || !variable.predicts()) {
        continue;
      }
      for (int i = 0; i < rows.length; i++) {
        if (variable.kind() != Kind.LEVEL) {
          rows[i][at] = values[v][i];
        } else if (values[v][i] > 0) {
          rows[i][at + (int) values[v][i] - 1] = 1;
        }
      }
      at += variable.kind() == Kind.LEVEL ? variable.levels().size() - 1 : 1;
    }
    return rows;
  }

  /** The rows of a variable's model; those that lack it count for nothing. */
  private Shards shards(int v, double[][][] x, List<double[][]> filled) {
    Shards.Filler filler =
        Shards.sized(columns(v).size(), own.stream().mapToInt(IncompleteRows::rows).toArray());
    for (int m = 0; m < x.length; m++) {
      for (int i = 0; i < x[m].length; i++) {
        boolean gap = own.get(m).isMissing(v, i);
        filler.put(m, i, x[m][i], gap ? 0 : filled.get(m)[v][i], 0, gap ? 0 : 1);
      }
    }
    return filler.done();
  }
}
