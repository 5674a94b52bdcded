package ngd.studies;

/** Who is told how far a study is. */
@FunctionalInterface
public interface StudyProgress {
  /**
   * So many replicates of the study are finished, of so many; some may have been stored by an
   * earlier run.
   *
   * @param share the part of all the work of this call that is done, from 0 to 1
   */
  void at(String study, int finished, int replicates, double share);

  /** Nobody watches. */
  static StudyProgress silent() {
    return (study, finished, replicates, share) -> {};
  }
}
