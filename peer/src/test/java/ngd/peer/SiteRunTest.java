package ngd.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import ngd.core.InvalidInput;
import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.AlgorithmChoice;
import ngd.core.algorithm.Averaged;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.StepChoice;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.descent.Ngd;
import ngd.core.answer.CentralAnswer;
import ngd.core.answer.MethodAnswer;
import ngd.core.data.Shards;
import ngd.core.data.SiteTable;
import ngd.core.data.TableOver;
import ngd.core.formula.Column;
import ngd.core.formula.ColumnType;
import ngd.core.formula.Expression;
import ngd.core.formula.Formula;
import ngd.core.formula.RowValues;
import ngd.core.inference.AveragedIntervals;
import ngd.core.inference.LiarIdentification;
import ngd.core.inference.StationaryWeights;
import ngd.core.model.GlobalEstimate;
import ngd.core.model.Linear;
import ngd.core.network.Network;
import ngd.core.network.NetworkSchedule;
import ngd.core.network.Topology;
import ngd.core.preparation.Missing;
import ngd.core.preparation.Preparation;
import ngd.core.preparation.Sites;
import ngd.core.question.MethodKeys;
import ngd.core.random.Streams;
import ngd.core.rows.Edges;
import ngd.core.simulation.Impairments;
import ngd.core.simulation.Run;
import ngd.core.simulation.SimulatedRun;
import ngd.core.simulation.Simulation;
import ngd.core.simulation.Trust;
import ngd.core.world.Mixing;
import ngd.core.world.Suitability;
import ngd.peer.bench.FreePorts;
import ngd.peer.identity.Authority;
import ngd.peer.identity.Kit;
import ngd.peer.identity.Packing;
import ngd.peer.identity.PeerIdentity;
import ngd.peer.plan.Plan;
import ngd.peer.plan.PlanReader;
import ngd.peer.plan.PlanTemplate;
import ngd.peer.plan.Site;
import ngd.peer.plan.WrittenPlan;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A plan as sites carry it out, over real links. Oracle: the simulator. */
class SiteRunTest {
  private static final int SITES = 3;
  private static final int ROUNDS = 120;
  private static final String FORMULA = "y ~ x";

  @TempDir Path folder;

  /** Unequal tables, {@code y ~ x}, of other lines at each site. */
  private static SiteTable table(int site) {
    var draw = Streams.of(7).stream(Streams.Purpose.DATA, site);
    double[][] rows = new double[20 + 15 * site][];
    for (int i = 0; i < rows.length; i++) {
      double x = draw.nextDouble() + site;
      rows[i] = new double[] {x * (site - 1) + draw.nextDouble(), x};
    }
    List<String> names = List.of("y", "x");
    return new SiteTable() {
      @Override
      public String site() {
        return "site-" + site;
      }

      @Override
      public String source() {
        return site() + ".csv";
      }

      @Override
      public List<Column> columns() {
        return names.stream().map(name -> new Column(name, ColumnType.NUMBER)).toList();
      }

      @Override
      public void scan(List<Expression> expressions, Consumer<RowValues> sink) {
        for (double[] row : rows) {
          sink.accept(
              new RowValues() {
                @Override
                public double number(int expression) {
                  Expression.Name name = (Expression.Name) expressions.get(expression);
                  return row[names.indexOf(name.column())];
                }

                @Override
                public @Nullable String text(int expression) {
                  return null;
                }
              });
        }
      }

      @Override
      public void close() {}
    };
  }

  private static List<SiteTable> tables() {
    List<SiteTable> tables = new ArrayList<>();
    for (int m = 0; m < SITES; m++) {
      tables.add(table(m));
    }
    return tables;
  }

  private static List<Site> sites() throws IOException {
    List<Site> sites = new ArrayList<>();
    List<Integer> ports = FreePorts.take(SITES);
    for (int m = 0; m < SITES; m++) {
      sites.add(Site.of("site-" + m, "127.0.0.1:" + ports.get(m)));
    }
    return sites;
  }

