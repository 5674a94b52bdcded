package ngd.studies.grid;

import ngd.core.data.Partition;
import ngd.core.data.Placement;

/** How the rows come to the clients. */
public record Arrangement(Partition partition, Placement placement) {

  /** The paper's homogeneous distribution. */
  public static final Arrangement RANDOM =
      new Arrangement(new Partition.Shuffled(), Placement.IN_ORDER);

  /** The paper's heterogeneous distribution, neighbours in the network holding alike rows. */
  public static final Arrangement SORTED =
      new Arrangement(new Partition.Sorted(), Placement.IN_ORDER);

  /** The same pieces, dealt out at random. */
  public static final Arrangement SORTED_DEALT =
      new Arrangement(new Partition.Sorted(), Placement.RANDOM);

  /** For a figure's margin or a sentence. */
  public String title() {
    return equals(RANDOM)
        ? "random"
        : "%s, placed %s"
            .formatted(partition.spec(), placement == Placement.RANDOM ? "at random" : "in order");
  }
}
