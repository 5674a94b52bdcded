package ngd.core.network;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What can be said of a network from W alone: degrees, reachability, balance, spectrum, π.
 *
 * {@snippet file="ngd/library/ExamplesTest.java" region="diagnosis"}
 */
public final class Diagnosis {
  private final Network network;
  private final OptionalDouble expectedSe2;

  /** What clients are called; empty where they have numbers alone. */
  private final List<String> names;

  private final int[] inDegrees;
  private final int[] outDegrees;
  private final CommunicatingClasses classes;
  private @Nullable Spectrum spectrum;
  private final Stationary stationary;

  private Diagnosis(Network network, OptionalDouble expectedSe2, List<String> names) {
    this.network = network;
    this.expectedSe2 = expectedSe2;
    this.names = List.copyOf(names);
    inDegrees = new int[network.clients()];
    outDegrees = new int[network.clients()];
    for (int m = 0; m < network.clients(); m++) {
      for (int e = network.offsets()[m]; e < network.offsets()[m + 1]; e++) {
        int k = network.heard()[e];
        if (k != m) {
          inDegrees[m]++;
          outDegrees[k]++;
        }
      }
    }
    classes = CommunicatingClasses.of(network);
    stationary = Stationary.of(network, classes);
  }

  public static Diagnosis of(Network network) {
    return of(network, List.of());
  }

  /** The same of clients that have names. */
  public static Diagnosis of(Network network, List<String> names) {
    return new Diagnosis(network, OptionalDouble.empty(), names);
  }

  /** The same, with the closed form or expectation of SE² that the topology knows. */
  public static Diagnosis of(Topology topology, Weights weights) {
    return new Diagnosis(
        Network.of(topology, weights), weights.expectedSe2(topology), Topology.names(topology));
  }

  /** The smallest and the largest of some numbers. */
  public record Range(int min, int max) {
    static Range of(int[] values) {
      return new Range(
          Arrays.stream(values).min().orElseThrow(), Arrays.stream(values).max().orElseThrow());
    }
  }

  public Network network() {
    return network;
  }

  /** Whose data do not reach everyone, a sentence each: what a fit should say before it runs. */
  public List<String> reachWarnings() {
    return Warnings.ofReach(this);
  }

  /** What a client is called, by its number where it has no name. */
  public String name(int client) {
    return names.isEmpty() ? Integer.toString(client) : names.get(client);
  }

  public int clients() {
    return network.clients();
  }

  /** The links between different clients. */
  public int edges() {
    return Arrays.stream(inDegrees).sum();
  }

  /** How many others a client hears. */
  public Range inDegree() {
    return Range.of(inDegrees);
  }

  /** By how many others a client is heard. */
  public Range outDegree() {
    return Range.of(outDegrees);
  }

  /** The clients whom no other client hears, ascending; a single client has no others. */
  public int[] unheard() {
    return clients() == 1
        ? new int[0]
        : IntStream.range(0, clients()).filter(m -> outDegrees[m] == 0).toArray();
  }

  public CommunicatingClasses classes() {
    return classes;
  }

  /** The sizes of the closed classes, in the order of their smallest members. */
  public List<Integer> closedClassSizes() {
    return Arrays.stream(classes.closedClasses()).map(classes::size).boxed().toList();
  }

  /** The clients in no closed class, ascending: what they know never stays in the network. */
  public int[] transientClients() {
    return IntStream.range(0, clients()).filter(m -> !classes.closed(classes.classOf(m))).toArray();
  }

  public boolean irreducible() {
    return classes.count() == 1;
  }

  /**
   * The period of the closed class; of several, the least common multiple, after which W mixes
   * alike again.
   */
  public long period() {
    long multiple = 1;
    for (int c : classes.closedClasses()) {
      long a = multiple;
      long b = classes.period(c);
      while (b != 0) {
        long rest = a % b;
        a = b;
        b = rest;
      }
      if (classes.period(c) / a > Long.MAX_VALUE / multiple) {
        return Long.MAX_VALUE;
      }
      multiple *= classes.period(c) / a;
    }
    return multiple;
  }

  /** SE(W). */
  public double se() {
    return network.se();
  }

  /** SE²(W) by its closed form or in expectation, where the kind of network has one. */
  public OptionalDouble expectedSe2() {
    return expectedSe2;
  }

  /** Found when first asked for: on large networks it takes far longer than all the rest. */
  public Spectrum spectrum() {
    Spectrum found = spectrum;
    if (found == null) {
      found = Spectrum.of(network, classes);
      spectrum = found;
    }
    return found;
  }

  public Stationary stationary() {
    return stationary;
  }

  /** What a person should know before using this network, in plain words. */
  public List<String> warnings() {
    return Warnings.of(this);
  }
}
