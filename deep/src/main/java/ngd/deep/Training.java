package ngd.deep;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.AlgorithmChoice;
import ngd.core.data.Assignment;
import ngd.core.data.Partition;
import ngd.core.data.Placement;
import ngd.core.network.NamedNetwork;
import ngd.core.network.Network;
import ngd.core.network.NetworkSchedule;
import ngd.core.network.Topology;
import ngd.core.random.Streams;
import ngd.core.rows.Rows;
import ngd.core.training.RunningStatistics;
import ngd.core.training.Trainer;
import ngd.core.training.TrainingQuestion;
import ngd.core.world.Course;
import ngd.core.world.Suitability;
import ngd.deep.data.DataSet;
import ngd.deep.data.FirstOfEach;
import ngd.deep.data.Samples;
import ngd.deep.data.Standardisation;
import ngd.deep.device.Device;
import ngd.deep.device.DeviceExchange;
import ngd.deep.device.Precision;
import ngd.deep.model.Model;
import ngd.deep.model.Net;
import ngd.deep.model.Safetensors;
import org.jspecify.annotations.Nullable;

/** A prepared training: data on the device, clients on their network, the first round to come. */
public final class Training implements AutoCloseable {
  private final TrainingQuestion plan;
  private final DataSet data;
  private final Net net;
  private final int[] sizes;
  private final Device device;
  private final Statistics statistics;
  private final DeviceExchange exchange;
  private final DeviceRun<?> run;
  private final Evaluation evaluation;
  private final @Nullable FusedPass fused;
  private final Safetensors.@Nullable Found given;

  private Training(TrainingQuestion plan, DataSet data, Device device, Trainer.Watch watch) {
    this.plan = plan;
    this.data = data;
    this.device = device;
    Streams streams = Streams.of(plan.seed());
    Samples train = data.train();
    net = new Net(Model.parse(plan.model()), train.shape(), train.classes());
    Assignment assignment = assignment(plan, train, streams);
    sizes = assignment.sizes();
    NetworkSchedule network = network(plan, sizes, streams);
    Algorithm.Rounds<?> algorithm = algorithm(plan, network, sizes, watch);
    Standardisation standard = Standardisation.of(train);
    ClientData clients = byClient(train, assignment, standard, device);
    int[] inOrder = IntStream.range(0, data.validation().size()).toArray();
    ClientData tested =
        placed(data.validation(), inOrder, new int[] {0, inOrder.length}, standard, device);
    statistics =
        new Statistics(device, net, sizes.length, plan.statistics() == RunningStatistics.FROZEN);
    exchange = new DeviceExchange(network, device, plan.mix());
    fused = plan.fused() ? FusedPass.of(net, clients, device, statistics, watch::warning) : null;
    DeviceLocal local = new DeviceLocal(net, clients, device, streams, statistics, fused);
    evaluation = new Evaluation(net, tested, device, statistics);
    double[] start = net.start(streams);
    double[][] rows = new double[sizes.length][];
    Arrays.fill(rows, start);
    // A checkpoint holds all of it anyway.
    given = plan.start() == null || plan.resume() ? null : given(plan.start(), rows);
    Course course = new Course(exchange, local, device, streams, 0);
    run = new DeviceRun<>(algorithm, course, device.of(rows));
  }

  /** Begins with what a file holds. */
  private Safetensors.Found given(Path file, double[][] theta) {
    Arrays.setAll(theta, m -> theta[m].clone());
    double[][] kept = statistics.values();
    Safetensors.Found found = Safetensors.read(file, net, theta, kept);
    statistics.restore(kept);
    return found;
  }

  /** Reads and checks all that the plan asks for. */
  public static Training prepare(TrainingQuestion plan, Trainer.Watch watch) {
    // A wrong word is found before the data, which may take long to read.
    Model.parse(plan.model());
    Precision.parse(plan.precision());
    DataSet data = DataSet.read(plan.data(), clientColumn(plan), watch::warning);
    if (plan.samples() > 0) {
      data =
          new DataSet(
              FirstOfEach.of(data.train(), plan.samples()),
              FirstOfEach.of(data.validation(), plan.samples()));
    }
    return prepare(plan, data, watch);
  }

  private static Optional<String> clientColumn(TrainingQuestion plan) {
    return !plan.pooled() && plan.partition() instanceof Partition.ByColumn column
        ? Optional.of(column.name())
        : Optional.empty();
  }

  /** The same with data that are read already. */
  static Training prepare(TrainingQuestion plan, DataSet data, Trainer.Watch watch) {
    Device device =
        Device.of(plan.device(), Precision.parse(plan.precision()), plan.work().threads());
    try {
      return new Training(plan, data, device, watch);
    } catch (RuntimeException failed) {
      device.close();
      throw failed;
    }
  }

