package ngd.studies;

/** Who is told how far a study is. */
public interface StudyProgress {
  /**
   * So many units of the study are finished, of so many; some may have been there before.
   *
   * @param what what is being done: the study, or a unit of it
   * @param share the part of all the work of this call that is done, from 0 to 1
   */
  void at(String what, int finished, int units, double share);

  /** Something that the person should know. */
  default void warning(String text) {}

  /** Nobody watches. */
  static StudyProgress silent() {
    return (what, finished, units, share) -> {};
  }
}
