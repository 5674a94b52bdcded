package ngd.core.inference;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import ngd.core.algorithm.CodedRows;
import ngd.core.algorithm.Exchange;
import ngd.core.network.Network;
import ngd.core.rows.Edges;
import ngd.core.rows.Rows;
import ngd.core.world.Course;
import ngd.core.world.World;

/** The exchange of a simulation, which keeps of every call what site 0 gives and gets. */
final class OverhearingExchange implements Exchange {
  /** The calls by which sites hear each other. */
  enum Kind {
    MIX,
    PUSH,
    HEAR,
    REPLY,
    TOTAL,
    MAX
  }

  /**
   * One call as site 0 lives through it.
   *
   * @param given what site 0 puts in
   * @param seen what reaches site 0: the rows it hears one after the other, or the sums
   */
  record Call(Kind kind, List<Double> given, List<Double> seen) {}

  private final Exchange inner;
  private final Network network;
  private final List<Call> calls = new ArrayList<>();

  private OverhearingExchange(Exchange inner, Network network) {
    this.inner = inner;
    this.network = network;
  }

  /** Listens at site 0 of a world. */
  static OverhearingExchange in(World world, Network network) {
    return new OverhearingExchange(world.course().exchange(), network);
  }

  /** The world as it was, with this exchange in place of its own for rounds and sums. */
  World within(World world) {
    Course course = world.course().with(this);
    return new World(world.rows(), this, course, world.stages());
  }

  List<Call> calls() {
    return Collections.unmodifiableList(calls);
  }

  /** What reached site 0 in calls of this kind, in order. */
  List<List<Double>> seen(Kind kind) {
    return calls.stream().filter(call -> call.kind() == kind).map(Call::seen).toList();
  }

  @Override
  public Rows mix(Rows x) {
    keep(Kind.MIX, x.row(0), heard(x));
    return inner.mix(x);
  }

  @Override
  public Rows mix(Rows own, CodedRows said) {
    keep(Kind.MIX, own.row(0), heard(said.read()));
    return inner.mix(own, said);
  }

  @Override
  public Rows push(Rows x) {
    keep(Kind.PUSH, x.row(0), heard(x));
    return inner.push(x);
  }

  @Override
  public Edges hear(Rows x) {
    keep(Kind.HEAR, x.row(0), heard(x));
    return inner.hear(x);
  }

  @Override
  public Edges reply(Edges x) {
    keep(Kind.REPLY, new double[0], new double[0]);
    return inner.reply(x);
  }

  @Override
  public double[] linkWeights() {
    return inner.linkWeights();
  }

  @Override
  public double[] total(double[]... perRow) {
    double[] sums = inner.total(perRow);
    keep(Kind.TOTAL, perRow[0], sums);
    return sums;
  }

  @Override
  public double max(double... perRow) {
    double most = inner.max(perRow);
    keep(Kind.MAX, new double[] {perRow[0]}, new double[] {most});
    return most;
  }

  private double[] heard(Rows x) {
    return Arrays.stream(network.heard(), network.offsets()[0], network.offsets()[1])
        .mapToObj(x::row)
        .flatMapToDouble(Arrays::stream)
        .toArray();
  }

  private void keep(Kind kind, double[] given, double[] seen) {
    calls.add(new Call(kind, boxed(given), boxed(seen)));
  }

  private static List<Double> boxed(double[] values) {
    return Arrays.stream(values).boxed().toList();
  }
}
