package ngd.core.network;

import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import ngd.core.InvalidInput;
import ngd.core.random.Streams;
import org.apache.commons.rng.UniformRandomProvider;
import org.jspecify.annotations.Nullable;

/**
 * Another schedule, of which in a round only those links are heard that are up and whose two
 * clients take part. What a client does not hear it replaces by what it has: the weight goes to
 * itself. So a symmetric W stays symmetric and doubly stochastic, unless the directions between two
 * clients fail by themselves.
 */
public final class ImpairedNetwork implements NetworkSchedule {
  /** What the generators of links, and of clients, are called below their purpose. */
  private static final int LINKS = 0;

  private static final int CLIENTS = 1;

  private static final int LOSSES = 2;

  private final NetworkSchedule inner;
  private final Optional<LinkFailures> failures;
  private final Optional<Activation> activation;

  /**
   * The pairs of clients that are ever linked, as {@code smaller · M + larger}, ascending; where
   * directions fail by themselves, the links.
   */
  private final long[] pairs;

  private final @Nullable IntFunction<boolean[]> links;
  private final @Nullable IntFunction<boolean[]> awake;
  private volatile @Nullable Last last;

  private record Last(int round, Network network) {}

  private ImpairedNetwork(
      NetworkSchedule inner,
      Optional<LinkFailures> failures,
      Optional<Activation> activation,
      Streams streams) {
    this.inner = inner;
    this.failures = failures;
    this.activation = activation;
    pairs = failures.isPresent() ? pairs(inner.mean()) : new long[0];
    links = failures.map(chain -> links(chain, pairs.length, streams)).orElse(null);
    awake =
        switch (activation.orElse(null)) {
          case Activation.Bernoulli(double p) ->
              chains(inner.clients(), 1 - p, p, streams, CLIENTS)::at;
          case Activation.Markov(double leave, double back) ->
              chains(inner.clients(), leave, back, streams, CLIENTS)::at;
          case Activation.Poisson(double rests) ->
              new PoissonRests(
                      inner.clients(),
                      rests,
                      m -> streams.stream(Streams.Purpose.AVAILABILITY, CLIENTS, m))
                  ::at;
          case null, default -> null;
        };
  }

  /** Which links carry their messages in a round. */
  private static IntFunction<boolean[]> links(LinkFailures failures, int count, Streams streams) {
    TwoStateChains good = chains(count, failures.fail(), failures.recover(), streams, LINKS);
    if (failures.loss() == 1) {
      return good::at;
    }
    return round -> {
      boolean[] up = good.at(round).clone();
      UniformRandomProvider random = streams.stream(Streams.Purpose.AVAILABILITY, LOSSES, round);
      for (int i = 0; i < count; i++) {
        up[i] |= random.nextDouble() >= failures.loss();
      }
      return up;
    };
  }

  private static TwoStateChains chains(
      int count, double leave, double back, Streams streams, int whose) {
    return new TwoStateChains(
        count, leave, back, round -> streams.stream(Streams.Purpose.AVAILABILITY, whose, round));
  }

  /** A schedule with these impairments; itself where there are none. */
  public static NetworkSchedule of(
      NetworkSchedule inner,
      Optional<LinkFailures> failures,
      Optional<Activation> activation,
      Streams streams) {
    if (failures.isEmpty() && activation.isEmpty()) {
      return inner;
    }
    if (activation.orElse(null) instanceof Activation.Cyclic(int together)
        && together > inner.clients()) {
      throw new InvalidInput(
          "activation cyclic:K: K must lie in [1, %d], the clients; got %d"
              .formatted(inner.clients(), together));
    }
    return new ImpairedNetwork(inner, failures, activation, streams);
  }

  private long[] pairs(Network network) {
    long[] all = new long[network.edges()];
    int count = 0;
    for (int m = 0; m < network.clients(); m++) {
      for (int e = network.offsets()[m]; e < network.offsets()[m + 1]; e++) {
        if (network.heard()[e] != m) {
          all[count++] = pair(m, network.heard()[e]);
        }
      }
    }
    return Arrays.stream(all, 0, count).sorted().distinct().toArray();
  }

  private boolean oneWay() {
    return failures.filter(LinkFailures::oneWay).isPresent();
  }

  private long pair(int m, int k) {
    return oneWay() ? (long) m * clients() + k : (long) Math.min(m, k) * clients() + Math.max(m, k);
  }

  @Override
  public int clients() {
    return inner.clients();
  }

  @Override
  public boolean hasRests() {
    return activation.isPresent();
  }

