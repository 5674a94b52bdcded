package ngd.app.fit;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import ngd.app.terminal.Location;
import ngd.app.terminal.Problems;
import ngd.core.InvalidInput;
import ngd.core.data.Assignment;
import ngd.core.data.CsvSource;
import ngd.core.data.PaperModel;
import ngd.core.data.Partition;
import ngd.core.data.Placement;
import ngd.core.data.RandomFeatures;
import ngd.core.data.SiteTable;
import ngd.core.data.Table;
import ngd.core.data.TableAddress;
import ngd.core.formula.Formula;
import ngd.core.model.Families;
import ngd.core.model.Glm;
import ngd.core.network.Topology;
import ngd.core.preparation.Missing;
import ngd.core.random.Streams;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that say what is to be learned by whom: data, model, clients and their network. */
final class SetupOptions {
  @Mixin private DataOptions data = new DataOptions();

  @Option(
      names = "--formula",
      paramLabel = "TEXT",
      description =
          "What explains what, in R's notation: 'visits ~ age + factor(health) + log(income) + age:chronic - 1'.")
  private @Nullable String formula;

  @Option(names = "--response", paramLabel = "NAME", description = "The column to explain.")
  private @Nullable String response;

  @Option(
      names = "--features",
      paramLabel = "NAME",
      split = ",",
      description = "The columns that explain it; all others by default.")
  private List<String> features = List.of();

  @Option(names = "--no-intercept", description = "Leave the intercept out.")
  private boolean noIntercept;

  @Option(
      names = "--random-features",
      paramLabel = "D:BANDWIDTH",
      description =
          "Explain by D random Fourier features of the columns instead: non-parametric regression.")
  private @Nullable String randomFeatures;

  @Option(
      names = "--family",
      paramLabel = "WORD",
      description =
          "gaussian (the default), binomial, poisson, gamma (log link) or negative-binomial:THETA, whose variance is"
              + " mean + mean² / THETA.")
  private @Nullable String family;

  @Option(
      names = "--link",
      paramLabel = "WORD",
      description = "probit instead of logit, for the binomial family.")
  private @Nullable String link;

  @Option(
      names = "--dispersion",
      paramLabel = "THETA",
      description = "THETA of the negative-binomial family, where --family does not say it.")
  private @Nullable Double dispersion;

  @Option(
      names = "--simulate",
      paramLabel = "MODEL",
      description = "The paper's data instead of a file: linear, logistic or poisson.")
  private @Nullable String simulate;

  @Option(
      names = "--rows",
      paramLabel = "N",
      description = "How many rows to simulate, over all clients.")
  private @Nullable Integer rows;

  @Option(
      names = "--clients",
      paramLabel = "M",
      description = "The number of clients; a partition may say it too.")
  private @Nullable Integer clients;

  @Option(
      names = "--partition",
      paramLabel = "SPEC",
      description =
          "Which rows go together: random (the default), sorted, dirichlet:A, column:NAME, rows:n1,n2,…")
  private @Nullable String partition;

  @Option(
      names = "--placement",
      paramLabel = "WORD",
      description = "Which client gets which part: in-order (the default) or random.")
  private @Nullable String placement;

  @Mixin private NetworkOptions network = new NetworkOptions();

  /**
   * The setup, prepared: null where something is wrong with it, and then {@code problems} say what.
   */
  @Nullable Setup prepare(Problems problems) {
    Streams streams = network.streams();
    if (data.hasSites()) {
      return fromSites(problems);
    }
    Partition cut =
        problems.collect(() -> Partition.parse(partition == null ? "random" : partition));
    Placement place =
        problems.collect(() -> Placement.parse(placement == null ? "in-order" : placement));
    if (formula != null || (data.given() && data.needsEngine())) {
      return fromTable(problems, streams, cut, place);
    }
    Source source = featured(source(problems, cut, streams), problems, streams);
    requireClients(cut, problems);
    network.requireGiven(problems);
    Integer given = clients;
    Topology early = given == null ? null : network.topology(given, problems);
    if (source == null || cut == null || place == null || problems.any()) {
      return null;
    }
    OptionalInt count = given == null ? OptionalInt.empty() : OptionalInt.of(given);
    Assignment assignment = problems.collect(() -> cut.assign(source.table, count, place, streams));
    if (assignment == null) {
      return null;
    }
    Topology topology = early == null ? network.topology(assignment.clients(), problems) : early;
    Sample sample = new Sample.OfTable(source.table, assignment);
    return setup(sample, source.glm, source.model, cut.spec(), place.spec(), topology, problems);
  }

