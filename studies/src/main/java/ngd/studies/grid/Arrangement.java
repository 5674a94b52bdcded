package ngd.studies.grid;

import java.io.Serializable;
import ngd.core.data.Partition;
import ngd.core.data.Placement;

/** How the rows come to the clients: a partition and a placement, in the command line's words. */
public record Arrangement(String partition, String placement) implements Serializable {
  public Arrangement {
    Partition.parse(partition);
    Placement.parse(placement);
  }

  /** The paper's homogeneous distribution. */
  public static final Arrangement RANDOM = new Arrangement("random", "in-order");

  /** The paper's heterogeneous distribution, neighbours in the network holding alike rows. */
  public static final Arrangement SORTED = new Arrangement("sorted", "in-order");

  /** The same pieces, dealt out at random. */
  public static final Arrangement SORTED_DEALT = new Arrangement("sorted", "random");

  /** For a figure's margin or a sentence. */
  public String title() {
    return partition.equals("random") && placement.equals("in-order")
        ? "random"
        : "%s, placed %s"
            .formatted(partition, placement.equals("random") ? "at random" : "in order");
  }
}
