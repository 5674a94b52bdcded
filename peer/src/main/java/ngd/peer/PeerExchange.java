package ngd.peer;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import ngd.core.WorkFailed;
import ngd.core.algorithm.CodedRows;
import ngd.core.algorithm.Exchange;
import ngd.core.network.Network;
import ngd.core.network.NetworkSchedule;
import ngd.core.rows.Edges;
import ngd.core.rows.Host;
import ngd.core.rows.HostRows;
import ngd.core.rows.Rows;
import ngd.core.world.Mixing;
import ngd.core.world.RobustMix;
import ngd.peer.machine.Machine;
import ngd.peer.plan.MaskGraph;
import ngd.peer.plan.Policy;
import ngd.peer.wire.Limits;
import ngd.peer.wire.Links;
import ngd.peer.wire.Message;
import ngd.peer.wire.Refused;
import ngd.peer.wire.proto.Kind;
import org.jspecify.annotations.Nullable;

/**
 * The exchange of one client over real links: every call says one message to the listeners and
 * hears one from each client that it hears; over a network that changes, those of the round alone.
 * Sums run in the order of the simulator's sparse products, so that the bits are the same. For one
 * thread.
 */
final class PeerExchange implements Exchange {
  /** Beyond this a neighbour's number is taken for an attack or a run that is lost. */
  static final double BOUND = 1e100;

  /**
   * Rounds' worth of waiting before a neighbour counts as gone, where the policy is not to wait.
   */
  private static final int PATIENCE = 8;

  /** Pauses of a machine that is there last longer than many rounds. */
  private static final long LEAST_PATIENCE_NS = 500_000_000;

  private static final System.Logger LOG = System.getLogger("ngd.peer");

  private final Neighbourhood neighbourhood;
  private final Host host;
  private final Links links;
  private final Limits limits;
  private final PeerOptions options;
  private final PeerListener listener;
  private final Calls calls;
  private final MaskedSums sums;

  private final NetworkSchedule schedule;
  private final boolean changing;

  /** This client and those it hears, ascending. */
  private final List<Integer> local;

  private final int own;

  /** What this client hears and says in the round under way. */
  private RoundLinks now;

  /** A running mean of the time that a full gathering takes. */
  private double usual;

  /** Those heard that this peer goes on without, by their places. */
  private List<Integer> away = List.of();

  /** A sparse matrix of one row over the local rows. */
  private static final class Product {
    final int[] offsets;
    final int[] rows;
    final double[] weights;

    Product(List<Integer> rows, List<Double> weights) {
      offsets = new int[] {0, rows.size()};
      this.rows = rows.stream().mapToInt(Integer::intValue).toArray();
      this.weights = weights.stream().mapToDouble(Double::doubleValue).toArray();
    }
  }

  /** The links of this client in one round, and what it makes of what it hears over them. */
  private final class RoundLinks {
    final Network network;

    /** Row of W: places among {@link #local}, with their weights, in ascending order. */
    final Product mix;

    /** Whether each of those ever heard is heard in this round. */
    final boolean[] heard;

    /** Those who hear this client in some round and not in this one. */
    final List<Integer> deaf;

    /** Whether this client sits the round out. */
    final boolean rests;

    private @Nullable Product push;
    private @Nullable RobustMix robust;

    RoundLinks(Network network, boolean rests) {
      this.network = network;
      this.rests = rests;
      List<Integer> rows = new ArrayList<>();
      List<Double> weights = new ArrayList<>();
      int self = neighbourhood.self;
      for (int e = network.offsets()[self]; e < network.offsets()[self + 1]; e++) {
        rows.add(local.indexOf(network.heard()[e]));
        weights.add(network.weights()[e]);
      }
      mix = new Product(rows, weights);
      heard = new boolean[neighbourhood.heard.size()];
      for (int i = 0; i < heard.length; i++) {
        heard[i] = network.weight(self, neighbourhood.heard.get(i)) > 0;
      }
      deaf = neighbourhood.listeners.stream().filter(k -> network.weight(k, self) == 0).toList();
    }

