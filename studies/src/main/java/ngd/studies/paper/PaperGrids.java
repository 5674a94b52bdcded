package ngd.studies.paper;

import java.util.List;
import ngd.core.data.PaperModel;
import ngd.core.question.ClientKeys;
import ngd.core.question.MethodKeys;
import ngd.core.question.ModelKeys;
import ngd.studies.grid.Arrangement;
import ngd.studies.grid.Axis;
import ngd.studies.grid.Grid;

/** Grids with exactly the paper's sizes. */
final class PaperGrids {
  private static final String ROWS = "10000";
  private static final String CLIENTS = "200";
  static final int REPLICATES = 500;

  /** Random and sorted data, and the sorted ones dealt out at random, on which it is silent. */
  static final List<Arrangement> ARRANGEMENTS =
      List.of(Arrangement.RANDOM, Arrangement.SORTED, Arrangement.SORTED_DEALT);

  private PaperGrids() {}

  /** A step size, the rounds it gets, and how often to look. */
  record Step(String alpha, int rounds, int every) {
    /** One of which only the end is wanted. */
    static Step last(String alpha, int rounds) {
      return new Step(alpha, rounds, rounds);
    }
  }

  /** NGD with uniform weights for one model. */
  static Grid of(
      PaperModel model, List<Arrangement> arrangements, List<String> networks, List<Step> steps) {
    return Grid.of(
        Axis.of(ModelKeys.SIMULATE, model.spec()),
        Axis.of(ModelKeys.ROWS, ROWS),
        Axis.of(ClientKeys.CLIENTS, CLIENTS),
        Axis.together(
            List.of(ClientKeys.PARTITION, ClientKeys.PLACEMENT),
            arrangements.stream()
                .map(one -> List.of(one.partition().spec(), one.placement().spec()))
                .toList()),
        Axis.of(ClientKeys.NETWORK, networks.toArray(String[]::new)),
        Axis.of(ClientKeys.WEIGHTS, "uniform"),
        Axis.of(MethodKeys.ALGORITHM, "ngd"),
        Axis.together(
            List.of(MethodKeys.ALPHA, MethodKeys.ROUNDS, MethodKeys.TRACE_EVERY),
            steps.stream()
                .map(
                    step ->
                        List.of(
                            step.alpha(),
                            Integer.toString(step.rounds()),
                            Integer.toString(step.every())))
                .toList()));
  }
}