  private void requireClients(@Nullable Partition cut, Problems problems) {
    if (clients == null && cut != null && !ownsClients(cut)) {
      problems.add("--clients: how many clients there are must be given");
    }
  }

  private @Nullable Setup setup(
      Sample sample,
      Glm glm,
      Optional<PaperModel> model,
      String cut,
      String place,
      @Nullable Topology topology,
      Problems problems) {
    NetworkOptions.Named named =
        topology == null ? null : network.build(topology, sample.sizes(), problems);
    return named == null
        ? null
        : new Setup(sample, glm, model, cut, place, named, network.streams());
  }

  /** Every site has its own table and is one client. */
  private @Nullable Setup fromSites(Problems problems) {
    TableSampling sampling = sampling(problems);
    List<TableAddress> addresses = data.addresses(problems);
    network.requireGiven(problems);
    problems.require(
        partition == null && placement == null,
        "--partition and --placement: go with --data; sites are cut and placed as they are");
    problems.require(
        clients == null || clients == addresses.size(),
        "--clients: must be %d or left out, one for each --site; got %d"
            .formatted(addresses.size(), clients));
    Topology topology = addresses.isEmpty() ? null : network.topology(addresses.size(), problems);
    if (sampling == null || topology == null || problems.any()) {
      return null;
    }
    List<SiteTable> tables = DataOptions.open(addresses, problems);
    if (tables == null) {
      return null;
    }
    Sample sample;
    try {
      sample = problems.collect(() -> sampling.ofSites(tables, topology));
    } finally {
      tables.forEach(SiteTable::close);
    }
    return sample == null
        ? null
        : setup(sample, sampling.glm(), Optional.empty(), "sites", "in-order", topology, problems);
  }

  /** One table, cut among the clients. */
  private @Nullable Setup fromTable(
      Problems problems, Streams streams, @Nullable Partition cut, @Nullable Placement place) {
    TableSampling sampling = sampling(problems);
    List<TableAddress> addresses = data.addresses(problems);
    problems.require(
        data.given(), "--formula: goes with --data or --site, one of which must be given");
    requireClients(cut, problems);
    network.requireGiven(problems);
    Integer given = clients;
    Topology early = given == null ? null : network.topology(given, problems);
    if (sampling == null || cut == null || place == null || problems.any()) {
      return null;
    }
    List<SiteTable> tables = DataOptions.open(addresses, problems);
    if (tables == null) {
      return null;
    }
    OptionalInt count = given == null ? OptionalInt.empty() : OptionalInt.of(given);
    Topology[] late = {early};
    Sample sample;
    try (SiteTable table = tables.getFirst()) {
      sample =
          problems.collect(
              () ->
                  sampling.ofCut(
                      table, cut, count, place, streams, m -> late[0] = topology(early, m)));
    }
    return sample == null
        ? null
        : setup(
            sample, sampling.glm(), Optional.empty(), cut.spec(), place.spec(), late[0], problems);
  }

  private Topology topology(@Nullable Topology known, int count) {
    if (known != null) {
      return known;
    }
    Problems own = new Problems();
    Topology made = network.topology(count, own);
    own.throwIfAny();
    return Objects.requireNonNull(made);
  }

