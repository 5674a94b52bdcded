package ngd.core.data;

import java.util.Arrays;
import java.util.List;
import ngd.core.InvalidInput;
import ngd.core.NearestName;
import ngd.core.random.Streams;
import org.apache.commons.rng.sampling.PermutationSampler;

/** Which client gets which piece of a partition. It matters: a network has an order of its own. */
public enum Placement {
  /** Client m gets piece m. */
  IN_ORDER("in-order"),
  /** The pieces are dealt out in a random order. */
  RANDOM("random");

  private final String spec;

  Placement(String spec) {
    this.spec = spec;
  }

  /** The word on the command line. */
  public String spec() {
    return spec;
  }

  public static Placement parse(String spec) {
    List<String> all = Arrays.stream(values()).map(Placement::spec).toList();
    return Arrays.stream(values())
        .filter(placement -> placement.spec.equals(spec))
        .findFirst()
        .orElseThrow(
            () ->
                new InvalidInput(
                    "placement: must be in-order or random; got `%s`%s"
                        .formatted(spec, NearestName.hint(spec, all))));
  }

  Assignment place(Assignment pieces, Streams streams) {
    return switch (this) {
      case IN_ORDER -> pieces;
      case RANDOM -> {
        int[] to = PermutationSampler.natural(pieces.clients());
        PermutationSampler.shuffle(streams.stream(Streams.Purpose.PLACEMENT), to);
        yield pieces.relabelled(to);
      }
    };
  }
}
