package ngd.peer.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import ngd.core.InvalidInput;
import ngd.core.WorkFailed;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.descent.Ngd;
import ngd.core.answer.Answer;
import ngd.core.answer.MethodAnswer;
import ngd.core.answer.PooledAnswer;
import ngd.core.data.Shards;
import ngd.core.model.Linear;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.random.Streams;
import ngd.core.simulation.Run;
import ngd.core.simulation.Simulation;
import ngd.peer.Masks;
import ngd.peer.SiteAnswer;
import ngd.peer.SiteRun;
import ngd.peer.identity.Authority;
import ngd.peer.identity.Kit;
import ngd.peer.identity.Packing;
import ngd.peer.identity.PeerIdentity;
import ngd.peer.machine.Machine;
import ngd.peer.plan.PlanReader;
import ngd.peer.plan.PlanTemplate;
import ngd.peer.plan.Site;
import ngd.peer.plan.WrittenPlan;
import ngd.peer.wire.SimulatedTransport;
import ngd.peer.wire.proto.Kind;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * One run of a signed plan by sites with kits and tables, as {@code ngd peer run} runs it: a pooled
 * fit, rounds of NGD, or either with noise.
 */
final class KitFaults extends FaultRun {
  private static final double TOLERANCE = 1e-9;
  private static final double ALPHA = 0.1;
  private static final int ROUNDS = 8;
  private static final List<Integer> PREDICTORS = List.of(1, 2);

  /** Prepared once: making keys takes longer than a simulation. */
  private static final Map<Prepared, SimulatedDisk> PREPARED = new ConcurrentHashMap<>();

  private record Prepared(Asked kind, int peers) {}

  /** What is asked. */
  private enum Asked {
    POOLED,
    ROUNDS,
    LOCAL_NOISE("epsilon=5,delta=1e-5,clip=2"),
    CORRELATED_NOISE("epsilon=5,delta=1e-5,clip=2,noise=correlated"),
    CENTRAL_NOISE("epsilon=5,delta=1e-5,clip=2,noise=central,bound=5,steps=3");

    private final String privacy;

    Asked() {
      this("");
    }

    Asked(String privacy) {
      this.privacy = privacy;
    }

    PlanTemplate plan() {
      PlanTemplate plan =
          new PlanTemplate()
              .with("federation", "simulated")
              .with("network", "complete")
              .with("formula", "y ~ x + z")
              .with("family", "gaussian");
      if (this == ROUNDS || this == LOCAL_NOISE || this == CORRELATED_NOISE) {
        plan.with("algorithm", "ngd")
            .with("alpha", Double.toString(ALPHA))
            .with("rounds", Integer.toString(KitFaults.ROUNDS));
      }
      return privacy.isEmpty() ? plan : plan.with("privacy", privacy);
    }
  }

  private final Asked kind;
  private final DataVersions data;
  private final MaskLedger masks;

  /** The first answer, where all must be the same. */
  private double[] first = {};

  KitFaults(long seed, FaultMode mode, int peers) {
    // Terms of sums carry signatures, which are other bytes each time.
    super(
        seed,
        mode,
        IntStream.range(0, peers).mapToObj(m -> "site-" + m).toList(),
        EnumSet.of(Kind.MIX, Kind.PUSH, Kind.HEAR, Kind.REPLY));
    Asked drawn = Asked.values()[draw.nextInt(Asked.values().length)];
    // Of two sites, one that colludes would know all noise that they have in common.
    kind = drawn == Asked.CORRELATED_NOISE && peers < 3 ? Asked.LOCAL_NOISE : drawn;
    data = new DataVersions(peers);
    masks = new MaskLedger(world::violated);
    world.note(kind.toString());
    SimulatedDisk prepared =
        PREPARED.computeIfAbsent(new Prepared(kind, peers), KitFaults::prepare);
    for (FaultSite site : world.sites) {
      try {
        site.disk.put(site.disk.root(), prepared.copy(prepared.root().resolve(site.name)));
      } catch (IOException impossible) {
        throw new UncheckedIOException(impossible);
      }
    }
  }

  private static SimulatedDisk prepare(Prepared wanted) {
    List<Site> sites =
        IntStream.range(0, wanted.peers())
            .mapToObj(m -> new Site("site-" + m, "localhost", 1 + m))
            .toList();
    return prepared(() -> PlanReader.parse(wanted.kind().plan().text(sites)));
  }

  /** A disk with a folder for each site, which holds its kit, its keys and its rules. */
  static SimulatedDisk prepared(Supplier<WrittenPlan> plan) {
    UniformRandomProvider draw = Streams.of(0).stream(Streams.Purpose.EVENTS, 4);
    SimulatedDisk disk = new SimulatedDisk();
    // The same keys in every process, so that a seed is the same run in every process.
    Machine.on(
        new SimulatedMachine(new Schedule(draw), 0, draw, 0, impossible -> {}, line -> {}),
        () -> prepare(plan.get(), disk));
    return disk;
  }

