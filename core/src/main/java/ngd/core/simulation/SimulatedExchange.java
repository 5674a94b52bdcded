package ngd.core.simulation;

import java.util.stream.IntStream;
import ngd.core.InvalidInput;
import ngd.core.algorithm.CodedRows;
import ngd.core.algorithm.Exchange;
import ngd.core.algorithm.Totals;
import ngd.core.network.Network;
import ngd.core.network.NetworkSchedule;
import ngd.core.random.Streams;
import ngd.core.rows.Edges;
import ngd.core.rows.Host;
import ngd.core.rows.HostEdges;
import ngd.core.rows.HostRows;
import ngd.core.rows.Rows;
import ngd.core.world.HeardLinks;
import ngd.core.world.Mixing;
import ngd.core.world.PushShares;
import ngd.core.world.RobustMix;
import org.jspecify.annotations.Nullable;

/**
 * The exchange of M virtual clients in one process: sparse matrices times the block of all rows.
 * Over a network that changes, each round has its own.
 */
final class SimulatedExchange implements Exchange {
  private final NetworkSchedule schedule;
  private final boolean changing;
  private final Host host;
  private final Trust trust;
  private final boolean trusting;
  private final Streams streams;
  private final RoundClock clock;

  /** W of this round. */
  private Network network;

  private int round;
  private long linkCount;
  private int[] resting = NOBODY;
  private long messages;
  private long bytes;

  /** The calls so far whose lies were drawn. */
  private long call;

  private @Nullable PushShares push;
  private @Nullable HeardLinks links;

  SimulatedExchange(NetworkSchedule schedule, Host host) {
    this(schedule, host, Trust.FULL, Streams.of(1));
  }

  SimulatedExchange(NetworkSchedule schedule, Host host, Trust trust, Streams streams) {
    this(
        schedule,
        host,
        trust,
        streams,
        new RoundClock(Impairments.PERFECT, schedule.clients(), streams));
  }

  /**
   * @param clock is told of every message
   */
  SimulatedExchange(
      NetworkSchedule schedule, Host host, Trust trust, Streams streams, RoundClock clock) {
    this.clock = clock;
    this.schedule = schedule;
    changing = !(schedule instanceof Network);
    this.host = host;
    this.trust = trust;
    trusting = trust.full();
    this.streams = streams;
    network = schedule.at(0);
    linkCount = network.links();
  }

  @Override
  public void enter(int round) {
    if (!changing) {
      return;
    }
    this.round = round;
    network = schedule.at(round);
    linkCount = network.links();
    push = null;
    links = null;
    resting =
        schedule.hasRests()
            ? IntStream.range(0, schedule.clients()).filter(m -> schedule.rests(m, round)).toArray()
            : NOBODY;
  }

  @Override
  public int[] resting() {
    return resting;
  }

  /** Whether a client sits this round out. */
  boolean rests(int client) {
    return schedule.rests(client, round);
  }

  /** What was sent so far. */
  Traffic traffic() {
    return new Traffic(messages, bytes);
  }

  private void count(long sent, int width) {
    messages += sent;
    bytes += Double.BYTES * sent * width;
    clock.send(sent);
  }

  /** A sum goes to somebody and back. */
  private void countTotal(long clients, int width) {
    count(clients, width);
    count(clients, width);
  }

  @Override
  public Rows mix(Rows x) {
    count(linkCount, x.width());
    return trusting ? honest(x) : guarded(x);
  }

  @Override
  public Rows mix(Rows own, CodedRows said) {
    if (!trust.attackers().isEmpty()) {
      throw new InvalidInput(
          "codec %s: cannot be used by attackers".formatted(said.codec().spec()));
    }
    count(said);
    if (trusting && own.equals(said.read())) {
      return honest(own);
    }
    HostRows in = requireAll(own);
    return ruled(in, RobustMix.Said.of(requireAll(said.read())));
  }

  /** A message goes to everybody who hears its client. */
  private void count(CodedRows said) {
    clock.send(linkCount);
    for (int m = 0; m < network.clients(); m++) {
      for (int e = network.offsets()[m]; e < network.offsets()[m + 1]; e++) {
        int k = network.heard()[e];
        messages += k == m ? 0 : 1;
        bytes += k == m ? 0 : said.message(k).length;
      }
    }
  }

  /** What attackers send is a lie, and the rule of mixing has to cope with it. */
  private Rows guarded(Rows x) {
    HostRows in = requireAll(x);
    return ruled(in, lies().averaging(in));
  }

  private Rows ruled(HostRows in, RobustMix.Said said) {
    HostRows out = host.block(in.rows(), in.width());
    RobustMix rule = new RobustMix(network, trust.mixing());
    host.workers()
        .run(
            in.rows(),
            (long) network.edges() * in.stride(),
            (from, to) -> rule.mix(in, said, out, from, to));
    return out;
  }

  private Lies lies() {
    return new Lies(network, trust, streams, ++call);
  }

