package ngd.core.algorithm;

import java.util.ArrayList;
import java.util.List;
import ngd.core.InvalidInput;
import ngd.core.codec.Codec;
import ngd.core.random.Draws;
import ngd.core.rows.Edges;
import ngd.core.rows.Rows;

/**
 * Any method that averages, with messages in fewer bytes: where it asks for W x, each client
 * averages its own x and the Q(x) of others. With error feedback a client sends Q(x + e) and keeps
 * e ← x + e − Q(x + e), for each message of a round its own.
 */
public record Coded<S extends Algorithm.State>(Algorithm.Rounds<S> method, Codec codec)
    implements Algorithm.Rounds<Coded.State<S>> {

  /**
   * Where the method stands.
   *
   * @param <S> the method's own state
   * @param left what the messages of a round left out so far, in their order; empty without error
   *     feedback
   */
  public record State<S extends Algorithm.State>(S inner, List<Rows> left)
      implements Algorithm.State {
    public State {
      left = List.copyOf(left);
    }

    @Override
    public int round() {
      return inner.round();
    }

    @Override
    public Rows theta() {
      return inner.theta();
    }

    @Override
    public List<Rows> rows() {
      List<Rows> all = new ArrayList<>(inner.rows());
      all.addAll(left);
      return all;
    }
  }

  @Override
  public State<S> start(Rows theta) {
    return new State<>(method.start(theta), List.of());
  }

  @Override
  public State<S> step(State<S> s, Exchange exchange, Local local, Draws draws) {
    Speech speech = new Speech(exchange, codec, draws, new ArrayList<>(s.left()));
    S next = method.step(s.inner(), speech, local, draws);
    return new State<>(next, speech.left);
  }

  /** One round's messages. */
  private static final class Speech implements Exchange {
    private final Exchange exchange;
    private final Codec codec;
    private final Draws draws;
    private final List<Rows> left;
    private int place;

    Speech(Exchange exchange, Codec codec, Draws draws, List<Rows> left) {
      this.exchange = exchange;
      this.codec = codec;
      this.draws = draws;
      this.left = left;
    }

    @Override
    public Rows mix(Rows x) {
      int now = place++;
      if (!(codec instanceof Codec.ErrorFeedback)) {
        return exchange.mix(x, CodedRows.of(codec, x, draws, now));
      }
      Rows wanted = now < left.size() ? x.plus(left.get(now)) : x;
      CodedRows said = CodedRows.of(codec, wanted, draws, now);
      Rows rest = wanted.minus(said.read());
      if (now < left.size()) {
        left.set(now, rest);
      } else {
        left.add(rest);
      }
      return exchange.mix(x, said);
    }

    @Override
    public Rows mix(Rows own, CodedRows said) {
      throw notAveraged("what is compressed already");
    }

    @Override
    public Rows push(Rows x) {
      throw notAveraged("shares that are pushed");
    }

    @Override
    public Edges hear(Rows x) {
      throw notAveraged("what is heard link by link");
    }

    @Override
    public Edges reply(Edges x) {
      throw notAveraged("replies");
    }

    private InvalidInput notAveraged(String what) {
      return new InvalidInput(
          "codec %s: works on rows that are averaged, not on %s; use --codec none"
              .formatted(codec.spec(), what));
    }

    @Override
    public double[] linkWeights() {
      return exchange.linkWeights();
    }

    @Override
    public double[] total(double[]... perRow) {
      return exchange.total(perRow);
    }

    @Override
    public double[] total(Rows x) {
      return exchange.total(x);
    }

    @Override
    public double max(double... perRow) {
      return exchange.max(perRow);
    }
  }
}
