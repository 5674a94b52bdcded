package ngd.app;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import ngd.core.data.Assignment;
import ngd.core.data.CsvSource;
import ngd.core.data.PaperModel;
import ngd.core.data.Partition;
import ngd.core.data.Placement;
import ngd.core.data.RandomFeatures;
import ngd.core.data.Table;
import ngd.core.model.Families;
import ngd.core.model.Glm;
import ngd.core.network.Topology;
import ngd.core.random.Streams;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that say what is to be learned by whom: data, model, clients and their network. */
final class SetupOptions {
  @Option(
      names = "--data",
      paramLabel = "FILE",
      description = "A CSV file with a header; may be gzipped.")
  private @Nullable Path data;

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
      defaultValue = "random",
      description =
          "Which rows go together: random (the default), sorted, dirichlet:A, column:NAME, rows:n1,n2,…")
  private String partition = "random";

  @Option(
      names = "--placement",
      paramLabel = "WORD",
      defaultValue = "in-order",
      description = "Which client gets which part: in-order (the default) or random.")
  private String placement = "in-order";

  @Mixin private NetworkOptions network = new NetworkOptions();

  /**
   * The setup, prepared: null where something is wrong with it, and then {@code problems} say what.
   */
  @Nullable Setup prepare(Problems problems) {
    Streams streams = network.streams();
    Partition cut = problems.collect(() -> Partition.parse(partition));
    Placement place = problems.collect(() -> Placement.parse(placement));
    Source source = featured(source(problems, cut, streams), problems, streams);
    if (clients == null && cut != null && !ownsClients(cut)) {
      problems.add("--clients: how many clients there are must be given");
    }
    Integer given = clients;
    network.requireGiven(problems);
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
    NetworkOptions.Named named =
        topology == null ? null : network.build(topology, assignment.sizes(), problems);
    return named == null
        ? null
        : new Setup(source.table, source.glm, source.model, cut, place, assignment, named, streams);
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
    if (data == null && simulate == null) {
      problems.add("--data FILE or --simulate MODEL: one of them must be given");
      return null;
    }
    if (data != null && simulate != null) {
      problems.add("--data and --simulate: only one of them may be given");
      return null;
    }
    return data != null ? fromFile(data, problems, cut) : fromPaper(problems, streams);
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
