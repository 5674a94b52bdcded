package ngd.app.window;

import java.util.Arrays;
import ngd.core.InvalidInput;
import ngd.core.network.Network;
import ngd.core.rows.Rows;
import ngd.core.run.JsonObject;
import ngd.core.simulation.Measure;
import ngd.studies.figure.NetworkLayout;

/** A trial as it is described to a page. */
final class TrialWords {
  private TrialWords() {}

  /** What a page needs once: the network and how the run was asked for. */
  static JsonObject description(String id, Trial trial) {
    Network network = trial.network();
    return new JsonObject()
        .put("id", id)
        .put("command", trial.command(trial.rounds()))
        .put("clients", network.clients())
        .put("links", NetworkApi.links(network))
        .put("places", NetworkApi.places(NetworkLayout.of(trial.topology(), network)))
        .put("measures", trial.measures())
        .put("coefficients", trial.coefficients())
        .put("rounds", trial.rounds())
        .put("safeAlpha", trial.safeAlpha().isPresent() ? trial.safeAlpha().getAsDouble() : null)
        .put("toGlobal", trial.globalEstimate().length > 0)
        .put("warnings", trial.warnings());
  }

  /** One client's coefficients beside the global estimate. */
  static JsonObject client(Trial trial, int client) {
    if (client < 0 || client >= trial.network().clients()) {
      throw new InvalidInput(
          "client: must lie in [0, %d]; got %d".formatted(trial.network().clients() - 1, client));
    }
    double[] global = trial.globalEstimate();
    return new JsonObject()
        .put("client", client)
        .put("round", trial.round())
        .put("names", trial.coefficients())
        .put("theta", Arrays.stream(trial.theta().row(client)).boxed().toList())
        .put("global", Arrays.stream(global).boxed().toList())
        .put("distance", global.length == 0 ? null : distance(trial.theta().row(client), global));
  }

  /**
   * Each client's distance to the global estimate, or to the clients' mean if it does not exist.
   */
  static double[] distances(Trial trial) {
    int clients = trial.network().clients();
    Rows theta = trial.theta();
    double[] global = trial.globalEstimate();
    double[] centre = global.length == 0 ? Measure.mean(theta) : global;
    double[] distances = new double[clients];
    for (int m = 0; m < clients; m++) {
      distances[m] = distance(theta.row(m), centre);
    }
    return distances;
  }

  private static double distance(double[] theta, double[] centre) {
    double square = 0;
    for (int j = 0; j < theta.length; j++) {
      square += (theta[j] - centre[j]) * (theta[j] - centre[j]);
    }
    return Math.sqrt(square);
  }
}
