package ngd.peer.faults;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import ngd.core.InvalidInput;
import ngd.core.WorkFailed;
import ngd.core.world.Mixing;
import ngd.peer.PeerNode;
import ngd.peer.PeerOptions;
import ngd.peer.PeerSetup;
import ngd.peer.plan.Policy;
import ngd.peer.wire.Agreement;
import ngd.peer.wire.NumberCodec;
import ngd.peer.wire.PeerAddress;
import ngd.peer.wire.SimulatedTransport;
import ngd.peer.wire.proto.Kind;

/**
 * One run of a small program by peers without kits and plans: the exchange, the links, sums,
 * rounds, snapshots and the end of a run, as in production, fast enough for very many seeds.
 */
final class NodeFaults extends FaultRun {
  private static final String RUN = "00ff00ff";
  private static final int MESSAGE_BYTES = 1 << 16;

  private final FaultFit fit;
  private final MaskLedger masks;
  private final List<PeerAddress> addresses = new ArrayList<>();
  private final DataVersions data;

  NodeFaults(long seed, FaultMode mode, int peers) {
    super(seed, mode, NodeKeys.names(peers), EnumSet.complementOf(EnumSet.of(Kind.LETTER)));
    String[] topologies =
        peers < 3
            ? new String[] {"complete"}
            : new String[] {"complete", "ring:1", "circle:1", "central"};
    fit =
        new FaultFit(
            topologies[world.draw.nextInt(topologies.length)],
            peers,
            1 + world.draw.nextInt(3),
            new int[] {0, 4, 12, 40}[world.draw.nextInt(4)],
            new int[] {2, 5, 9}[world.draw.nextInt(3)]);
    masks = new MaskLedger(world::violated);
    for (FaultSite site : world.sites) {
      addresses.add(new PeerAddress(site.number, site.name, site.name, 1));
    }
    data = new DataVersions(peers);
    world.note(fit.toString());
  }

  @Override
  void work(FaultSite site) throws IOException, InterruptedException {
    Path folder = site.disk.root().resolve("state").resolve("run");
    PeerOptions options =
        new PeerOptions(
            new Mixing.Mean(),
            new Policy.Wait(),
            NumberCodec.FLOAT64,
            masks.around(site.number, NodeKeys.masks(site.number, fit.clients(), RUN)),
            NodeKeys.signatures(site.number, RUN),
            PeerOptions.LINGER);
    PeerSetup setup =
        new PeerSetup(
            new Agreement(RUN, "simulated"),
            site.number,
            addresses,
            fit.network(),
            FaultFit.STREAMS,
            options,
            MESSAGE_BYTES,
            folder);
    try (PeerNode node = new PeerNode(setup, new SimulatedTransport(world.network, site.name))) {
      double[] _ =
          node.run(
              context -> fit.program(context, data.of(site.number)),
              answer -> answered(site, answer));
    } catch (InvalidInput | WorkFailed refusal) {
      refused(site, refusal);
      return;
    } catch (IOException disk) {
      diskRefused(site, disk);
      return;
    }
    left(site);
  }

  private void answered(FaultSite site, double[] answer) {
    if (!data.admits(one -> Arrays.equals(answer, fit.expected(one)[site.number]))) {
      world.violated(
          "%s: its answer %s is not the simulator's".formatted(site.name, Arrays.toString(answer)));
    }
    answered(site);
  }

  @Override
  void changeData(FaultSite site) {
    data.change(site.number, anyAnswer());
  }
}
