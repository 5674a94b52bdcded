package ngd.core.inference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.Local;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.descent.BalancedNgd;
import ngd.core.algorithm.descent.Ngd;
import ngd.core.data.Shard;
import ngd.core.data.Shards;
import ngd.core.linalg.QrAccumulator;
import ngd.core.model.Linear;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.network.Weights;
import ngd.core.random.Streams;
import ngd.core.rows.Rows;
import ngd.core.simulation.RandomData;
import ngd.core.simulation.Run;
import ngd.core.simulation.Simulation;
import ngd.core.world.Course;
import ngd.core.world.Hook;
import ngd.core.world.World;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What an honest but curious site learns of the others: under rounds their moments, under sums
 * nothing but sums. Oracles: the moments of the tables themselves; and that tables which change
 * places change none of the bits that reach the site.
 */
class CuriousSiteTest {
  private static final int SITES = 4;
  private static final int P = 3;
  private static final List<List<Integer>> PLACES =
      List.of(
          List.of(0, 1, 2, 3),
          List.of(0, 1, 3, 2),
          List.of(0, 2, 1, 3),
          List.of(0, 2, 3, 1),
          List.of(0, 3, 1, 2),
          List.of(0, 3, 2, 1));
  private static final PooledFit.Settings ROUNDS =
      new PooledFit.Settings(1e-6, PooledFit.Way.ROUNDS, 100_000, 0);

  /** What looks at each row, and at how far sites differ. */
  private static final Inference.Options BY_ROWS =
      new Inference.Options(Covariance.HC0, 0.95, true);

  /** What looks at each site's score. */
  private static final Inference.Options BY_SITE =
      new Inference.Options(Covariance.SITE, 0.95, false);

  /** A_m row by row, then b_m. */
  private static double[] moments(Shard shard) {
    double[] moments = new double[P * P + P];
    for (int row = 0; row < shard.rows(); row++) {
      for (int i = 0; i < P; i++) {
        for (int j = 0; j < P; j++) {
          moments[i * P + j] += shard.x(row, i) * shard.x(row, j) / shard.rows();
        }
        moments[P * P + i] += shard.x(row, i) * shard.y(row) / shard.rows();
      }
    }
    return moments;
  }

  private static Network ring(String weights, int sites) {
    Topology ring = Topology.parse("ring:1", sites, Streams.of(1));
    return Network.of(ring, Weights.parse(weights, ring, new int[0]));
  }

  /** The lower triangle and b of the sum over sites 1 to 3, site m counted {@code scales[m]}. */
  private static double[] rest(double[][] moments, double[] scales) {
    double[] rest = new double[P * (P + 1) / 2 + P];
    for (int m = 1; m < SITES; m++) {
      int next = 0;
      for (int i = 0; i < P; i++) {
        for (int j = 0; j <= i; j++) {
          rest[next++] += scales[m] * moments[m][i * P + j];
        }
      }
      for (int i = 0; i < P; i++) {
        rest[next++] += scales[m] * moments[m][P * P + i];
      }
    }
    return rest;
  }

  /** The largest error of A_m or b_m over the other sites, relative to its largest entry. */
  private static double error(CuriousSite site, double[][] moments, double[] scales) {
    double worst = 0;
    for (int m = 1; m < SITES; m++) {
      double scale = scales[m];
      double[] a =
          Arrays.stream(site.matrix(m))
              .flatMapToDouble(Arrays::stream)
              .map(g -> g / scale)
              .toArray();
      double[] b = Arrays.stream(site.vector(m)).map(h -> h / scale).toArray();
      worst = Math.max(worst, distance(a, Arrays.copyOf(moments[m], P * P)));
      worst = Math.max(worst, distance(b, Arrays.copyOfRange(moments[m], P * P, P * P + P)));
    }
    return worst;
  }

  private static double distance(double[] found, double[] truth) {
    double most = DoubleStream.of(truth).map(Math::abs).max().orElseThrow();
    return IntStream.range(0, truth.length)
        .mapToDouble(k -> Math.abs(found[k] - truth[k]) / most)
        .max()
        .orElseThrow();
  }

