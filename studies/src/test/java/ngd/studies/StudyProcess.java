package ngd.studies;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.OptionalInt;
import java.util.OptionalLong;
import ngd.studies.engine.Engine;
import ngd.studies.engine.EngineProvider;

/** Runs a study in a process of its own, to be killed: plan, replicates, engine, seed, folder. */
final class StudyProcess {
  private StudyProcess() {}

  public static void main(String[] args) {
    try (Engine engine = EngineProvider.of(args[2])) {
      StudyRunner.Outcome outcome =
          new StudyRunner(engine, InstantSource.system())
              .run(
                  StudyRequest.of(args[0])
                      .with(
                          OptionalInt.of(Integer.parseInt(args[1])),
                          OptionalLong.of(Long.parseLong(args[3]))),
                  Path.of(args[4]),
                  StudyProgress.silent());
      System.out.printf(
          "%d replicates, %d rounds, %s, %.0f rounds a second%n",
          outcome.computed(), outcome.rounds(), outcome.time(), outcome.roundsPerSecond());
    }
  }
}
