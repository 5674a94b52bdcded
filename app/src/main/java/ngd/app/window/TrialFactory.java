package ngd.app.window;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import ngd.core.question.Key;

/** Where runs are made: from the same options, in the same way, as on the command line. */
public interface TrialFactory {
  /**
   * A prepared run, at round 0.
   *
   * @param options the words of the command line by their names, without dashes
   * @param edges a network that was drawn, as an edge list; in place of the file that the options
   *     then name
   */
  Trial begin(Map<String, String> options, Optional<String> edges);

  /** The methods that a run may use. */
  List<MethodWords> methods();

  /** What a run may be asked beside data, network, method, step size and rounds. */
  List<Key<?>> further();

  /**
   * A method as a form offers it.
   *
   * @param stepSize whether it takes one
   */
  record MethodWords(String name, String summary, boolean stepSize, boolean asynchronous) {}
}
