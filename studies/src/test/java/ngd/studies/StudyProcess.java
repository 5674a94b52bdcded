package ngd.studies;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.OptionalInt;

/** Runs a study in a process of its own, to be killed: plan, replicates, engine, seed, folder. */
final class StudyProcess {
  private StudyProcess() {}

  public static void main(String[] args) {
    try (Engine engine = EngineProvider.of(args[2])) {
      StudyRunner.Outcome outcome =
          new StudyRunner(engine, InstantSource.system())
              .run(
                  StudyPlan.of(args[0]),
                  OptionalInt.of(Integer.parseInt(args[1])),
                  Long.parseLong(args[3]),
                  Path.of(args[4]),
                  StudyProgress.silent());
      System.out.printf(
          "%d replicates, %d rounds, %s, %.0f rounds a second%n",
          outcome.computed(), outcome.rounds(), outcome.time(), outcome.roundsPerSecond());
    }
  }
}