  /** The rows as they are sent to others, who do something else with them than average. */
  private HostRows asSent(HostRows x, String what) {
    Lies lies = lies();
    if (!(lying(what) instanceof Attack.Alone attack)) {
      return x;
    }
    HostRows sent = host.block(x.rows(), x.width());
    System.arraycopy(x.values(), 0, sent.values(), 0, x.values().length);
    for (int liar : trust.attackers()) {
      int at = liar * x.stride();
      lies.corrupt(attack, sent.values(), at, at + x.width(), lies.draw(liar));
    }
    return sent;
  }

  /** The attack in something that is no average; none where nobody lies. */
  private @Nullable Attack lying(String what) {
    if (trust.attackers().isEmpty()) {
      return null;
    }
    trust.attack().requireAlone(what);
    return trust.attack();
  }

  /** The answers as they are sent to others: an attacker lies on each of its links. */
  private HostRows toldBack(HostRows answers, HeardLinks l) {
    Lies lies = lies();
    if (!(lying(Mixing.LINK_BY_LINK) instanceof Attack.Alone attack)) {
      return answers;
    }
    HostRows sent = host.block(answers.rows(), answers.width());
    System.arraycopy(answers.values(), 0, sent.values(), 0, answers.values().length);
    for (int liar : trust.attackers()) {
      for (int e = l.offsets()[liar]; e < l.offsets()[liar + 1]; e++) {
        int at = e * answers.stride();
        lies.corrupt(
            attack,
            sent.values(),
            at,
            at + answers.width(),
            streams.stream(Streams.Purpose.ATTACK, liar, lies.call(), l.heard()[e]));
      }
    }
    return sent;
  }

  private Rows honest(Rows x) {
    return product(network.offsets(), network.heard(), network.weights(), x);
  }

  @Override
  public Rows push(Rows x) {
    trust.mixing().requireMean(Mixing.PUSHED);
    count(linkCount, x.width());
    PushShares p = push;
    if (p == null) {
      p = new PushShares(links());
      push = p;
    }
    return product(
        p.offsets(), p.heard(), p.weights(), trusting ? x : asSent(requireAll(x), Mixing.PUSHED));
  }

  private Rows product(int[] offsets, int[] heard, double[] weights, Rows x) {
    HostRows in = requireAll(x);
    HostRows out = host.block(in.rows(), in.width());
    host.workers()
        .run(
            in.rows(),
            (long) heard.length * in.stride(),
            (from, to) ->
                host.kernels()
                    .mix(
                        offsets, heard, weights, in.values(), out.values(), in.stride(), from, to));
    return out;
  }

  @Override
  public Edges hear(Rows x) {
    trust.mixing().requireMean(Mixing.LINK_BY_LINK);
    count(linkCount, x.width());
    HeardLinks l = links();
    return HostEdges.hearing(
        host, l.offsets(), l.heard(), asSent(requireAll(x), Mixing.LINK_BY_LINK));
  }

  @Override
  public Edges said(Rows x) {
    count(linkCount, x.width());
    HostRows in = requireAll(x);
    HeardLinks l = links();
    RobustMix.Said all = lies().averaging(in);
    double[][] heard = new double[l.heard().length][in.width()];
    for (int m = 0; m < network.clients(); m++) {
      for (int e = l.offsets()[m]; e < l.offsets()[m + 1]; e++) {
        all.read(l.heard()[e], m, heard[e]);
      }
    }
    return host.edges(l.offsets(), host.of(heard));
  }

  @Override
  public Edges reply(Edges x) {
    count(x.values().rows(), x.values().width());
    HeardLinks l = links();
    HostRows answers = HostRows.in(x.values());
    return HostEdges.hearing(
        host, l.offsets(), l.reverse(), trusting ? answers : toldBack(answers, l));
  }

  @Override
  public double[] linkWeights() {
    return links().weights();
  }

  @Override
  public double[] total(double[]... perRow) {
    requireClients(perRow.length);
    countTotal(perRow.length, perRow[0].length);
    for (double[] own : perRow) {
      if (own.length != perRow[0].length) {
        throw new IllegalArgumentException(
            "total: every client's vector must have %d entries like the first; got %d"
                .formatted(perRow[0].length, own.length));
      }
    }
    return Totals.finite(host.of(perRow).totals());
  }

  @Override
  public double[] total(Rows x) {
    trust.mixing().requireMean(Mixing.SUMMED);
    HostRows in = requireAll(x);
    countTotal(in.rows(), in.width());
    return Totals.finite((trusting ? in : asSent(in, Mixing.SUMMED)).totals());
  }

  @Override
  public double max(double... perRow) {
    requireClients(perRow.length);
    countTotal(perRow.length, 1);
    return Totals.largest(perRow);
  }

  private HostRows requireAll(Rows x) {
    requireClients(x.rows());
    return HostRows.in(x);
  }

  private void requireClients(int rows) {
    if (rows != network.clients()) {
      throw new IllegalArgumentException(
          "exchange: must be given a row for each of the %d clients; got %d"
              .formatted(network.clients(), rows));
    }
  }

  private HeardLinks links() {
    HeardLinks known = links;
    if (known == null) {
      known = new HeardLinks(network);
      links = known;
    }
    return known;
  }
}
