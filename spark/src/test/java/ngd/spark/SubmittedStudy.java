package ngd.spark;

import java.nio.file.Path;
import ngd.studies.StudyProgress;
import ngd.studies.engine.Engine;
import ngd.studies.engine.EngineProvider;

/** What spark-submit starts in {@link SparkStudyTest}: a study on the master that it names. */
public final class SubmittedStudy {
  private SubmittedStudy() {}

  /**
   * Runs it.
   *
   * @param args the study's file and the folder to write
   */
  public static void main(String[] args) {
    try (Engine engine = EngineProvider.of(EngineProvider.SUBMITTED)) {
      SparkStudyTest.run(args[0], engine, Path.of(args[1]), StudyProgress.silent());
    }
  }
}