  /**
   * Under {@code uniform} nobody hears itself, and sites 0 and 2 average the same two: without the
   * published totals 1 − G_1 and 1 − G_3 are known up to one common factor.
   */
  @ParameterizedTest
  @CsvSource({
    "uniform, 12, 0.05, 26",
    "uniform, 40, 0.4, 26",
    "metropolis, 12, 0.05, 27",
    "metropolis, 20, 0.2, 27",
    "metropolis, 40, 0.4, 27",
    "lazy-metropolis, 20, 0.2, 27"
  })
  void solve_whatTheNeighboursSentInRounds_givesEveryOthersMoments(
      String weights, int rounds, double alpha, int settledWithoutTotals) {
    Network network = ring(weights, SITES);
    int[] sizes = {30, 20, 50, 40};
    GradientScales c = GradientScales.bySizeAndWeight(sizes, new double[] {0.25, 0.25, 0.25, 0.25});
    double[] scales = IntStream.range(0, SITES).mapToDouble(m -> alpha * c.of(m)).toArray();
    for (int seed = 1; seed <= 5; seed++) {
      Shards shards = RandomData.shards(seed, P, sizes, RandomData.noisy(1, -2, 0.5));
      double[][][] heard = new double[rounds + 1][SITES][P];
      try (Run<Ngd.State> run =
          new Simulation(network, new Linear().over(shards), Streams.of(1), 1)
              .start(new BalancedNgd(StepSize.constant(alpha), c))) {
        for (int t = 1; t <= rounds; t++) {
          run.advance(1);
          for (int m : List.of(0, 1, 3)) {
            heard[t][m] = run.theta().row(m);
          }
        }
      }
      double[][] moments =
          IntStream.range(0, SITES)
              .mapToObj(m -> moments(shards.shard(m)))
              .toArray(double[][]::new);
      CuriousSite site = new CuriousSite(network, heard, rest(moments, scales));
      site.solve();
      assertThat(site.rank(true)).isEqualTo(site.unknowns());
      assertThat(site.rank(false)).isEqualTo(settledWithoutTotals);
      assertThat(error(site, moments, scales)).isLessThan(1e-8);
    }
  }

  /** A stage of rounds as it begins: where it starts, and the sites' moments as it sees them. */
  private record Stage(Rows start, Local local) {
    /** A_m row by row, then b_m, from gradients at 0 and at the unit vectors. */
    double[][] moments() {
      double[][] moments = new double[SITES][P * P + P];
      Rows atZero = local.gradient(start.everywhere(new double[P]));
      for (int m = 0; m < SITES; m++) {
        for (int j = 0; j < P; j++) {
          double[] unit = new double[P];
          unit[j] = 1;
          Rows atUnit = local.gradient(start.everywhere(unit));
          for (int i = 0; i < P; i++) {
            moments[m][i * P + j] = atUnit.get(m, i) - atZero.get(m, i);
          }
          moments[m][P * P + j] = -atZero.get(m, j);
        }
      }
      return moments;
    }
  }

  /** The step size is no secret: α · L is 1 at first, and L the maximum that all learn. */
  @ParameterizedTest
  @ValueSource(strings = {"uniform", "metropolis"})
  void solve_whatPooledRoundsSent_givesEveryOthersMoments(String weights) {
    SyntheticSites sites = SyntheticSites.of("gaussian", 20);
    Network network = ring(weights, SITES);
    int rounds = 40;
    double[][] moments = new double[SITES][];
    double[][][] heard = new double[rounds + 1][SITES][P];
    double alpha =
        new Simulation(network, sites.glm().over(sites.shards()), Streams.of(1), 1)
            .within(
                world -> {
                  OverhearingExchange exchange = OverhearingExchange.in(world, network);
                  World overheard = exchange.within(world);
                  AtomicInteger first = new AtomicInteger(-1);
                  World.Stages stages =
                      new World.Stages() {
                        @Override
                        public <S extends Algorithm.State> S advance(
                            Course course,
                            Algorithm.Rounds<S> algorithm,
                            S state,
                            int count,
                            Hook<? super S> hook) {
                          if (first.compareAndSet(-1, exchange.calls().size())) {
                            double[][] all = new Stage(state.theta(), course.local()).moments();
                            System.arraycopy(all, 0, moments, 0, SITES);
                          }
                          return world.stages().advance(course, algorithm, state, count, hook);
                        }
                      };
                  PooledFit.on(network, sites.glm(), sites.terms(), ROUNDS)
                      .run(
                          new World(
                              overheard.rows(), overheard.totals(), overheard.course(), stages),
                          FitProgress.NONE);
                  List<OverhearingExchange.Call> stage =
                      exchange.calls().subList(first.get(), exchange.calls().size());
                  List<OverhearingExchange.Call> mixes =
                      stage.stream()
                          .filter(call -> call.kind() == OverhearingExchange.Kind.MIX)
                          .toList();
                  for (int t = 0; t <= rounds; t++) {
                    OverhearingExchange.Call mix = mixes.get(t);
                    heard[t][0] = unboxed(mix.given());
                    for (int e = network.offsets()[0]; e < network.offsets()[1]; e++) {
                      heard[t][network.heard()[e]] =
                          unboxed(mix.seen().subList(e * P, (e + 1) * P));
                    }
                  }
                  return 1 / stage.getFirst().seen().getFirst();
                });
    GradientScales c =
        GradientScales.bySizeAndWeight(
            sites.shards().sizes(), new double[] {0.25, 0.25, 0.25, 0.25});
    double[] scales = IntStream.range(0, SITES).mapToDouble(m -> alpha * c.of(m)).toArray();
    CuriousSite site = new CuriousSite(network, heard, rest(moments, scales));
    site.solve();
    assertThat(site.rank(true)).isEqualTo(site.unknowns());
    assertThat(error(site, moments, scales)).isLessThan(1e-8);
  }