    Product push() {
      Product known = push;
      if (known == null) {
        int[] audiences = Neighbourhood.audiences(network);
        List<Integer> rows = new ArrayList<>();
        List<Double> weights = new ArrayList<>();
        for (int i = 0; i < local.size(); i++) {
          if (i == own || heard[i < own ? i : i - 1]) {
            rows.add(i);
            weights.add(1.0 / (1 + audiences[local.get(i)]));
          }
        }
        known = new Product(rows, weights);
        push = known;
      }
      return known;
    }

    RobustMix robust() {
      RobustMix known = robust;
      if (known == null) {
        known = PeerExchange.this.robust(mix);
        robust = known;
      }
      return known;
    }
  }

  PeerExchange(
      NetworkSchedule schedule,
      Neighbourhood neighbourhood,
      Host host,
      Links links,
      Limits limits,
      PeerOptions options,
      PeerListener listener) {
    this.listener = listener;
    this.neighbourhood = neighbourhood;
    this.host = host;
    this.links = links;
    this.limits = limits;
    this.options = options;
    this.schedule = schedule;
    changing = !(schedule instanceof Network);
    calls = new Calls(links, listener);
    SumRoute route = route(schedule.union());
    sums = new MaskedSums(calls, route, schedule.clients(), options.masks());
    List<Integer> all = new ArrayList<>(neighbourhood.heard);
    all.add(neighbourhood.self);
    all.sort(null);
    local = List.copyOf(all);
    own = local.indexOf(neighbourhood.self);
    now = links(0);
  }

  private RoundLinks links(int round) {
    return new RoundLinks(
        schedule.at(round), schedule.hasRests() && schedule.rests(neighbourhood.self, round));
  }

  @Override
  public void enter(int round) {
    if (changing) {
      now = links(round);
    }
  }

  @Override
  public int[] resting() {
    return now.rests ? new int[] {0} : NOBODY;
  }

  /** Few sites: every term to everyone. Many, where links are mutual: partial sums along trees. */
  private SumRoute route(Network network) {
    Optional<SpanningTrees> trees =
        network.clients() <= MaskGraph.ALL_PAIRS ? Optional.empty() : SpanningTrees.of(network);
    return trees.isPresent()
        ? new TreeSums(calls, neighbourhood, trees.get(), limits, options.signatures())
        : new Flooding(calls, neighbourhood, network.clients(), limits, options.signatures());
  }

  /** Says by which number others know the round that begins, over all stages. */
  void number(int nextRound) {
    calls.begin(nextRound);
  }

  /** The local row of the i-th client heard. */
  private int row(int i) {
    return i < own ? i : i + 1;
  }

  @Override
  public Rows mix(Rows x) {
    Rows mixed = mixed(x);
    listener.mixed(x, mixed);
    return mixed;
  }

  /** Whatever the policy, this waits: what others keep of a client follows from all it has said. */
  @Override
  public Rows mix(Rows x, CodedRows said) {
    HostRows in = single(x);
    HostRows heard = host.block(local.size(), in.width());
    System.arraycopy(in.values(), 0, heard.values(), own * heard.stride(), in.stride());
    long call = say(Kind.MIX, CodedMessage.pieces(said.message(0), limits));
    List<Integer> gone =
        calls.await(
            call,
            (i, message) -> {
              Calls.requireKind(message, Kind.MIX);
              CodedMessage.decode(
                  message,
                  said.codec(),
                  heard.values(),
                  row(i) * heard.stride(),
                  in.width(),
                  BOUND);
            },
            Links.Patience.ENDLESS,
            i -> now.heard[i]);
    if (!gone.isEmpty()) {
      throw new WorkFailed(
          "codec %s: needs every message of %s, which has forgotten one; use `policy: wait`"
              .formatted(said.codec().spec(), links.nameOfHeard(gone.getFirst())));
    }
    Rows mixed = mixed(in, heard);
    listener.mixed(x, mixed);
    return mixed;
  }

  private Rows mixed(Rows x) {
    HostRows in = single(x);
    int place = calls.place(Kind.MIX);
    HostRows heard = host.block(local.size(), in.width());
    System.arraycopy(in.values(), 0, heard.values(), own * heard.stride(), in.stride());
    long call = say(Kind.MIX, in);
    long begin = Machine.here().nanoTime();
    List<Integer> gone = gather(call, Kind.MIX, heard, patience(place));
    logMissing(gone);
    if (gone.isEmpty()) {
      long took = Machine.here().nanoTime() - begin;
      usual = usual == 0 ? took : 0.9 * usual + 0.1 * took;
      return mixed(in, heard);
    }
    gone = replaced(gone, place, heard);
    return gone.isEmpty() ? mixed(in, heard) : without(gone, in, heard);
  }

