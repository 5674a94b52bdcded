package ngd.core.data;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import ngd.core.InvalidInput;
import ngd.core.NearestName;
import ngd.core.NumberText;
import ngd.core.random.Streams;
import org.apache.commons.rng.sampling.PermutationSampler;

/**
 * How the rows of a table are cut into pieces, one per client; every client gets at least one row.
 */
public sealed interface Partition {

  /** The words on the command line. */
  default String spec() {
    return switch (this) {
      case Shuffled _ -> "random";
      case Sorted _ -> "sorted";
      case Dirichlet(double concentration) -> "dirichlet:" + concentration;
      case ByColumn(String name) -> "column:" + name;
      case Sizes(List<Integer> sizes) ->
          sizes.stream().map(String::valueOf).collect(Collectors.joining(",", "rows:", ""));
    };
  }

  /** The number of clients that follows from the partition itself, where it does. */
  default OptionalInt ownClients(Cases cases) {
    return switch (this) {
      case ByColumn column -> OptionalInt.of(column.labels(cases).values().size());
      case Sizes(List<Integer> sizes) -> OptionalInt.of(sizes.size());
      default -> OptionalInt.empty();
    };
  }

  /** Which of {@code clients} pieces each row belongs to. */
  Assignment cut(Cases cases, int clients, Streams streams);

  /** The paper's homogeneous distribution: rows in random order, cut into equal pieces. */
  record Shuffled() implements Partition {
    @Override
    public Assignment cut(Cases cases, int clients, Streams streams) {
      int[] order = PermutationSampler.natural(cases.rows());
      PermutationSampler.shuffle(streams.stream(Streams.Purpose.PARTITION), order);
      return Assignment.cut(order, equal(cases.rows(), clients));
    }
  }

  /**
   * The paper's heterogeneous distribution: rows by ascending response, equals in the order of the
   * table, cut into equal pieces.
   */
  record Sorted() implements Partition {
    @Override
    public Assignment cut(Cases cases, int clients, Streams streams) {
      return Assignment.cut(Responses.ascending(cases), equal(cases.rows(), clients));
    }
  }

  /**
   * Each class of responses is spread over the clients by shares from a symmetric Dirichlet
   * distribution: the smaller the concentration, the fewer clients hold most of a class.
   *
   * <p>Classes are the distinct responses where there are at most ten, else ten bins of equally
   * many rows by ascending response. Then each client left without rows gets one, drawn from the
   * client that has most.
   */
  record Dirichlet(double concentration) implements Partition {
    public Dirichlet {
      if (!(concentration > 0) || Double.isInfinite(concentration)) {
        throw new InvalidInput(
            "partition dirichlet: the concentration must be positive and finite; got %s"
                .formatted(concentration));
      }
    }

    @Override
    public Assignment cut(Cases cases, int clients, Streams streams) {
      return new DirichletCut(concentration, clients)
          .of(Responses.classes(cases), streams.stream(Streams.Purpose.PARTITION));
    }
  }

  /**
   * One client for each value of a column, in ascending order of the values: as numbers where all
   * are numbers, else as text.
   */
  record ByColumn(String name) implements Partition {
    @Override
    public Assignment cut(Cases cases, int clients, Streams streams) {
      int[] clientOf = new int[cases.rows()];
      Arrays.setAll(clientOf, labels(cases)::code);
      return new Assignment(clients, clientOf);
    }

    private Labels labels(Cases cases) {
      return cases
          .labels()
          .filter(labels -> labels.name().equals(name))
          .orElseThrow(
              () ->
                  new InvalidInput(
                      "partition column:%s: needs a table that was read with that column; %s has none"
                          .formatted(name, cases.source())));
    }
  }

