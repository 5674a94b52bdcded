package ngd.studies;

import java.util.List;
import java.util.Map;
import ngd.core.question.Key;
import ngd.core.question.Question;
import ngd.core.random.Streams;
import ngd.studies.report.Html;
import ngd.studies.report.Output;
import ngd.studies.report.Section;
import ngd.studies.store.Results;

/** A study of somebody else's: how often a coin shows heads. */
record CoinStudy(int tosses) implements ReplicatedStudy {
  /** Named in this folder's {@code META-INF/services}, as anybody's would be. */
  public static final class Kind implements StudyKind {
    private static final Key<Integer> TOSSES =
        Key.whole("tosses", "N", 1).standard("10").help("For coin: how often to toss it.");

    @Override
    public List<String> names() {
      return List.of("coin");
    }

    @Override
    public boolean partOfAll() {
      return false;
    }

    @Override
    public List<Key<?>> options() {
      return List.of(TOSSES);
    }

    @Override
    public StudyRequest request(String name, Question options) {
      return new StudyRequest(name, List.of(new CoinStudy(options.get(TOSSES))));
    }
  }

  @Override
  public String name() {
    return "coin";
  }

  @Override
  public Map<String, Object> settings() {
    return Map.of("tosses", tosses);
  }

  @Override
  public int defaultReplicates() {
    return 3;
  }

  @Override
  public int width() {
    return 1;
  }

  @Override
  public long rounds() {
    return 0;
  }

  @Override
  public double cost() {
    return 1;
  }

  @Override
  public double[] replicate(Streams streams) {
    var draws = streams.stream(Streams.Purpose.DATA);
    double heads = 0;
    for (int i = 0; i < tosses; i++) {
      heads += draws.nextBoolean() ? 1 : 0;
    }
    return new double[] {heads};
  }

  @Override
  public Section report(Results results, Output output) {
    output.csv(
        "coin.csv",
        List.of("heads"),
        rows -> {
          for (double heads : results.column(0)) {
            rows.add(List.of(String.valueOf(heads)));
          }
        });
    return new Section("A coin", new Html().paragraph("Heads or tails."));
  }
}
