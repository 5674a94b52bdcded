package ngd.core.world;

import java.util.Arrays;
import ngd.core.network.Network;
import ngd.core.rows.HostRows;

/** The rules of {@link Mixing} in plain loops: what each client makes of what it heard. */
public record RobustMix(Network network, Mixing mixing) {
  /** Rows [from, to) of out; {@code own} is the truth, {@code sent} what was said. */
  public void mix(HostRows own, HostRows sent, HostRows out, int from, int to) {
    for (int m = from; m < to; m++) {
      switch (mixing) {
        case Mixing.Mean() -> mean(m, own, sent, out);
        case Mixing.Trimmed(int drop) -> sorted(m, own, sent, out, drop);
        case Mixing.Median() -> sorted(m, own, sent, out, Integer.MAX_VALUE);
        case Mixing.Clipped(double radius) -> clipped(m, own, sent, out, radius);
      }
    }
  }

  private void mean(int m, HostRows own, HostRows sent, HostRows out) {
    int stride = own.stride();
    for (int j = 0; j < own.width(); j++) {
      double sum = 0;
      for (int e = network.offsets()[m]; e < network.offsets()[m + 1]; e++) {
        int k = network.heard()[e];
        HostRows from = k == m ? own : sent;
        sum = Math.fma(network.weights()[e], from.values()[k * stride + j], sum);
      }
      out.values()[m * stride + j] = sum;
    }
  }

  /** The mean of the middle ones; NaN sorts above everything, so it is dropped with the largest. */
  private void sorted(int m, HostRows own, HostRows sent, HostRows out, int drop) {
    int stride = own.stride();
    double[] heard = new double[network.offsets()[m + 1] - network.offsets()[m] + 1];
    for (int j = 0; j < own.width(); j++) {
      int count = 0;
      heard[count++] = own.values()[m * stride + j];
      for (int e = network.offsets()[m]; e < network.offsets()[m + 1]; e++) {
        int k = network.heard()[e];
        if (k != m) {
          heard[count++] = sent.values()[k * stride + j];
        }
      }
      Arrays.sort(heard, 0, count);
      // The median is what trimming leaves when one or two are left.
      int dropped = Math.min(drop, (count - 1) / 2);
      double sum = 0;
      for (int i = dropped; i < count - dropped; i++) {
        sum += heard[i];
      }
      out.values()[m * stride + j] = sum / (count - 2 * dropped);
    }
  }

  private void clipped(int m, HostRows own, HostRows sent, HostRows out, double radius) {
    int stride = own.stride();
    int at = m * stride;
    double[] moved = new double[own.width()];
    for (int e = network.offsets()[m]; e < network.offsets()[m + 1]; e++) {
      int other = network.heard()[e] * stride;
      if (other == at) {
        continue;
      }
      double square = 0;
      for (int j = 0; j < moved.length; j++) {
        double apart = sent.values()[other + j] - own.values()[at + j];
        square += apart * apart;
      }
      double norm = Math.sqrt(square);
      // What has no length has no direction either and is not followed.
      if (norm > 0 && norm < Double.POSITIVE_INFINITY) {
        double share = network.weights()[e] * Math.min(1, radius / norm);
        for (int j = 0; j < moved.length; j++) {
          moved[j] += share * (sent.values()[other + j] - own.values()[at + j]);
        }
      }
    }
    for (int j = 0; j < moved.length; j++) {
      out.values()[at + j] = own.values()[at + j] + moved[j];
    }
  }
}