  private static Assignment assignment(TrainingQuestion plan, Samples train, Streams streams) {
    return plan.pooled()
        ? new Partition.Sizes(List.of(train.size()))
            .assign(train.cases(), OptionalInt.of(1), Placement.IN_ORDER, streams)
        : plan.partition().assign(train.cases(), plan.clients(), plan.placement(), streams);
  }

  private static NetworkSchedule network(TrainingQuestion plan, int[] sizes, Streams streams) {
    if (plan.pooled()) {
      return Network.of(new double[][] {{1}});
    }
    Topology topology = Topology.parse(plan.network(), sizes.length, streams);
    return NamedNetwork.of(topology, plan.weights(), sizes).schedule();
  }

  private static Algorithm.Rounds<?> algorithm(
      TrainingQuestion plan, NetworkSchedule network, int[] sizes, Trainer.Watch watch) {
    AlgorithmChoice choice = plan.algorithm();
    Suitability suitability = new Suitability(network, DeviceLocal.class, plan.mix());
    suitability.require(choice);
    suitability.warnings().forEach(watch::warning);
    return choice.rounds(suitability.scales(choice.descriptor(), sizes), false);
  }

  private static ClientData byClient(
      Samples samples, Assignment assignment, Standardisation standard, Device device) {
    int[] offsets = new int[assignment.clients() + 1];
    int[] sizes = assignment.sizes();
    for (int m = 0; m < sizes.length; m++) {
      offsets[m + 1] = offsets[m] + sizes[m];
    }
    int[] next = offsets.clone();
    int[] order = new int[samples.size()];
    for (int i = 0; i < order.length; i++) {
      order[next[assignment.client(i)]++] = i;
    }
    return placed(samples, order, offsets, standard, device);
  }

  private static ClientData placed(
      Samples samples, int[] order, int[] offsets, Standardisation standard, Device device) {
    long[] labels = Arrays.stream(order).mapToLong(samples::label).toArray();
    return new ClientData(device, samples.shape(), offsets, standard.apply(samples, order), labels);
  }

  /** How many arrays a file gave, where one was named; the others begin as without it. */
  Safetensors.@Nullable Found given() {
    return given;
  }

  public TrainingQuestion plan() {
    return plan;
  }

  public DataSet data() {
    return data;
  }

  public Net net() {
    return net;
  }

  public int clients() {
    return sizes.length;
  }

  /** The samples of the client that has most. */
  int longest() {
    return Arrays.stream(sizes).max().orElseThrow();
  }

  public int round() {
    return run.round();
  }

  /** What computes the gradients, in words. */
  public String passes() {
    return fused == null
        ? device.cuda() ? "libtorch, all clients in one pass" : "libtorch, one client per thread"
        : fused.toString();
  }

  /** How often each client has gone through its samples: the paper's epochs. */
  public double epoch() {
    int batch = plan.algorithm().batch();
    int perEpoch = batch == 0 ? 1 : Math.ceilDiv(longest(), batch);
    return (double) round() * plan.algorithm().localSteps() / perEpoch;
  }

  /** Does this many more rounds, and waits until the device has done them all. */
  public void advance(int rounds) {
    advance(rounds, () -> {});
  }

  /**
   * The same, telling the hook after each round that was asked for.
   *
   * @throws ngd.core.world.Diverged where an estimate is lost
   */
  void advance(int rounds, Runnable hook) {
    boolean mixes = plan.statistics() == RunningStatistics.MIXED;
    run.advance(
        rounds,
        () -> {
          if (mixes) {
            statistics.mix(exchange);
          }
          hook.run();
        });
  }

  /** Every client's estimate; valid until the next round. */
  public Rows theta() {
    return run.theta();
  }

  /** Err of each client on the validation samples. */
  public List<Double> errors() {
    List<Double> errors = new ArrayList<>();
    for (double err : evaluation.errors(run.theta())) {
      errors.add(err);
    }
    return errors;
  }

  Statistics statistics() {
    return statistics;
  }

  /** Writes all that the next round depends on. */
  void write(DataOutputStream out) throws IOException {
    double[][] kept = statistics.values();
    for (double[] row : kept) {
      for (double value : row) {
        out.writeDouble(value);
      }
    }
    run.write(out);
  }

  /**
   * Goes on from what was written; changes nothing where it cannot.
   *
   * @param most the bytes that are left at most
   */
  void restore(DataInputStream in, long most) throws IOException {
    double[][] kept = statistics.values();
    for (double[] row : kept) {
      for (int j = 0; j < row.length; j++) {
        row[j] = in.readDouble();
      }
    }
    run.restore(in, most);
    statistics.restore(kept);
  }

  @Override
  public void close() {
    if (fused != null) {
      fused.close();
    }
    device.close();
  }
}
