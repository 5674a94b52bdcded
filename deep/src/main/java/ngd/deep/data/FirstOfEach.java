package ngd.deep.data;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import ngd.core.data.Labels;
import ngd.deep.model.Shape;

/** The first samples of each class, up to a given number. */
public final class FirstOfEach implements Samples {
  private final Samples all;
  private final int perClass;
  private final int[] chosen;

  private FirstOfEach(Samples all, int perClass, int[] chosen) {
    this.all = all;
    this.perClass = perClass;
    this.chosen = chosen;
  }

  public static Samples of(Samples all, int perClass) {
    int[] seen = new int[all.classes()];
    int[] chosen =
        IntStream.range(0, all.size()).filter(i -> seen[all.label(i)]++ < perClass).toArray();
    return new FirstOfEach(all, perClass, chosen);
  }

  @Override
  public String source() {
    return "%s, the first %d of each class".formatted(all.source(), perClass);
  }

  @Override
  public Shape shape() {
    return all.shape();
  }

  @Override
  public int size() {
    return chosen.length;
  }

  @Override
  public int classes() {
    return all.classes();
  }

  @Override
  public List<String> classNames() {
    return all.classNames();
  }

  @Override
  public List<String> features() {
    return all.features();
  }

  @Override
  public Optional<Labels> clients() {
    return all.clients()
        .map(
            labels ->
                Labels.of(
                    labels.name(),
                    Arrays.stream(chosen)
                        .mapToObj(i -> labels.values().get(labels.code(i)))
                        .toList()));
  }

  @Override
  public int label(int sample) {
    return all.label(chosen[sample]);
  }

  @Override
  public void copy(int sample, float[] to, int at) {
    all.copy(chosen[sample], to, at);
  }

  @Override
  public String hash() {
    return "%s:%d".formatted(all.hash(), perClass);
  }
}
