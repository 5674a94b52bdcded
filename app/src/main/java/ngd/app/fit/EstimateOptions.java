package ngd.app.fit;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import ngd.app.terminal.Problems;
import ngd.core.InvalidInput;
import ngd.core.NearestName;
import ngd.core.inference.Covariance;
import ngd.core.inference.Inference;
import ngd.core.inference.PooledFit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of a fit that finds its own way: how near it must come, and what is reported. */
final class EstimateOptions {
  @Option(
      names = "--bias-share",
      paramLabel = "S",
      description =
          "Without --alpha and --algorithm: end when what remains between the result and the pooled estimate is below this"
              + " share of a standard error; 0.01 by default.")
  private @Nullable Double biasShare;

  @Option(
      names = "--no-last-step",
      description =
          "Reach the pooled estimate by rounds alone, so that no Hessian is shared on the way; slower.")
  private boolean noLastStep;

  @Option(
      names = "--robust",
      paramLabel = "KIND",
      arity = "0..1",
      fallbackValue = "hc0",
      description =
          "Standard errors that do not trust the model's variance: hc0 (the default, as R's sandwich) or hc1.")
  private @Nullable String robust;

  @Option(
      names = "--cluster",
      paramLabel = "WORD",
      description =
          "site: standard errors for rows that depend on each other within a site; needs more sites than coefficients.")
  private @Nullable String cluster;

  @Option(
      names = "--level",
      paramLabel = "L",
      description = "The coverage of the confidence intervals; 0.95 by default.")
  private @Nullable Double level;

  @Option(
      names = "--heterogeneity",
      description = "Test whether the sites share one set of coefficients.")
  private boolean heterogeneity;

  @Option(
      names = "--ridge",
      paramLabel = "LAMBDA",
      description =
          "Add LAMBDA/2 times the squared coefficients, each in units of its column's pooled standard deviation and the"
              + " intercept left out, to the mean loss of a row.")
  private @Nullable Double ridge;

  @Option(names = "--time", description = "Print where the time went.")
  private boolean time;

  /** The first of these that was given; null where none was. */
  @Nullable String firstGiven() {
    Map<String, Boolean> given = new LinkedHashMap<>();
    given.put("--bias-share", biasShare != null);
    given.put("--no-last-step", noLastStep);
    given.put("--robust", robust != null);
    given.put("--cluster", cluster != null);
    given.put("--level", level != null);
    given.put("--heterogeneity", heterogeneity);
    given.put("--ridge", ridge != null);
    given.put("--time", time);
    return given.entrySet().stream()
        .filter(Map.Entry::getValue)
        .map(Map.Entry::getKey)
        .findFirst()
        .orElse(null);
  }

  boolean time() {
    return time;
  }

  PooledFit.@Nullable Settings settings(@Nullable Integer rounds, Problems problems) {
    return problems.collect(
        () ->
            new PooledFit.Settings(
                biasShare == null ? PooledFit.Settings.STANDARD.biasShare() : biasShare,
                !noLastStep,
                rounds == null ? PooledFit.Settings.STANDARD.mostRounds() : rounds,
                ridge == null ? 0 : ridge));
  }

  Inference.@Nullable Options inference(Problems problems) {
    return problems.collect(
        () -> new Inference.Options(covariance(), level == null ? 0.95 : level, heterogeneity));
  }

  private Covariance covariance() {
    if (cluster != null && robust != null) {
      throw new InvalidInput(
          "--robust and --cluster: only one of them may be given; --cluster is robust too");
    }
    if (cluster != null && !cluster.equals("site")) {
      throw new InvalidInput("--cluster: must be site; got `%s`".formatted(cluster));
    }
    if (cluster != null) {
      return Covariance.SITE;
    }
    return switch (robust) {
      case null -> Covariance.MODEL;
      case "hc0" -> Covariance.HC0;
      case "hc1" -> Covariance.HC1;
      case String word ->
          throw new InvalidInput(
              "--robust: must be hc0 or hc1; got `%s`%s"
                  .formatted(word, NearestName.hint(word, List.of("hc0", "hc1"))));
    };
  }
}
