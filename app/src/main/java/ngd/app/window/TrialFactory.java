package ngd.app.window;

import java.util.List;
import java.util.Map;

/** Where runs are made: from the same options, in the same way, as on the command line. */
public interface TrialFactory {
  /**
   * A prepared run, at round 0.
   *
   * @param options the words of the command line by their names, without dashes
   */
  Trial begin(Map<String, String> options);

  /** The methods that a run may use. */
  List<MethodWords> methods();

  /**
   * A method as a form offers it.
   *
   * @param stepSize whether it takes one
   */
  record MethodWords(String name, String summary, boolean stepSize, boolean asynchronous) {}
}
