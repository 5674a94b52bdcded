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
import ngd.core.InvalidInput;
import ngd.core.Problems;
import ngd.core.linalg.Kernels;
import ngd.studies.engine.Engine;
import ngd.studies.report.Output;
import ngd.studies.report.Page;
import ngd.studies.report.Section;
import ngd.studies.store.StudyFolder;

/**
 * Runs what is asked for in a folder: does the units of work that are not there yet, then writes
 * what all of them say.
 *
 * @param clock what the manifest's times are read from
 * @param exporting whether to write every replicate's numbers as a table too
 */
public record StudyRunner(Engine engine, InstantSource clock, boolean exporting) {
  /** The version of this program, as it stands in manifests. */
  public static final String VERSION = "0.1.0";

  private static final int MOST_REPLICATES = 10_000_000;

  /** Without tables of replicates. */
  public StudyRunner(Engine engine, InstantSource clock) {
    this(engine, clock, false);
  }

  /**
   * What a run did.
   *
   * @param unit what a unit of work is, such as {@code replicate}
   * @param computed the units that were not there before
   * @param rounds the rounds of algorithms in those
   */
  public record Outcome(
      Path folder, List<String> files, String unit, int computed, long rounds, Duration time) {
    public Outcome {
      files = List.copyOf(files);
    }

    public double roundsPerSecond() {
      return time.isZero() ? 0 : rounds / (time.toNanos() / 1e9);
    }
  }

  /** Does what is asked for, or continues it; refuses all that is wrong before it begins. */
  public Outcome run(StudyRequest request, Path out, StudyProgress progress) {
    requireReplicates(request.replicates());
    Workplace place = new Workplace(out, engine, request.seed(), request.replicates());
    Problems problems = new Problems();
    request.studies().forEach(study -> study.check(place, problems));
    problems.throwIfAny();
    request.studies().stream().flatMap(study -> study.notes().stream()).forEach(progress::note);
    try (StudyFolder folder = StudyFolder.open(out, identity(request), folders(request));
        Session session = new Session(request, place, folder, progress)) {
      return session.run();
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

  private static Map<String, Object> identity(StudyRequest request) {
    Map<String, Object> settings = new LinkedHashMap<>();
    request.studies().forEach(study -> settings.put(study.name(), study.settings()));
    Map<String, Object> identity = new LinkedHashMap<>();
    identity.put("study", request.name());
    identity.put("seed", request.seed());
    identity.put("version", VERSION);
    identity.put("settings", settings);
    return identity;
  }

  private static List<String> folders(StudyRequest request) {
    return request.studies().stream().flatMap(study -> study.folders().stream()).toList();
  }

  /** A study and its work in the folder. */
  private record Part(String name, StudyWork work) {}

  /** One call of {@link StudyRunner#run}. */
  private final class Session implements AutoCloseable {
    private final StudyRequest request;
    private final StudyFolder folder;
    private final StudyProgress progress;
    private final List<Part> parts = new ArrayList<>();
    private final Instant start = clock.instant();
    private final double work;
    private double before;
    private int computed;
    private long rounds;

    Session(StudyRequest request, Workplace place, StudyFolder folder, StudyProgress progress) {
      this.request = request;
      this.folder = folder;
      this.progress = progress;
      try {
        request.studies().forEach(study -> parts.add(new Part(study.name(), study.in(place))));
      } catch (RuntimeException failed) {
        close();
        throw failed;
      }
      work = parts.stream().mapToDouble(part -> part.work().missing()).sum();
    }

    Outcome run() {
      String started = folder.manifestText("started").orElseGet(start::toString);
      folder.writeManifest(manifest("running", started));
      parts.forEach(part -> compute(part.work()));
      Duration time = Duration.between(start, clock.instant());
      Output output = new Output(folder);
      List<Section> sections = parts.stream().map(part -> part.work().report(output)).toList();
      for (Part part : parts) {
        part.work()
            .warnings()
            .forEach(
                text ->
                    progress.warning(
                        parts.size() == 1 ? text : "%s: %s".formatted(part.name(), text)));
      }
      for (Part part : exporting ? parts : List.<Part>of()) {
        if (!part.work().replicateTable(output)) {
          progress.warning("%s: has no table of replicates; grids have".formatted(part.name()));
        }
      }
      List<String> opening =
          parts.stream().flatMap(part -> part.work().opening().stream()).distinct().toList();
      output.write(
          "report.html",
          Page.html("ngd study " + request.name(), opening, sections)
              .getBytes(StandardCharsets.UTF_8));
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
      return new Outcome(
          folder.path(), output.files(), parts.getFirst().work().unit(), computed, rounds, time);
    }

    private void compute(StudyWork one) {
      double missing = one.missing();
      StudyWork.Done done =
          one.compute(
              new StudyWork.Watch() {
                @Override
                public void at(String what, int finished, double now) {
                  double share = work == 0 ? 1 : Math.min(1, (before + now) / work);
                  progress.at(what, finished, one.units(), share);
                }

                @Override
                public void warning(String text) {
                  progress.warning(text);
                }
              });
      computed += done.units();
      rounds += done.rounds();
      before += missing;
    }

    private Map<String, Object> manifest(String state, String started) {
      Map<String, Object> manifest = new LinkedHashMap<>();
      manifest.put("state", state);
      // Such as `replicates`: how many of them each study has.
      Map<String, Map<String, Object>> counts = new LinkedHashMap<>();
      for (Part part : parts) {
        counts
            .computeIfAbsent(part.work().unit() + "s", _ -> new LinkedHashMap<>())
            .put(part.name(), part.work().units());
      }
      manifest.putAll(counts);
      manifest.put("engine", engine.description());
      manifest.put("kernels", Kernels.best().description());
      manifest.put("java", Runtime.version().toString());
      manifest.put("vm", System.getProperty("java.vm.name"));
      manifest.put("os", System.getProperty("os.name") + " " + System.getProperty("os.arch"));
      manifest.put("cores", Runtime.getRuntime().availableProcessors());
      manifest.put("started", started);
      return manifest;
    }

    @Override
    public void close() {
      parts.forEach(part -> part.work().close());
    }
  }
}