  /** Consecutive rows in the order of the table, with a given size for each client. */
  record Sizes(List<Integer> sizes) implements Partition {
    public Sizes {
      sizes = List.copyOf(sizes);
      for (int m = 0; m < sizes.size(); m++) {
        if (sizes.get(m) < 1) {
          throw new InvalidInput(
              "partition rows: every client needs at least one row; client %d got %d"
                  .formatted(m, sizes.get(m)));
        }
      }
    }

    @Override
    public Assignment cut(Cases cases, int clients, Streams streams) {
      long sum = sizes.stream().mapToLong(Integer::longValue).sum();
      if (sum != cases.rows()) {
        throw new InvalidInput(
            "partition rows: the sizes must sum to the %d rows of %s; they sum to %d"
                .formatted(cases.rows(), cases.source(), sum));
      }
      int[] each = sizes.stream().mapToInt(Integer::intValue).toArray();
      return Assignment.cut(PermutationSampler.natural(cases.rows()), each);
    }
  }

  /** Cuts a table into pieces and places them; {@code clients} may be left to the partition. */
  default Assignment assign(
      Cases cases, OptionalInt clients, Placement placement, Streams streams) {
    OptionalInt own = ownClients(cases);
    if (own.isEmpty() && clients.isEmpty()) {
      throw new InvalidInput(
          "clients: must be given, the partition %s does not say how many".formatted(spec()));
    }
    if (own.isPresent() && clients.isPresent() && own.getAsInt() != clients.getAsInt()) {
      throw new InvalidInput(
          "clients: must be %d, the number that the partition %s makes, or left out; got %d"
              .formatted(own.getAsInt(), spec(), clients.getAsInt()));
    }
    int count = own.orElseGet(clients::getAsInt);
    if (own.isEmpty() && (count < 1 || count > cases.rows())) {
      throw new InvalidInput(
          "clients: must lie in [1, %d], the number of rows of %s, as each client needs one; got %d"
              .formatted(cases.rows(), cases.source(), count));
    }
    return placement.place(cut(cases, count, streams), streams);
  }

  static Partition parse(String spec) {
    int colon = spec.indexOf(':');
    String name = colon < 0 ? spec : spec.substring(0, colon);
    String argument = colon < 0 ? "" : spec.substring(colon + 1);
    List<String> names = List.of("random", "sorted", "dirichlet", "column", "rows");
    if (!names.contains(name)) {
      throw new InvalidInput(
          "partition: must be one of random, sorted, dirichlet:A, column:NAME, rows:n1,n2,…; got"
              + " `%s`%s".formatted(spec, NearestName.hint(name, names)));
    }
    boolean bare = name.equals("random") || name.equals("sorted");
    if (bare == (colon >= 0) || (!bare && argument.isBlank())) {
      throw new InvalidInput(
          "partition %s: %s; got `%s`"
              .formatted(
                  name, bare ? "takes no argument" : "needs an argument after the colon", spec));
    }
    return switch (name) {
      case "random" -> new Shuffled();
      case "sorted" -> new Sorted();
      case "dirichlet" -> dirichlet(argument);
      case "column" -> new ByColumn(argument);
      default -> new Sizes(Arrays.stream(argument.split(",", -1)).map(Partition::size).toList());
    };
  }

  private static Dirichlet dirichlet(String text) {
    double concentration = NumberParser.parseOrNaN(text);
    if (!(concentration > 0)) {
      throw new InvalidInput(
          "partition dirichlet: the concentration must be positive and finite; got `%s`"
              .formatted(text));
    }
    return new Dirichlet(concentration);
  }

  private static int size(String text) {
    return NumberText.read(
        text,
        Integer::parseInt,
        () -> "partition rows: the sizes must be whole numbers; got `%s`".formatted(text));
  }

  /** Sizes that differ by at most one: the first {@code rows mod clients} pieces are larger. */
  private static int[] equal(int rows, int clients) {
    int[] sizes = new int[clients];
    Arrays.setAll(sizes, m -> rows / clients + (m < rows % clients ? 1 : 0));
    return sizes;
  }
}