  private static double[] unboxed(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).toArray();
  }

  private static Shards placed(Shards shards, List<Integer> places) {
    Shards.Filler filler =
        Shards.sized(shards.features(), places.stream().mapToInt(m -> shards.rows(m)).toArray());
    double[] x = new double[shards.features()];
    for (int m = 0; m < places.size(); m++) {
      Shard shard = shards.shard(places.get(m));
      for (int i = 0; i < shard.rows(); i++) {
        shard.row(i, x);
        filler.put(m, i, x.clone(), shard.y(i), shard.offset(i), shard.weight(i));
      }
    }
    return filler.done();
  }

  private static OverhearingExchange overheard(
      SyntheticSites sites,
      Shards shards,
      PooledFit.Settings settings,
      List<Inference.Options> questions) {
    return overheard(sites, shards, settings, questions, SmallCells.MINIMUM);
  }

  private static OverhearingExchange overheard(
      SyntheticSites sites,
      Shards shards,
      PooledFit.Settings settings,
      List<Inference.Options> questions,
      int fewest) {
    Network network = ring("uniform", shards.clients());
    return new Simulation(network, sites.glm().over(shards), Streams.of(1), 1)
        .within(
            world -> {
              OverhearingExchange exchange = OverhearingExchange.in(world, network);
              PooledEstimate estimate =
                  PooledFit.on(network, sites.glm(), sites.terms(), settings)
                      .run(exchange.within(world), FitProgress.NONE);
              for (Inference.Options question : questions) {
                Inference inference = Inference.of(estimate, question);
                var _ = Diagnostics.of(inference, fewest);
                var _ = AnalysisOfDeviance.of(inference, sites.terms());
              }
              return exchange;
            });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "gaussian",
        "logit",
        "probit",
        "poisson",
        "poisson-offset-weights",
        "gamma",
        "negative"
      })
  void run_bySums_reachesSiteZeroInTotalsAloneThatKnowNoPlaces(String name) {
    SyntheticSites sites = SyntheticSites.of(name, 20);
    List<OverhearingExchange.Call> calls =
        overheard(sites, sites.shards(), PooledFit.Settings.STANDARD, List.of(BY_ROWS, BY_SITE))
            .calls();
    assertThat(calls).isNotEmpty().allMatch(call -> call.kind() == OverhearingExchange.Kind.TOTAL);
    for (List<Integer> places : PLACES) {
      assertThat(
              overheard(
                      sites,
                      placed(sites.shards(), places),
                      PooledFit.Settings.STANDARD,
                      List.of(BY_ROWS, BY_SITE))
                  .calls())
          .isEqualTo(calls);
    }
  }

  @Test
  void run_byRounds_tellsSiteZeroWhoStandsWhere() {
    SyntheticSites sites = SyntheticSites.of("gaussian", 20);
    Set<List<List<Double>>> views = new HashSet<>();
    for (List<Integer> places : PLACES) {
      views.add(
          overheard(sites, placed(sites.shards(), places), ROUNDS, List.of())
              .seen(OverhearingExchange.Kind.MIX));
    }
    assertThat(views).hasSameSizeAs(PLACES);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "gaussian",
        "logit",
        "probit",
        "poisson",
        "poisson-offset-weights",
        "gamma",
        "negative"
      })
  void run_bySumsWithRowsDealtAnew_reachesSiteZeroInTheSameTotals(String name) {
    SyntheticSites sites = SyntheticSites.of(name, 20);
    List<Inference.Options> questions = List.of(new Inference.Options(Covariance.HC0, 0.95, false));
    List<List<Double>> totals =
        overheard(sites, sites.shards(), PooledFit.Settings.STANDARD, questions, 1)
            .seen(OverhearingExchange.Kind.TOTAL);
    List<List<Double>> anew =
        overheard(sites, dealt(sites.shards()), PooledFit.Settings.STANDARD, questions, 1)
            .seen(OverhearingExchange.Kind.TOTAL);
    assertThat(anew).hasSameSizeAs(totals);
    for (int call = 0; call < totals.size(); call++) {
      assertThat(anew.get(call)).hasSameSizeAs(totals.get(call));
      for (int k = 0; k < totals.get(call).size(); k++) {
        double total = totals.get(call).get(k);
        assertThat(anew.get(call).get(k)).isCloseTo(total, within(1e-11 * (1 + Math.abs(total))));
      }
    }
  }

  /** The rows of sites 1 to 3 gathered and dealt out anew, one after the other. */
  private static Shards dealt(Shards shards) {
    int[] sizes = shards.sizes();
    Shards.Filler filler = Shards.sized(shards.features(), sizes);
    int[] next = new int[SITES];
    int to = 0;
    double[] x = new double[shards.features()];
    for (int m = 0; m < SITES; m++) {
      Shard shard = shards.shard(m);
      for (int i = 0; i < shard.rows(); i++) {
        if (m > 0) {
          do {
            to = to % 3 + 1;
          } while (next[to] == sizes[to]);
        }
        shard.row(i, x);
        filler.put(to, next[to]++, x.clone(), shard.y(i), shard.offset(i), shard.weight(i));
      }
    }
    return filler.done();
  }

  /**
   * The limit of sums: cluster-robust errors publish Σ s_m s_mᵀ. Of three sites, less one's own and
   * with s_1 + s_2 = −s_0, that is s_1 − s_2 but for its sign: both scores, not who has which.
   */
  @Test
  void run_clusterRobustOverThreeSites_givesTheOthersScores() {
    SyntheticSites sites = SyntheticSites.of("gaussian-no-intercept", 21);
    OverhearingExchange.Call call =
        overheard(sites, sites.shards(), PooledFit.Settings.STANDARD, List.of(BY_SITE))
            .calls()
            .stream()
            .filter(one -> one.seen().size() == 2 + 3 + 3)
            .reduce((_, last) -> last)
            .orElseThrow();
    double[][] scores = scores(sites.shards());
    // The last three numbers: the lower triangle of Σ s sᵀ over two coefficients.
    int from = call.seen().size() - 3;
    double[] others = new double[3];
    Arrays.setAll(others, k -> call.seen().get(from + k) - call.given().get(from + k));
    double[] own = scores[0];
    double first = Math.sqrt(2 * others[0] - own[0] * own[0]);
    double second = (2 * others[1] - own[0] * own[1]) / first;
    double[] one = {(first - own[0]) / 2, (second - own[1]) / 2};
    double[] other = {(-first - own[0]) / 2, (-second - own[1]) / 2};
    boolean inOrder = scores[1][0] > scores[2][0];
    assertThat(distance(one, scores[inOrder ? 1 : 2])).isLessThan(1e-8);
    assertThat(distance(other, scores[inOrder ? 2 : 1])).isLessThan(1e-8);
  }

  /**
   * Zᵀ(y − Xθ) of each site at the least squares of all, in the coordinates Z = X R⁻¹ √N that all
   * know, R the factor of all rows.
   */
  private static double[][] scores(Shards shards) {
    QrAccumulator all = new QrAccumulator(3);
    for (int m = 0; m < shards.clients(); m++) {
      Shard shard = shards.shard(m);
      for (int i = 0; i < shard.rows(); i++) {
        all.add(new double[] {shard.x(i, 0), shard.x(i, 1), shard.y(i)});
      }
    }
    double[] theta = all.leastSquares();
    double[] r = all.r(2);
    double root = Math.sqrt((double) all.rows());
    double[][] scores = new double[shards.clients()][2];
    for (int m = 0; m < scores.length; m++) {
      Shard shard = shards.shard(m);
      for (int i = 0; i < shard.rows(); i++) {
        double residual = shard.y(i) - shard.x(i, 0) * theta[0] - shard.x(i, 1) * theta[1];
        double first = shard.x(i, 0) / r[0];
        scores[m][0] += residual * first * root;
        scores[m][1] += residual * (shard.x(i, 1) - r[1] * first) / r[3] * root;
      }
    }
    return scores;
  }
}