  private static double[][] simulated(Network network, String algorithm) {
    return simulated(network, AlgorithmChoice.of(algorithm, new StepChoice.Auto()));
  }

  private static Shards shards(NetworkSchedule network) {
    return Preparation.of(
            Formula.parse(FORMULA), Sites.all(tables()), Simulation.exchange(network), Missing.DROP)
        .shards();
  }

  private static double[][] simulated(NetworkSchedule network, AlgorithmChoice choice) {
    Shards shards = shards(network);
    Suitability suitability = new Suitability(network, new Linear(), new Mixing.Mean());
    Algorithm<?> rounds =
        choice.algorithm(
            suitability.scales(choice.descriptor(), shards.sizes()),
            true,
            suitability.limit(choice));
    Simulation simulation = new Simulation(network, new Linear().over(shards), Streams.of(1), 1);
    try (SimulatedRun run = simulation.begin(rounds, Impairments.PERFECT)) {
      run.advance(ROUNDS);
      double[][] theta = new double[SITES][];
      for (int m = 0; m < SITES; m++) {
        theta[m] = run.theta().row(m);
      }
      return theta;
    }
  }

  /** The plan's seed gives each site the network of every round. */
  @ParameterizedTest
  @CsvSource({
    "diging, base:1, '', ''",
    "balanced-ngd, one-peer-exponential, '', ''",
    "ngd, ring:1, 0.2:0.5, bernoulli:0.7",
    "ngd, ring:1, one-way:0.2:0.5, poisson:0.7"
  })
  void run_networkThatChanges_givesTheSimulatorsBits(
      String algorithm, String network, String failures, String activation) throws Exception {
    PlanTemplate template =
        new PlanTemplate()
            .with("federation", "test")
            .with("network", network)
            .with("formula", FORMULA)
            .with("algorithm", algorithm)
            .with("alpha", "0.05")
            .with("rounds", Integer.toString(ROUNDS));
    if (!failures.isEmpty()) {
      template.with("link-failures", failures).with("activation", activation);
    }
    WrittenPlan plan = packed(template.text(sites()));
    assertThat(plan.plan().canonical())
        .contains("network: " + network)
        .contains(failures.isEmpty() ? "weights: own" : "link-failures: " + failures);
    double[][] found = new double[SITES][];
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<SiteAnswer>> answers = new ArrayList<>();
      for (SiteTable table : tables()) {
        SiteRun site = site(table);
        answers.add(threads.submit(() -> site.run(table)));
      }
      for (int m = 0; m < SITES; m++) {
        found[m] =
            ((MethodAnswer) answers.get(m).get(60, TimeUnit.SECONDS).answer()).theta().row(0);
      }
    }
    assertThat(found)
        .isDeepEqualTo(
            simulated(
                plan.plan().schedule(), AlgorithmChoice.of(algorithm, StepChoice.parse("0.05"))));
  }

  /** Whom each site suspects; here all sites' rows differ, and nobody lies. */
  @Test
  void run_identification_isTheSimulators() throws Exception {
    WrittenPlan plan =
        packed(
            new PlanTemplate()
                .with("federation", "test")
                .with("network", "ring:1")
                .with("formula", FORMULA)
                .with("algorithm", "ngd")
                .with("mix", "median")
                .with("alpha", "0.05")
                .with("identify", "0.2")
                .with("rounds", Integer.toString(ROUNDS))
                .text(sites()));
    List<LiarIdentification.Verdict> found = new ArrayList<>();
    for (MethodAnswer answer : answers()) {
      found.addAll(answer.identification().orElseThrow().clients());
    }
    Network network = plan.plan().network();
    Shards shards = shards(network);
    Simulation simulation =
        new Simulation(network, new Linear().over(shards), Streams.of(1), 1)
            .with(new Trust(new Mixing.Median()));
    try (Run<Ngd.State> run = simulation.start(new Ngd(StepSize.constant(0.05)))) {
      run.advance(ROUNDS);
      Edges said = run.said();
      assertThat(found)
          .isEqualTo(
              simulation
                  .within(
                      world ->
                          LiarIdentification.of(
                              0.2,
                              network,
                              0,
                              run.theta(),
                              said,
                              world.curved(),
                              new Linear(),
                              Arrays.stream(shards.sizes()).sum()))
                  .clients());
    }
  }

  /** What every site comes to, in their order. */
  private List<MethodAnswer> answers() throws Exception {
    List<MethodAnswer> found = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<SiteAnswer>> answers = new ArrayList<>();
      for (SiteTable table : tables()) {
        SiteRun site = site(table);
        answers.add(threads.submit(() -> site.run(table)));
      }
      for (Future<SiteAnswer> answer : answers) {
        found.add((MethodAnswer) answer.get(60, TimeUnit.SECONDS).answer());
      }
    }
    return found;
  }

  /** Averages over rounds and their intervals, the same at every site. */
  @ParameterizedTest
  @CsvSource({"d-psgd, plug-in", "ngd, random-scaling:2", "cfa:0.4, plug-in:3"})
  void run_intervals_areTheSimulatorsBits(String algorithm, String kind) throws Exception {
    WrittenPlan plan =
        packed(
            new PlanTemplate()
                .with("federation", "test")
                .with("network", "ring:1")
                .with("weights", "lazy:0.4")
                .with("formula", FORMULA)
                .with("algorithm", algorithm)
                .with("alpha", "0.05/t^0.6")
                .with("batch", "1")
                .with("intervals", kind)
                .with("level", "0.9")
                .with("rounds", "19")
                .text(sites()));
    List<MethodAnswer> found = answers();
    AlgorithmChoice choice = MethodKeys.choice(plan.plan().question());
    Shards shards = shards(plan.plan().network());
    Suitability suitability =
        new Suitability(plan.plan().network(), new Linear(), new Mixing.Mean());
    GradientScales scales = suitability.scales(choice.descriptor(), shards.sizes());
    Simulation simulation =
        new Simulation(plan.plan().network(), new Linear().over(shards), Streams.of(1), 1);
    try (Run<?> run = simulation.start((Algorithm.Rounds<?>) choice.rounds(scales, true))) {
      run.advance(19);
      AveragedIntervals expected =
          simulation.within(
              world ->
                  AveragedIntervals.of(
                      world,
                      (Averaged.State<?>) run.state(),
                      new Linear(),
                      new AveragedIntervals.Shares(
                          StationaryWeights.of(plan.plan().network()), scales),
                      MethodKeys.intervals(plan.plan().question(), found.getFirst().terms())
                          .orElseThrow()));
      for (int m = 0; m < SITES; m++) {
        assertThat(found.get(m).theta().row(0)).isEqualTo(run.theta().row(m));
        assertThat(found.get(m).intervals()).contains(expected);
      }
      assertThat(expected.level()).isEqualTo(0.9);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "balanced-ngd, central, uniform",
    "dgd, circle:1, lazy:0.3",
    "extra, ring:1, metropolis"
  })
  void run_automaticStepSize_givesTheSimulatorsBits(
      String algorithm, String network, String weights) throws Exception {
    WrittenPlan plan =
        packed(
            new PlanTemplate()
                .with("federation", "test")
                .with("network", network)
                .with("weights", weights)
                .with("formula", FORMULA)
                .with("algorithm", algorithm)
                .with("alpha", "auto")
                .with("rounds", Integer.toString(ROUNDS))
                .text(sites()));
    double[][] found = new double[SITES][];
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<SiteAnswer>> answers = new ArrayList<>();
      for (SiteTable table : tables()) {
        SiteRun site = site(table);
        answers.add(threads.submit(() -> site.run(table)));
      }
      for (int m = 0; m < SITES; m++) {
        found[m] =
            ((MethodAnswer) answers.get(m).get(60, TimeUnit.SECONDS).answer()).theta().row(0);
      }
    }
    assertThat(found).isDeepEqualTo(simulated(plan.plan().network(), algorithm));
  }

  /**
   * Noise that cancels over neighbours, over real links. Each site's model moves by α (mean
   * gradient + noise / rows); balanced, what is in common cancels in the mean. The oracle is the
   * simulator without noise: the mean of the models is near it, the models themselves are not. With
   * σ the noise of a site by itself, own noise of √(1/2) σ leaves 0.41 σ in the mean, and that of
   * pairs, which must hide a 2e-8th, is 5,000 σ at each site. Both are drawn anew every time: that
   * all four free directions fall below 125 σ together has a probability below 1e-6.
   */
  @Test
  void run_correlatedNoise_cancelsInTheMeanOfTheModels() throws Exception {
    WrittenPlan plan =
        packed(
            new PlanTemplate()
                .with("federation", "test")
                .with("network", "complete")
                .with("formula", FORMULA)
                .with("algorithm", "balanced-ngd")
                .with("alpha", "0.1")
                .with("rounds", "1")
                .with(
                    "privacy",
                    "epsilon=1000000,delta=0.1,clip=1000,noise=correlated,own=0.50000001")
                .text(sites()));
    double[][] found = new double[SITES][];
    double spent = 0;
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<SiteAnswer>> answers = new ArrayList<>();
      List<SiteRun> runs = new ArrayList<>();
      for (SiteTable table : tables()) {
        SiteRun site = site(table);
        runs.add(site);
        answers.add(threads.submit(() -> site.run(table)));
      }
      for (int m = 0; m < SITES; m++) {
        found[m] =
            ((MethodAnswer) answers.get(m).get(60, TimeUnit.SECONDS).answer()).theta().row(0);
        spent = runs.get(m).budget().orElseThrow().spent();
      }
    }
    assertThat(spent).isBetween(0.999e6, 1.001e6);
    Shards shards =
        Preparation.of(
                Formula.parse(FORMULA),
                Sites.all(tables()),
                Simulation.exchange(plan.plan().network()),
                Missing.FAIL)
            .shards();
    Simulation simulation =
        new Simulation(plan.plan().network(), new Linear().over(shards), Streams.of(1), 1);
    AlgorithmChoice choice = AlgorithmChoice.of("balanced-ngd", StepChoice.parse("0.1"));
    Suitability suitability =
        new Suitability(plan.plan().network(), new Linear(), new Mixing.Mean());
    try (SimulatedRun run =
        simulation.begin(
            choice.algorithm(
                suitability.scales(choice.descriptor(), shards.sizes()),
                true,
                suitability.limit(choice)),
            Impairments.PERFECT)) {
      run.advance(1);
      double between = 0;
      double apart = 0;
      for (int j = 0; j < 2; j++) {
        double mean = 0;
        double plain = 0;
        for (int m = 0; m < SITES; m++) {
          mean += found[m][j] / SITES;
          plain += run.theta().get(m, j) / SITES;
          apart = Math.max(apart, Math.abs(found[m][j] - run.theta().get(m, j)));
        }
        between = Math.max(between, Math.abs(mean - plain));
      }
      assertThat(apart).isGreaterThan(0.01);
      assertThat(between).isLessThan(0.02 * apart);
    }
  }

  /**
   * Noise in masked sums, over real links, is next to none here: the simulator's own fit is near.
   */
  @Test
  void run_centralNoise_givesEverySiteTheSameAnswerAndSpendsTheBudget() throws Exception {
    packed(
        new PlanTemplate()
            .with("federation", "test")
            .with("network", "complete")
            .with("formula", FORMULA)
            .with(
                "privacy", "epsilon=100000000,delta=0.01,clip=100,noise=central,bound=20,steps=20")
            .text(sites()));
    List<CentralAnswer> found = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<SiteAnswer>> answers = new ArrayList<>();
      List<SiteRun> runs = new ArrayList<>();
      for (SiteTable table : tables()) {
        SiteRun site = site(table);
        runs.add(site);
        answers.add(threads.submit(() -> site.run(table)));
      }
      for (int m = 0; m < SITES; m++) {
        found.add((CentralAnswer) answers.get(m).get(60, TimeUnit.SECONDS).answer());
        assertThat(runs.get(m).budget().orElseThrow().spent()).isBetween(0.9e8, 1e8);
      }
    }
    double[] pooled =
        GlobalEstimate.of(
                new Linear(),
                Preparation.of(
                        Formula.parse(FORMULA),
                        Sites.all(tables()),
                        Simulation.exchange(Network.of(new Topology.Complete(SITES))),
                        Missing.FAIL)
                    .shards(),
                List.of("(Intercept)", "x"))
            .theta();
    for (CentralAnswer answer : found) {
      assertThat(answer.estimate()).isEqualTo(found.getFirst().estimate());
      assertThat(answer.json().toString()).contains("noiseSd", "withheld");
    }
    for (int j = 0; j < 2; j++) {
      double apart = found.getFirst().estimate().theta().get(j) - pooled[j];
      assertThat(Math.abs(apart)).isPositive().isLessThan(0.01);
    }
  }

  /** The plan, signed, with a kit for each site. */
  private WrittenPlan packed(String text) throws IOException {
    Path file = folder.resolve("plan.yaml");
    Files.writeString(file, text);
    WrittenPlan plan = PlanReader.parse(text);
    Authority authority =
        Authority.create(folder.resolve("authority"), "test", InstantSource.system());
    Packing.allLocal(authority, plan, file, folder);
    return plan;
  }

  private SiteRun site(SiteTable table) {
    PeerIdentity identity =
        PeerIdentity.open(
            Kit.open(folder.resolve(table.site())), table.site(), InstantSource.system());
    return new SiteRun(identity, folder.resolve("state-" + table.site()), "127.0.0.1");
  }

  /** A table that grows while it is read, as that of a database in use does. */
  private static SiteTable growing(SiteTable table) {
    return new TableOver(table) {
      private int scans;

      @Override
      public void scan(List<Expression> expressions, Consumer<RowValues> sink) {
        int times = ++scans == 1 ? 1 : 2;
        for (int time = 0; time < times; time++) {
          super.scan(expressions, sink);
        }
      }
    };
  }

  /**
   * What a neighbour may make a peer hold: by the plan's width, not the most that any plan needs.
   */
  @Test
  void messageBytes_ofNumericColumns_followsTheWidth() throws Exception {
    PlanTemplate three = new PlanTemplate().with("federation", "test").with("network", "complete");
    Plan narrow = PlanReader.parse(three.with("formula", FORMULA).text(sites())).plan();
    Plan unknown = PlanReader.parse(three.with("formula", "y ~ .").text(sites())).plan();
    assertThat(SiteRun.messageBytes(narrow, table(0))).isEqualTo(1 << 20);
    assertThat(SiteRun.messageBytes(unknown, table(0))).isEqualTo(1 << 28);
    // 200 coefficients: four 200 x 204 matrices of exact sums of three sites.
    assertThat(PeerSetup.messageBytes(3, 200, 201)).isBetween(100 << 20, 1 << 28);
    assertThat(PeerSetup.messageBytes(3, 20, 21)).isBetween(1 << 20, 4 << 20);
  }

  @Test
  void run_aTableThatChangesWhileItIsRead_isRefusedWithoutAnAnswer() throws Exception {
    packed(
        new PlanTemplate()
            .with("federation", "test")
            .with("network", "complete")
            .with("formula", FORMULA)
            .text(sites()));
    ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    try {
      List<Future<SiteAnswer>> answers = new ArrayList<>();
      for (SiteTable table : tables()) {
        SiteTable read = table.site().equals("site-1") ? growing(table) : table;
        SiteRun site = site(table);
        answers.add(threads.submit(() -> site.run(read)));
      }
      assertThatThrownBy(() -> answers.get(1).get(60, TimeUnit.SECONDS))
          .hasRootCauseInstanceOf(InvalidInput.class)
          .hasMessageContaining("site site-1: its table must not change while it is read");
      assertThat(answers.get(0).isDone()).isFalse();
    } finally {
      threads.shutdownNow();
    }
  }
}
