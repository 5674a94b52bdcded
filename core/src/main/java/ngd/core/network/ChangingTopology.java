package ngd.core.network;

import java.util.ArrayList;
import java.util.List;
import ngd.core.InvalidInput;
import ngd.core.random.Streams;

/** Links that change from round to round, with weights of their own; {@link #graph} has all. */
public sealed interface ChangingTopology extends Topology {
  /** W by round. */
  NetworkSchedule schedule();

  @Override
  default Graph graph() {
    return Graph.ofOthers(schedule().mean());
  }

  /**
   * In round t client m hears m + 2^t, t counting to ⌈log₂ M⌉ and from 0 again, and gives it half
   * of its weight (Assran et al. 2019; Ying et al. 2021): if M is a power of two, a period averages
   * exactly.
   */
  record OnePeerExponential(int clients) implements ChangingTopology {
    public OnePeerExponential {
      TopologyWords.requireClients("one-peer-exponential", clients, 2, "one to hear");
    }

    @Override
    public NetworkSchedule schedule() {
      List<Network> rounds = new ArrayList<>();
      for (long hop = 1; hop < clients; hop *= 2) {
        LinkWeights w = new LinkWeights(clients);
        for (int m = 0; m < clients; m++) {
          w.add(m, (int) ((m + hop) % clients), 0.5);
          w.add(m, m, 0.5);
        }
        rounds.add(w.network());
      }
      return NetworkCycle.of(rounds);
    }
  }

  /**
   * The base-(K+1) graph: each client hears at most {@code degree} others in a round, and a period
   * averages exactly, whatever M ({@link BaseGraph}).
   */
  record BaseKPlusOne(int clients, int degree) implements ChangingTopology {
    public BaseKPlusOne {
      TopologyWords.requireClients("base", clients, 2, "one to hear");
      if (degree < 1 || degree >= clients) {
        throw new InvalidInput(
            "base: K must lie in [1, %d], the other clients; got %d"
                .formatted(clients - 1, degree));
      }
    }

    @Override
    public NetworkSchedule schedule() {
      return NetworkCycle.of(BaseGraph.rounds(clients, degree));
    }
  }

  /** In every round another random matching ({@link RandomMatching}). */
  record Matching(int clients, Streams streams) implements ChangingTopology {
    public Matching {
      TopologyWords.requireClients("random-matching", clients, 2, "one to hear");
    }

    @Override
    public NetworkSchedule schedule() {
      return new RandomMatching(clients, streams);
    }
  }
}
