package ngd.peer;

import java.util.ArrayList;
import java.util.List;
import ngd.core.algorithm.Algorithm;
import ngd.core.network.Network;
import ngd.core.rows.Host;
import ngd.core.rows.HostRows;
import ngd.core.rows.Rows;
import ngd.peer.machine.Machine;
import ngd.peer.wire.Limits;
import ngd.peer.wire.Links;
import ngd.peer.wire.Message;
import ngd.peer.wire.NumberCodec;
import ngd.peer.wire.Reason;
import ngd.peer.wire.Refused;
import org.jspecify.annotations.Nullable;

/** One client's letters over real links: they may be lost, and only the newest wait. */
final class PeerMail implements Algorithm.Mail {
  /**
   * A clock strikes when letters came, or after this many times the usual pause between letters.
   */
  private static final int PATIENCE = 8;

  private static final long LONGEST_PAUSE_NS = 1_000_000_000;

  private final PeerSetup setup;
  private final Host host;
  private final Links links;
  private final Limits limits;
  private final List<Integer> hears = new ArrayList<>();
  private final List<Integer> listeners;
  private double usual = 1_000_000;

  PeerMail(PeerSetup setup, Neighbourhood neighbourhood, Host host, Links links, Limits limits) {
    this.setup = setup;
    this.host = host;
    this.links = links;
    this.limits = limits;
    listeners = List.copyOf(neighbourhood.listeners);
    Network network = setup.network();
    for (int e = network.offsets()[neighbourhood.self];
        e < network.offsets()[neighbourhood.self + 1];
        e++) {
      hears.add(network.heard()[e]);
    }
  }

  /** Waits for letters, not too long, and hands all that came to the algorithm. */
  <S extends Algorithm.State> S deliver(Algorithm.Events<S> algorithm, S state) {
    S s = state;
    long begin = Machine.here().nanoTime();
    long patience = (long) Math.min(LONGEST_PAUSE_NS, PATIENCE * usual);
    try {
      boolean alone = hears.stream().allMatch(k -> k == setup.self());
      Links.@Nullable Delivery letter = links.letter(alone ? 0 : patience);
      if (letter != null) {
        usual = 0.9 * usual + 0.1 * (Machine.here().nanoTime() - begin);
      }
      while (letter != null) {
        s = received(algorithm, s, letter);
        letter = links.letter(0);
      }
      return s;
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for letters", interrupted);
    }
  }

  private <S extends Algorithm.State> S received(
      Algorithm.Events<S> algorithm, S state, Links.Delivery letter) {
    Message message = letter.message();
    try {
      HostRows content = host.block(1, width(algorithm, state, message));
      NumberCodec.FLOAT64.decode(message, content.values(), 0, content.width(), PeerExchange.BOUND);
      return algorithm.receive(state, new Algorithm.Letter(letter.from(), content), this);
    } catch (Refused refused) {
      links.refuse(letter.from(), refused);
      return state;
    }
  }

  private static <S extends Algorithm.State> int width(
      Algorithm.Events<S> algorithm, S state, Message message) throws Refused {
    List<Integer> allowed = algorithm.letterWidths(state.theta().width());
    for (int width : allowed) {
      if (message.length() == (long) width * Double.BYTES) {
        return width;
      }
    }
    throw new Refused(
        Reason.DIMENSION,
        "a letter must have as many numbers as one of %s; got %d bytes"
            .formatted(allowed, message.length()));
  }

  @Override
  public List<Integer> hears() {
    return hears;
  }

  @Override
  public double weight(int i) {
    Network network = setup.network();
    return network.weights()[network.offsets()[setup.self()] + i];
  }

  @Override
  public List<Integer> listeners() {
    return listeners.stream().filter(links::connected).toList();
  }

  @Override
  public int self() {
    return setup.self();
  }

  @Override
  public void send(int to, Rows content) {
    HostRows row = HostRows.in(content);
    links.post(to, NumberCodec.FLOAT64.encode(row.values(), 0, row.width(), limits));
  }
}
