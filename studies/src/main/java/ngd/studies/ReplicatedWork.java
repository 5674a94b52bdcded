package ngd.studies;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import ngd.studies.report.Output;
import ngd.studies.report.Section;
import ngd.studies.store.ReplicateStore;
import ngd.studies.store.Results;

/** The replicates of a study, spread over an engine and stored as they finish. */
final class ReplicatedWork implements StudyWork {
  private final ReplicatedStudy study;
  private final Workplace place;
  private final int replicates;
  private final ReplicateStore store;

  ReplicatedWork(ReplicatedStudy study, Workplace place) {
    this.study = study;
    this.place = place;
    replicates = study.replicates(place);
    store = ReplicateStore.in(place.folder(), study.name(), study.width());
  }

  @Override
  public String unit() {
    return "replicate";
  }

  @Override
  public int units() {
    return replicates;
  }

  private int[] indices() {
    return IntStream.range(0, replicates).filter(r -> !store.has(r)).toArray();
  }

  @Override
  public double missing() {
    return indices().length * study.cost();
  }

  @Override
  public Done compute(Watch watch) {
    int[] missing = indices();
    int known = replicates - missing.length;
    int[] computed = new int[1];
    watch.at(study.name(), known, 0);
    place
        .engine()
        .run(
            study,
            place.seed(),
            missing,
            (replicate, values) -> {
              store.append(replicate, values);
              computed[0]++;
              watch.at(study.name(), known + computed[0], computed[0] * study.cost());
            });
    return new Done(computed[0], computed[0] * study.rounds());
  }

  @Override
  public List<String> opening() {
    List<String> opening = new ArrayList<>(study.opening());
    opening.add(
        "Every replicate r draws new data and new random networks from streams that depend on the seed (%d), r and the purpose alone, so all curves of a figure, and all studies with this seed, see the same data. Medians and quartiles are over replicates. Numbers behind the figures are in the CSV files beside this page, settings in manifest.json."
            .formatted(place.seed()));
    return opening;
  }

  @Override
  public Section report(Output output) {
    return study.report(new Results(store, replicates), output);
  }

  @Override
  public List<String> warnings() {
    return study.warnings(new Results(store, replicates));
  }

  @Override
  public boolean replicateTable(Output output) {
    return study.replicateTable(new Results(store, replicates), output);
  }

  @Override
  public void close() {
    store.close();
  }
}