  /**
   * Where the policy is not to wait, slow neighbours are given a few rounds' time. One that hears
   * nobody at all waits all the same: alone it would run to the fit of its own data.
   */
  private Links.Patience patience(int place) {
    if (options.policy() instanceof Policy.Wait) {
      return Links.Patience.ENDLESS;
    }
    boolean known = false;
    for (int i = 0; i < neighbourhood.heard.size() && !known; i++) {
      known = now.heard[i] && recent(i, place) != null;
    }
    return new Links.Patience(
        Math.max(LEAST_PATIENCE_NS, Math.round(PATIENCE * usual)), known ? 0 : 1);
  }

  /** Says whom this peer goes on without from this round on, and who is back. */
  private void logMissing(List<Integer> gone) {
    if (gone.isEmpty() && away.isEmpty()) {
      return;
    }
    List<Integer> absent = new ArrayList<>();
    for (int i = 0; i < neighbourhood.heard.size(); i++) {
      boolean before = away.contains(i);
      boolean missing = now.heard[i] ? gone.contains(i) : before;
      if (missing) {
        absent.add(i);
      }
      if (missing != before) {
        LOG.log(
            missing ? WARNING : INFO,
            "{0} peer={1} round={2} policy={3}",
            missing ? "gone" : "back",
            links.nameOfHeard(i),
            Integer.toString(calls.round()),
            options.policy().spec());
      }
    }
    away = List.copyOf(absent);
  }

  private Rows mixed(HostRows in, HostRows heard) {
    if (options.mixing() instanceof Mixing.Mean) {
      return product(now.mix, heard);
    }
    return robustly(now.robust(), in, heard);
  }

  private Rows robustly(RobustMix rule, HostRows in, HostRows heard) {
    HostRows all = host.block(local.size(), in.width());
    rule.mix(heard, RobustMix.Said.of(heard), all, own, own + 1);
    HostRows out = host.block(1, in.width());
    System.arraycopy(all.values(), own * all.stride(), out.values(), 0, out.stride());
    return out;
  }

  /** The rule over a network in which all but this client hear only themselves. */
  private RobustMix robust(Product row) {
    double[][] w = new double[local.size()][local.size()];
    for (int i = 0; i < w.length; i++) {
      w[i][i] = i == own ? 0 : 1;
    }
    for (int e = 0; e < row.rows.length; e++) {
      w[own][row.rows[e]] = row.weights[e];
    }
    return new RobustMix(Network.of(w), options.mixing());
  }

  private HostRows product(Product product, HostRows heard) {
    HostRows out = host.block(1, heard.width());
    host.kernels()
        .mix(
            product.offsets,
            product.rows,
            product.weights,
            heard.values(),
            out.values(),
            heard.stride(),
            0,
            1);
    return out;
  }

  /**
   * Puts what neighbours last said in their places; gives those of whom nothing recent is known.
   */
  private List<Integer> replaced(List<Integer> gone, int place, HostRows heard) {
    List<Integer> unknown = new ArrayList<>();
    for (int i : gone) {
      Message last = recent(i, place);
      if (last == null || !decoded(last, heard, i)) {
        unknown.add(i);
      }
    }
    return unknown;
  }

  /** What the i-th of those heard said last, where the policy lets that stand in. */
  private @Nullable Message recent(int i, int place) {
    if (!(options.policy() instanceof Policy.Last(int rounds))) {
      return null;
    }
    Message last = links.lastKnown(i, Kind.MIX, place);
    return last != null && calls.round() - last.round() <= rounds ? last : null;
  }

  private boolean decoded(Message message, HostRows heard, int i) {
    try {
      decode(message, Kind.MIX, heard, row(i));
      return true;
    } catch (Refused refused) {
      return false;
    }
  }

