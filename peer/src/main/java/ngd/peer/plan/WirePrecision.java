package ngd.peer.plan;

import java.util.List;
import java.util.Locale;
import ngd.core.Vocabulary;

/** The numbers in which parameters travel. */
public enum WirePrecision {
  /** All bits: what the simulator computes. */
  FLOAT64,
  /** Half the bytes; parameters are rounded before they are sent. */
  FLOAT32;

  /** The word in the plan. */
  public String spec() {
    return name().toLowerCase(Locale.ROOT);
  }

  static WirePrecision parse(String word) {
    for (WirePrecision precision : values()) {
      if (precision.spec().equals(word.strip())) {
        return precision;
      }
    }
    throw new Vocabulary("precision", List.of("float64", "float32")).unknown(word);
  }
}