  private @Nullable TableSampling sampling(Problems problems) {
    problems.require(
        rows == null && simulate == null,
        "--rows and --simulate: do not go with --site, --formula or a database");
    problems.require(
        randomFeatures == null, "--random-features: does not go with --site or --formula");
    Formula parsed = problems.collect(this::formula);
    Glm glm = problems.collect(this::glm);
    Missing missing = data.missing(problems);
    return parsed == null || glm == null || missing == null
        ? null
        : new TableSampling(parsed, glm, missing);
  }

  private Formula formula() {
    if (formula == null) {
      if (response == null) {
        throw new InvalidInput("--formula: what explains what must be given, such as 'y ~ x'");
      }
      return Formula.of(response, features, !noIntercept);
    }
    if (response != null || !features.isEmpty() || noIntercept) {
      throw new InvalidInput(
          "--response, --features and --no-intercept: do not go with --formula, which says it all");
    }
    return Formula.parse(formula);
  }

  private static boolean ownsClients(Partition cut) {
    return cut instanceof Partition.Column || cut instanceof Partition.Sizes;
  }

  private record Source(Table table, Glm glm, Optional<PaperModel> model) {}

  /** The source with random features in place of its own, where they were asked for. */
  private @Nullable Source featured(@Nullable Source source, Problems problems, Streams streams) {
    String spec = randomFeatures;
    if (spec == null || source == null) {
      return source;
    }
    Table table = problems.collect(() -> RandomFeatures.parse(spec).of(source.table, streams));
    // No truth is known of them.
    return table == null ? null : new Source(table, source.glm, Optional.empty());
  }

  private @Nullable Source source(Problems problems, @Nullable Partition cut, Streams streams) {
    Location place = data.data();
    if (place == null && simulate == null) {
      problems.add("--data FILE, --site NAME=PLACE or --simulate MODEL: one of them must be given");
      return null;
    }
    if (place != null && simulate != null) {
      problems.add("--data and --simulate: only one of them may be given");
      return null;
    }
    return place != null
        ? fromFile(Path.of(place.text()), problems, cut)
        : fromPaper(problems, streams);
  }

  private @Nullable Source fromFile(Path file, Problems problems, @Nullable Partition cut) {
    Glm glm = problems.collect(this::glm);
    problems.require(rows == null, "--rows: goes with --simulate; a file has the rows it has");
    if (response == null) {
      problems.add("--response: the column to explain must be named");
      return null;
    }
    Optional<String> labels =
        cut instanceof Partition.Column column ? Optional.of(column.name()) : Optional.empty();
    String explained = response;
    Table table =
        problems.collect(
            () -> new CsvSource(file, explained, features, !noIntercept, labels).read());
    if (table == null || glm == null) {
      return null;
    }
    return problems.collect(
        () -> {
          glm.requireResponses(table);
          return new Source(table, glm, Optional.empty());
        });
  }

  private Glm glm() {
    return Families.parse(
        family == null ? "gaussian" : family,
        Optional.ofNullable(link),
        dispersion == null ? OptionalDouble.empty() : OptionalDouble.of(dispersion));
  }

  private @Nullable Source fromPaper(Problems problems, Streams streams) {
    String word = String.valueOf(simulate);
    PaperModel model = problems.collect(() -> PaperModel.parse(word));
    problems.require(
        response == null && features.isEmpty(),
        "--response and --features: go with --data; simulated columns have names of their own");
    if (rows == null) {
      problems.add("--rows: how many rows to simulate must be given");
    }
    if (model == null || rows == null) {
      return null;
    }
    Glm glm = Setup.glm(model);
    problems.require(
        family == null || family.equals(glm.family()),
        "--family: --simulate %s makes it %s; got `%s`".formatted(word, glm.family(), family));
    problems.require(
        link == null && dispersion == null,
        "--link and --dispersion: go with --data; a simulated model has its own");
    int count = rows;
    Table table = problems.collect(() -> model.table(count, streams));
    return table == null ? null : new Source(table, glm, Optional.of(model));
  }
}