  /** What is made of those who were heard, their weights scaled up to sum to 1. */
  private Rows without(List<Integer> gone, HostRows in, HostRows heard) {
    List<Integer> rows = new ArrayList<>();
    List<Double> weights = new ArrayList<>();
    double sum = 0;
    Product mix = now.mix;
    for (int e = 0; e < mix.rows.length; e++) {
      int row = mix.rows[e];
      boolean absent = row != own && gone.contains(row < own ? row : row - 1);
      if (!absent) {
        rows.add(row);
        weights.add(mix.weights[e]);
        sum += mix.weights[e];
      }
    }
    if (rows.isEmpty()) {
      return in;
    }
    double total = sum;
    Product rest = new Product(rows, weights.stream().map(w -> w / total).toList());
    return options.mixing() instanceof Mixing.Mean
        ? product(rest, heard)
        : robustly(robust(rest), in, heard);
  }

  @Override
  public Rows push(Rows x) {
    options.mixing().requireMean(Mixing.PUSHED);
    HostRows in = single(x);
    HostRows heard = host.block(local.size(), in.width());
    System.arraycopy(in.values(), 0, heard.values(), own * heard.stride(), in.stride());
    long call = say(Kind.PUSH, in);
    gather(call, Kind.PUSH, heard, Links.Patience.ENDLESS);
    return product(now.push(), heard);
  }

  @Override
  public Edges hear(Rows x) {
    options.mixing().requireMean(Mixing.LINK_BY_LINK);
    return said(x);
  }

  @Override
  public Edges said(Rows x) {
    requireConstant();
    HostRows in = single(x);
    long call = say(Kind.HEAR, in);
    return edges(call, Kind.HEAR, in.width());
  }

  @Override
  public Edges reply(Edges x) {
    neighbourhood.requireMutual();
    HostRows in = HostRows.in(x.values());
    Map<Integer, List<ByteString>> each = new HashMap<>();
    for (int i = 0; i < neighbourhood.heard.size(); i++) {
      each.put(neighbourhood.heard.get(i), encoded(in, i));
    }
    long call = calls.sayEach(Kind.REPLY, each);
    return edges(call, Kind.REPLY, in.width());
  }

  /** Rows of links that come and go would have no place to stand. */
  private void requireConstant() {
    if (changing) {
      throw new IllegalStateException(
          "what is said link by link needs a constant network, which must be asked for as a need"
              + " before the run");
    }
  }

  @Override
  public double[] linkWeights() {
    requireConstant();
    return neighbourhood.weights();
  }

  private Edges edges(long call, Kind kind, int width) {
    HostRows out = host.block(neighbourhood.heard.size(), width);
    calls.await(call, (i, message) -> decode(message, kind, out, i), Links.Patience.ENDLESS);
    return host.edges(new int[] {0, neighbourhood.heard.size()}, out);
  }

  // ---- Sums over all

  MaskedSums sums() {
    return sums;
  }

  @Override
  public double[] total(double[]... perRow) {
    requireRows(perRow.length);
    return sums.total(perRow[0]);
  }

  @Override
  public double[] total(Rows x) {
    options.mixing().requireMean(Mixing.SUMMED);
    return sums.total(single(x).row(0));
  }

  @Override
  public double max(double... perRow) {
    requireRows(perRow.length);
    return sums.max(perRow[0]);
  }

  // ---- Messages

  private long say(Kind kind, HostRows row) {
    return say(kind, encoded(row, 0));
  }

  private long say(Kind kind, List<ByteString> pieces) {
    return now.deaf.isEmpty() ? calls.say(kind, pieces) : calls.sayExcept(kind, pieces, now.deaf);
  }

  private List<ByteString> encoded(HostRows rows, int row) {
    return options.numbers().encode(rows.values(), row * rows.stride(), rows.width(), limits);
  }

  private List<Integer> gather(long call, Kind kind, HostRows heard, Links.Patience patience) {
    return calls.await(
        call, (i, message) -> decode(message, kind, heard, row(i)), patience, i -> now.heard[i]);
  }

  private void decode(Message message, Kind kind, HostRows into, int row) throws Refused {
    Calls.requireKind(message, kind);
    options.numbers().decode(message, into.values(), row * into.stride(), into.width(), BOUND);
  }

  private static HostRows single(Rows x) {
    requireRows(x.rows());
    return HostRows.in(x);
  }

  private static void requireRows(int rows) {
    if (rows != 1) {
      throw new IllegalArgumentException("exchange: a peer must be given its one row; got " + rows);
    }
  }
}
