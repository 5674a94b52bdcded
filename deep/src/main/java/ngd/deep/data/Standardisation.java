package ngd.deep.data;

import java.util.Arrays;

/**
 * Samples with mean 0 and standard deviation 1 in each channel, or in each number of flat samples,
 * judged by the samples that are learned from. Two sums a channel: all that clients would have to
 * share for it.
 */
public final class Standardisation {
  private final int channels;
  private final int pixels;
  private final float[] mean;
  private final float[] scale;

  private Standardisation(int channels, int pixels, float[] mean, float[] scale) {
    this.channels = channels;
    this.pixels = pixels;
    this.mean = mean;
    this.scale = scale;
  }

  public static Standardisation of(Samples samples) {
    int channels = samples.shape().channels();
    int pixels = samples.shape().size() / channels;
    double[] sum = new double[channels];
    double[] squares = new double[channels];
    float[] one = new float[samples.shape().size()];
    for (int i = 0; i < samples.size(); i++) {
      samples.copy(i, one, 0);
      for (int c = 0; c < channels; c++) {
        for (int k = c * pixels; k < (c + 1) * pixels; k++) {
          sum[c] += one[k];
          squares[c] += (double) one[k] * one[k];
        }
      }
    }
    double count = (double) samples.size() * pixels;
    float[] mean = new float[channels];
    float[] scale = new float[channels];
    for (int c = 0; c < channels; c++) {
      double middle = sum[c] / count;
      double variance = Math.max(0, squares[c] / count - middle * middle);
      mean[c] = (float) middle;
      // A channel without variation says nothing and becomes zero.
      scale[c] =
          variance > 1e-12 * Math.max(1, middle * middle) ? (float) (1 / Math.sqrt(variance)) : 0;
    }
    return new Standardisation(channels, pixels, mean, scale);
  }

  /** All samples in this order, standardised, one after another. */
  public float[] apply(Samples samples, int[] order) {
    int size = samples.shape().size();
    float[] all = new float[Math.multiplyExact(order.length, size)];
    for (int i = 0; i < order.length; i++) {
      int at = i * size;
      samples.copy(order[i], all, at);
      for (int c = 0; c < channels; c++) {
        for (int k = at + c * pixels; k < at + (c + 1) * pixels; k++) {
          all[k] = (all[k] - mean[c]) * scale[c];
        }
      }
    }
    return all;
  }

  @Override
  public String toString() {
    return "mean %s, scale %s".formatted(Arrays.toString(mean), Arrays.toString(scale));
  }
}