  @Override
  public boolean rests(int client, int round) {
    return !takesPart(client, round, awake(round));
  }

  private boolean @Nullable [] awake(int round) {
    return awake == null ? null : awake.apply(round);
  }

  private boolean takesPart(int client, int round, boolean @Nullable [] now) {
    if (now != null) {
      return now[client];
    }
    return switch (activation.orElse(null)) {
      case Activation.Cyclic(int together) -> Math.floorMod(client - round, clients()) < together;
      case Activation.Shifts shifts -> shifts.takesPart(client, round);
      case null, default -> true;
    };
  }

  @Override
  public Network at(int round) {
    Last known = last;
    if (known == null || known.round() != round) {
      known = new Last(round, drawn(round));
      last = known;
    }
    return known.network();
  }

  private Network drawn(int round) {
    Network whole = inner.at(round);
    boolean[] up = links == null ? new boolean[0] : links.apply(round);
    boolean[] now = awake(round);
    int clients = clients();
    int[] offsets = new int[clients + 1];
    int[] heard = new int[whole.edges() + clients];
    double[] weights = new double[heard.length];
    int at = 0;
    for (int m = 0; m < clients; m++) {
      boolean here = takesPart(m, round, now);
      int own = -1;
      double kept = 0;
      for (int e = whole.offsets()[m]; e < whole.offsets()[m + 1]; e++) {
        int k = whole.heard()[e];
        if (k >= m && own < 0) {
          own = at++;
        }
        if (k != m
            && here
            && takesPart(k, round, now)
            && (up.length == 0 || up[Arrays.binarySearch(pairs, pair(m, k))])) {
          heard[at] = k;
          weights[at++] = whole.weights()[e];
        } else {
          kept += whole.weights()[e];
        }
      }
      own = own < 0 ? at++ : own;
      heard[own] = m;
      weights[own] = kept;
      if (kept == 0) {
        System.arraycopy(heard, own + 1, heard, own, at - own - 1);
        System.arraycopy(weights, own + 1, weights, own, at - own - 1);
        at--;
      }
      offsets[m + 1] = at;
    }
    return new Network(offsets, Arrays.copyOf(heard, at), Arrays.copyOf(weights, at));
  }

  @Override
  public OptionalInt period() {
    if (failures.isPresent() || awake != null || inner.period().isEmpty()) {
      return OptionalInt.empty();
    }
    int a = inner.period().getAsInt();
    int cycle = activation.orElse(null) instanceof Activation.Shifts s ? s.cycle() : clients();
    int b = cycle;
    while (b != 0) {
      int rest = a % b;
      a = b;
      b = rest;
    }
    long both = (long) inner.period().getAsInt() / a * cycle;
    return both > Integer.MAX_VALUE ? OptionalInt.empty() : OptionalInt.of((int) both);
  }

  @Override
  public Network mean() {
    if (period().isPresent()) {
      return ScheduleProducts.mean(this, period().getAsInt());
    }
    double up = failures.map(LinkFailures::share).orElse(1.0);
    if (awake == null && activation.isPresent() && inner.period().isPresent()) {
      NetworkSchedule turns =
          new ImpairedNetwork(inner, Optional.empty(), activation, Streams.of(0));
      return ScheduleProducts.damped(turns.mean(), (_, _) -> up);
    }
    return ScheduleProducts.damped(inner.mean(), (m, k) -> up * bothTakePart(m, k));
  }

  /** How often two clients take part together. */
  private double bothTakePart(int m, int k) {
    return switch (activation.orElse(null)) {
      case null -> 1;
      case Activation.Bernoulli(double p) -> p * p;
      case Activation.Markov(double leave, double back) ->
          Math.pow(TwoStateChains.share(leave, back), 2);
      case Activation.Poisson(double rests) -> Math.pow(1 / (1 + rests), 2);
      case Activation.Shifts shifts ->
          (double)
                  IntStream.range(0, shifts.cycle())
                      .filter(t -> shifts.takesPart(m, t) && shifts.takesPart(k, t))
                      .count()
              / shifts.cycle();
      case Activation.Cyclic(int together) -> {
        int apart = Math.floorMod(m - k, clients());
        yield (double) (Math.max(0, together - apart) + Math.max(0, together - (clients() - apart)))
            / clients();
      }
    };
  }

  @Override
  public Network union() {
    return inner.union();
  }

  @Override
  public boolean always(NetworkProperty property) {
    return !oneWay()
        && inner.always(
            property == NetworkProperty.DOUBLY_STOCHASTIC ? NetworkProperty.SYMMETRIC : property);
  }
}
