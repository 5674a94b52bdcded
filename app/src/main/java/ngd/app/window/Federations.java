package ngd.app.window;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import ngd.core.run.JsonObject;

/**
 * What the window shows of federations: the members whose folders it was given, and what sites
 * would learn of each other under a plan that nobody has signed yet.
 */
public interface Federations {
  /** The members whose folders this machine has, in the order in which they were given. */
  List<Membership> members();

  /** What sites learn of each other under a sketched plan. */
  JsonObject exposure(Sketch sketch, Scope scope);

  /**
   * A plan as far as disclosure depends on it.
   *
   * @param hears whom each site hears, by their numbers
   * @param question the words of the question, by the names of the options
   */
  record Sketch(List<List<Integer>> hears, String weights, Map<String, String> question) {
    public Sketch {
      hears = List.copyOf(hears);
      question = Map.copyOf(question);
    }
  }

  /**
   * What is asked about disclosure, as {@code ngd federation exposure} takes it.
   *
   * @param coalition the most sites that put together what they know
   * @param coefficients instead of as many as the formula has terms
   * @param totals whether the pooled second moments are known too
   */
  record Scope(int coalition, Optional<Integer> coefficients, boolean totals) {}
}
