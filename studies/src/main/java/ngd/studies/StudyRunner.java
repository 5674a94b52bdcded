package ngd.studies;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import ngd.core.InvalidInput;
import ngd.core.linalg.Kernels;

/**
 * Runs a plan in a folder: computes the replicates that are not stored yet, then writes what all of
 * them say.
 */
public final class StudyRunner {
  /** The version of this program, as it stands in manifests. */
  public static final String VERSION = "0.1.0";

  private static final int MOST_REPLICATES = 10_000_000;

  private final Engine engine;
  private final InstantSource clock;

  /**
   * A runner.
   *
   * @param clock what the manifest's times are read from
   */
  public StudyRunner(Engine engine, InstantSource clock) {
    this.engine = engine;
    this.clock = clock;
  }

  /**
   * What a run did.
   *
   * @param computed the replicates that were not stored before
   * @param rounds the rounds of algorithms in those
   */
  public record Outcome(Path folder, List<String> files, int computed, long rounds, Duration time) {
    public Outcome {
      files = List.copyOf(files);
    }

    public double roundsPerSecond() {
      return time.isZero() ? 0 : rounds / (time.toNanos() / 1e9);
    }
  }

  /**
   * Runs a plan, or continues it.
   *
   * @param replicates R, or nothing for each study's own
   */
  public Outcome run(
      StudyPlan plan, OptionalInt replicates, long seed, Path out, StudyProgress progress) {
    requireReplicates(replicates);
    try (StudyFolder folder = StudyFolder.open(out, identity(plan, seed))) {
      return new Session(plan, replicates, seed, folder, progress).run();
    }
  }

  /** Refuses a number of replicates that no study can have. */
  public static void requireReplicates(OptionalInt replicates) {
    if (replicates.isPresent()
        && (replicates.getAsInt() < 1 || replicates.getAsInt() > MOST_REPLICATES)) {
      throw new InvalidInput(
          "replicates: must lie in [1, %d], as medians need at least one; got %d"
              .formatted(MOST_REPLICATES, replicates.getAsInt()));
    }
  }

  private static Map<String, Object> identity(StudyPlan plan, long seed) {
    Map<String, Object> settings = new LinkedHashMap<>();
    plan.studies().forEach(study -> settings.put(study.name(), study.settings()));
    Map<String, Object> identity = new LinkedHashMap<>();
    identity.put("study", plan.name());
    identity.put("seed", seed);
    identity.put("version", VERSION);
    identity.put("settings", settings);
    return identity;
  }

  /** One call of {@link StudyRunner#run}. */
  private final class Session {
    private final StudyPlan plan;
    private final OptionalInt replicates;
    private final long seed;
    private final StudyFolder folder;
    private final StudyProgress progress;
    private final Instant start = clock.instant();
    private int computed;
    private long rounds;
    private double workDone;

    Session(
        StudyPlan plan,
        OptionalInt replicates,
        long seed,
        StudyFolder folder,
        StudyProgress progress) {
      this.plan = plan;
      this.replicates = replicates;
      this.seed = seed;
      this.folder = folder;
      this.progress = progress;
    }

    Outcome run() {
      String started = folder.manifestText("started").orElseGet(start::toString);
      folder.writeManifest(manifest("running", started));
      double work = plan.studies().stream().mapToDouble(this::missingWork).sum();
      for (Study study : plan.studies()) {
        compute(study, work);
      }
      Duration time = Duration.between(start, clock.instant());
      Output output = new Output(folder);
      List<Section> sections = new ArrayList<>();
      for (Study study : plan.studies()) {
        try (ReplicateStore store = ReplicateStore.open(folder.store(study), study.width())) {
          sections.add(study.report(new Results(store, count(study)), output));
        }
      }
      output.write(
          "report.html", Report.html(plan, seed, sections).getBytes(StandardCharsets.UTF_8));
      output.write(
          "claims.json", (Section.claims(sections) + "\n").getBytes(StandardCharsets.UTF_8));
      Map<String, Object> manifest = manifest("finished", started);
      manifest.put("finished", clock.instant().toString());
      if (computed > 0) {
        manifest.put("computed", computed);
        manifest.put("rounds", rounds);
        manifest.put("seconds", time.toMillis() / 1e3);
      }
      folder.writeManifest(manifest);
      return new Outcome(folder.path(), output.files(), computed, rounds, time);
    }

    private int count(Study study) {
      return replicates.orElse(study.defaultReplicates());
    }

    private double missingWork(Study study) {
      try (ReplicateStore store = ReplicateStore.open(folder.store(study), study.width())) {
        return missing(study, store).length * study.cost();
      }
    }

    private int[] missing(Study study, ReplicateStore store) {
      return IntStream.range(0, count(study)).filter(r -> !store.has(r)).toArray();
    }

    private void compute(Study study, double work) {
      try (ReplicateStore store = ReplicateStore.open(folder.store(study), study.width())) {
        int[] missing = missing(study, store);
        int known = count(study) - missing.length;
        int before = computed;
        tell(study, known, work);
        engine.run(
            study,
            seed,
            missing,
            (replicate, values) -> {
              store.append(replicate, values);
              computed++;
              rounds += study.rounds();
              workDone += study.cost();
              tell(study, known + computed - before, work);
            });
      }
    }

    private void tell(Study study, int finished, double work) {
      progress.at(study.name(), finished, count(study), work == 0 ? 1 : workDone / work);
    }

    private Map<String, Object> manifest(String state, String started) {
      Map<String, Object> counts = new LinkedHashMap<>();
      plan.studies().forEach(study -> counts.put(study.name(), count(study)));
      Map<String, Object> manifest = new LinkedHashMap<>();
      manifest.put("state", state);
      manifest.put("replicates", counts);
      manifest.put("engine", engine.description());
      manifest.put("kernels", Kernels.best().description());
      manifest.put("java", Runtime.version().toString());
      manifest.put("vm", System.getProperty("java.vm.name"));
      manifest.put("os", System.getProperty("os.name") + " " + System.getProperty("os.arch"));
      manifest.put("cores", Runtime.getRuntime().availableProcessors());
      manifest.put("started", started);
      return manifest;
    }
  }
}
