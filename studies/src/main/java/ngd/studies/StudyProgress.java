package ngd.studies;

/** Receives the progress of a study. */
public interface StudyProgress {
  /**
   * Units finished, and their total number; some may have been there before.
   *
   * @param what what is being done: the study, or a unit of it
   * @param share the part of all the work of this call that is done, from 0 to 1
   */
  void at(String what, int finished, int units, double share);

  /** Something about the data, such as how many rows were left out. */
  default void note(String text) {}

  /** Something that the person should know. */
  default void warning(String text) {}

  /** Nobody watches. */
  static StudyProgress silent() {
    return (what, finished, units, share) -> {};
  }
}
