package ngd.app;

import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import ngd.core.algorithm.AlgorithmChoice;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.StepChoice;
import ngd.core.algorithm.StepSize;
import ngd.core.data.Shards;
import ngd.core.data.SiteTable;
import ngd.core.data.TableAddress;
import ngd.core.formula.Formula;
import ngd.core.model.Logistic;
import ngd.core.network.Network;
import ngd.core.preparation.Missing;
import ngd.core.preparation.Preparation;
import ngd.core.preparation.Sites;
import ngd.core.random.Streams;
import ngd.core.simulation.Run;
import ngd.core.simulation.Simulation;
import ngd.core.world.Mixing;
import ngd.core.world.Suitability;
import ngd.peer.plan.PlanTemplate;
import ngd.peer.plan.Site;

/** Three sites' unequal tables, {@code y ~ x + z}, each in a database file of its own. */
public record SiteTables(List<TableAddress> data) {
  private static final int[] SIZES = {40, 90, 25};
  static final double ALPHA = 0.05;

  public static SiteTables in(Path dir) throws SQLException {
    List<TableAddress> data = new ArrayList<>();
    String[] names = {"a", "b", "c"};
    for (int m = 0; m < names.length; m++) {
      Path file = dir.resolve(names[m] + ".db");
      var random = Streams.of(7).stream(Streams.Purpose.DATA, m);
      try (var database = DriverManager.getConnection("jdbc:sqlite:" + file);
          var statement = database.createStatement()) {
        statement.execute("CREATE TABLE t (y INTEGER, x REAL, z REAL)");
        for (int i = 0; i < SIZES[m]; i++) {
          double x = random.nextDouble() * 2 - 1 + m;
          double z = random.nextDouble();
          int y = random.nextDouble() < 1 / (1 + Math.exp(-x)) ? 1 : 0;
          statement.execute("INSERT INTO t VALUES (%d, %s, %s)".formatted(y, x, z));
        }
      }
      data.add(
          new TableAddress(
              names[m], "jdbc:sqlite:" + file, Optional.of("SELECT * FROM t"), List.of()));
    }
    return new SiteTables(data);
  }

  /** The first sites alone. */
  public SiteTables first(int sites) {
    return new SiteTables(data.subList(0, sites));
  }

  /** A plan for these sites. */
  public PlanTemplate plan(String network, String algorithm, int rounds) {
    return new PlanTemplate()
        .with("federation", "test")
        .with("network", network)
        .with("formula", "y ~ x + z")
        .with("family", "binomial")
        .with("algorithm", algorithm)
        .with("alpha", Double.toString(ALPHA))
        .with("rounds", Integer.toString(rounds));
  }

  public List<Site> sites() {
    return data.stream().map(t -> new Site(t.site(), t.site() + ".example.org", 7400)).toList();
  }

  /** Where a method comes to in the simulator, a row for each site. */
  public double[][] simulated(Network network, String algorithm, int rounds) {
    List<SiteTable> tables = data.stream().map(TableAddress::open).toList();
    Preparation prepared =
        Preparation.of(
            Formula.parse("y ~ x + z"),
            Sites.all(tables),
            Simulation.exchange(network),
            Missing.DROP);
    Shards shards = prepared.shards();
    tables.forEach(SiteTable::close);
    AlgorithmChoice choice =
        AlgorithmChoice.of(algorithm, new StepChoice.Given(StepSize.constant(ALPHA)));
    GradientScales scales =
        new Suitability(network, new Logistic(), new Mixing.Mean())
            .scales(choice.descriptor(), shards.sizes());
    Simulation simulation = new Simulation(network, new Logistic().over(shards), Streams.of(1), 1);
    try (Run<?> run = simulation.start(choice.rounds(scales, false))) {
      run.advance(rounds);
      double[][] theta = new double[data.size()][];
      for (int m = 0; m < theta.length; m++) {
        theta[m] = run.theta().row(m);
      }
      return theta;
    }
  }
}
