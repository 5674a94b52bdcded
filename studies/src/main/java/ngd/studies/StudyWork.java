package ngd.studies;

import java.util.List;
import ngd.studies.report.Output;
import ngd.studies.report.Section;

/** The units of a study in a folder: those that are there, and those that are missing. */
public interface StudyWork extends AutoCloseable {
  /** What a unit is, such as {@code replicate}. */
  String unit();

  /** How many units there are in all. */
  int units();

  /** What the missing ones cost, in about microseconds of a core. */
  double missing();

  /** Receives the progress of the work. */
  interface Watch {
    /**
     * News.
     *
     * @param what what is being done
     * @param finished the units that are there now
     * @param done what has been done of {@link StudyWork#missing}
     */
    void at(String what, int finished, double done);

    /** Something that the person should know. */
    void warning(String text);
  }

  /**
   * What was done.
   *
   * @param units how many
   * @param rounds the rounds of algorithms in them
   */
  record Done(int units, long rounds) {}

  /** Does the missing units and keeps each as soon as it is finished. */
  Done compute(Watch watch);

  /** How the report begins, a paragraph each; what several studies say is said once. */
  List<String> opening();

  /** Writes tables and figures of all units, and gives this study's part of the report. */
  Section report(Output output);

  /** What a person should know of what all units gave, such as that some were lost. */
  default List<String> warnings() {
    return List.of();
  }

  /** Writes what every unit gave as a table, where the study has one; says whether it has. */
  default boolean replicateTable(Output output) {
    return false;
  }

  @Override
  void close();
}
