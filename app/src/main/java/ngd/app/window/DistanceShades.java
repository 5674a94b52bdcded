package ngd.app.window;

import java.util.Base64;

/**
 * A byte of colour for each client, by the logarithm of its distance: 0 for the nearest of now, 255
 * for the farthest of now. A byte is all that a page can show, and little to send.
 */
final class DistanceShades {
  /** Distances within this factor of each other are equal but for rounding. */
  private static final double EQUAL = 1 + 1e-9;

  private double nearest = Double.POSITIVE_INFINITY;
  private double farthest;
  private byte[] bytes = new byte[0];

  /** Takes the distances as they are now. */
  void take(double[] distances) {
    nearest = Double.POSITIVE_INFINITY;
    farthest = 0;
    for (double distance : distances) {
      if (distance > 0 && Double.isFinite(distance)) {
        nearest = Math.min(nearest, distance);
        farthest = Math.max(farthest, distance);
      }
    }
    double low = Math.log(nearest);
    double range = Math.max(Math.log(farthest) - low, Math.log(EQUAL));
    bytes = new byte[distances.length];
    for (int m = 0; m < distances.length; m++) {
      // What is lost is far.
      double shade = distances[m] == 0 ? 0 : (Math.log(distances[m]) - low) / range;
      bytes[m] = (byte) Math.round(255 * (Double.isNaN(shade) ? 1 : Math.clamp(shade, 0, 1)));
    }
  }

  double nearest() {
    return nearest;
  }

  double farthest() {
    return farthest;
  }

  /** All bytes, in base 64. */
  String text() {
    return Base64.getEncoder().encodeToString(bytes);
  }
}
