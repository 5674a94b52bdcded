package ngd.deep.device;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import ngd.core.InvalidInput;
import ngd.core.NearestName;
import org.bytedeco.pytorch.global.torch.ScalarType;

/** The arithmetic of forward and backward passes. Mixing and steps are never below float32. */
public enum Precision {
  /** For tests of exactness. */
  FLOAT64(ScalarType.Double),
  FLOAT32(ScalarType.Float),
  /** Products on a GPU's matrix units with operands rounded to 11 bits; sums in float32. */
  TF32(ScalarType.Float),
  /** Weights and activations in bfloat16; θ, losses and gradients in float32. */
  BF16(ScalarType.Float);

  private final ScalarType rows;

  Precision(ScalarType rows) {
    this.rows = rows;
  }

  /** What θ is held in. */
  public ScalarType rows() {
    return rows;
  }

  /** The word on the command line. */
  public String spec() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Precision parse(String spec) {
    List<String> all = Arrays.stream(values()).map(Precision::spec).toList();
    int at = all.indexOf(spec);
    if (at < 0) {
      throw new InvalidInput(
          "precision: must be one of %s; got `%s`%s"
              .formatted(String.join(", ", all), spec, NearestName.hint(spec, all)));
    }
    return values()[at];
  }
}
