package ngd.deep.model;

/**
 * What one sample is between two layers: channels of images, or a flat row of {@code channels}
 * numbers, whose height and width are 1.
 */
public record Shape(int channels, int height, int width, boolean flat) {
  public static Shape image(int channels, int height, int width) {
    return new Shape(channels, height, width, false);
  }

  public static Shape row(int numbers) {
    return new Shape(numbers, 1, 1, true);
  }

  /** The numbers in it. */
  public int size() {
    return channels * height * width;
  }

  @Override
  public String toString() {
    return flat
        ? "%d numbers".formatted(channels)
        : "%d x %d x %d".formatted(channels, height, width);
  }
}
