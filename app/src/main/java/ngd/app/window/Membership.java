package ngd.app.window;

import java.nio.file.Path;
import java.util.Map;
import java.util.SequencedMap;
import ngd.core.run.JsonObject;

/**
 * One member of a federation, by its folder on this machine: what its peer knows, and what its
 * people may do. The commands do the same in the same way.
 */
public interface Membership {
  /** The federation, its sites, and the questions in line. */
  JsonObject overview();

  /** What sites would learn of each other from a question, or under the member's own plan. */
  JsonObject exposure(Map<String, String> question, Federations.Scope scope);

  /** Asks a question; gives its name. */
  String ask(Map<String, String> question);

  /**
   * Lets this site take part in a question, or keeps it out for a reason that the asker is told.
   */
  void decide(String question, boolean accepted, String why);

  /** The files of the answer to a question, by their names. */
  SequencedMap<String, String> answer(String question);

  /** Writes the answer to a question into a run folder, new or empty. */
  void save(String question, Path folder);
}