  private static void prepare(WrittenPlan plan, SimulatedDisk disk) {
    Path root = disk.root();
    try {
      Path file = Files.writeString(root.resolve("plan.yaml"), plan.text());
      Authority authority =
          Authority.create(
              root.resolve("authority"),
              "simulated",
              InstantSource.fixed(SimulatedMachine.EPOCH.minus(Duration.ofHours(1))));
      Packing.allLocal(authority, plan, file, root);
      for (String site : plan.plan().names()) {
        Files.writeString(
            root.resolve(site).resolve("site.yaml"),
            "nfilter.tab: 1\nnfilter.subset: 1\ndifferencing: off\n");
      }
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  @Override
  void work(FaultSite site) throws InterruptedException {
    SimulatedMachine machine = Objects.requireNonNull(site.machine);
    Path root = site.disk.root();
    try {
      PeerIdentity identity = PeerIdentity.open(Kit.open(root), site.name, machine.calendar());
      Path state = root.resolve("state");
      SiteRun run =
          new SiteRun(
              identity,
              identity.kit().plan().plan(),
              state,
              state,
              _ -> new SimulatedTransport(world.network, site.name),
              new SiteRun.Seams() {
                @Override
                public Masks masks(Masks real) {
                  return masks.around(site.number, real);
                }
              });
      SiteAnswer _ = run.run(table(site.number, data.of(site.number)), one -> answered(site, one));
    } catch (InvalidInput | WorkFailed refusal) {
      refused(site, refusal);
      return;
    } catch (UncheckedIOException disk) {
      diskRefused(site, disk.getCause());
      return;
    }
    left(site);
  }

  private FaultTable table(int site, int version) {
    return FaultTable.of(world.sites.get(site).name, site + 100 * version);
  }

  private void answered(FaultSite site, SiteAnswer found) {
    double[] theta = numbers(found.answer());
    if (theta.length > 0 && !data.admits(versions -> fits(site.number, theta, versions))) {
      world.violated("%s: its answer %s is wrong".formatted(site.name, Arrays.toString(theta)));
    }
    if (kind == Asked.POOLED) {
      first = first.length == 0 ? theta : first;
      if (!Arrays.equals(theta, first)) {
        world.violated("%s: its answer is another than elsewhere".formatted(site.name));
      }
    }
    answered(site);
  }

  /** What can be foretold of an answer; noise cannot. */
  private double[] numbers(Answer answer) {
    return switch (answer) {
      case PooledAnswer pooled when kind == Asked.POOLED -> pooled.inference().estimate().theta();
      case MethodAnswer method when kind == Asked.ROUNDS -> method.theta().row(0);
      default -> new double[0];
    };
  }

  private boolean fits(int site, double[] theta, List<Integer> versions) {
    List<FaultTable> tables =
        IntStream.range(0, versions.size()).mapToObj(m -> table(m, versions.get(m))).toList();
    if (kind == Asked.ROUNDS) {
      return Arrays.equals(theta, simulated(tables)[site]);
    }
    double[] expected = FaultTable.leastSquares(tables, PREDICTORS);
    return IntStream.range(0, expected.length)
        .allMatch(j -> Math.abs(theta[j] - expected[j]) <= TOLERANCE * (1 + Math.abs(expected[j])));
  }

  /** The rounds by the simulator. */
  private static double[][] simulated(List<FaultTable> tables) {
    int[] sizes = tables.stream().mapToInt(table -> table.rows().size()).toArray();
    Shards.Filler filler = Shards.sized(1 + PREDICTORS.size(), sizes);
    for (int m = 0; m < sizes.length; m++) {
      for (int i = 0; i < sizes[m]; i++) {
        List<Double> row = tables.get(m).rows().get(i);
        filler.put(m, i, new double[] {1, row.get(1), row.get(2)}, row.getFirst());
      }
    }
    Streams streams = Streams.of(1);
    Network network = Network.of(Topology.parse("complete", sizes.length, streams));
    Simulation simulation = new Simulation(network, new Linear().over(filler.done()), streams, 1);
    try (Run<?> run = simulation.start(new Ngd(StepSize.constant(ALPHA)))) {
      run.advance(ROUNDS);
      double[][] found = new double[sizes.length][];
      Arrays.setAll(found, run.theta()::row);
      return found;
    }
  }

  @Override
  void changeData(FaultSite site) {
    data.change(site.number, anyAnswer());
  }
}
