package ngd.core.linalg;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/** The vectors of this machine: as wide as it has them, up to the eight virtual lanes. */
final class VectorLanes {
  static final VectorSpecies<Double> SPECIES = species();
  static final int WIDTH = SPECIES.length();

  /** Where the lanes of sums lie in the scratch of the row kernels, behind a tile of residuals. */
  static final int SUMS = Kernels.FRONT + Kernels.TILE;

  private VectorLanes() {}

  /** {@code -Dngd.lanes} narrows them, for tests. */
  private static VectorSpecies<Double> species() {
    int preferred = DoubleVector.SPECIES_PREFERRED.length();
    int lanes = Math.min(Kernels.LANES, Integer.getInteger("ngd.lanes", preferred));
    return VectorSpecies.of(double.class, VectorShape.forBitSize(64 * lanes));
  }
}
