package ngd.studies;

import java.util.List;
import java.util.Map;
import ngd.core.Problems;

/**
 * An experiment that is made of units of work, each of which is kept once it is done: replicates of
 * a simulation ({@link ReplicatedStudy}), trainings of neural networks, or what a new kind of study
 * is made of.
 */
public interface Study {

  /** The stem of its files. */
  String name();

  /** Everything that determines its results, in words and numbers; whose folder a folder is. */
  Map<String, Object> settings();

  /** The folders in the study's own in which its units lie, where each has one. */
  default List<String> folders() {
    return List.of();
  }

  /** Adds what stands in the way; asked before anything is computed or written. */
  default void check(Workplace place, Problems problems) {}

  /** What a person should know of its data; a line each, asked after {@link #check}. */
  default List<String> notes() {
    return List.of();
  }

  /** Its work in a folder, as far as it is done there. */
  StudyWork in(Workplace place);
}
