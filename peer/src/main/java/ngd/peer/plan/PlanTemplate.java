package ngd.peer.plan;

import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import ngd.core.InvalidInput;
import ngd.core.formula.Dictionary;
import ngd.core.model.Families;
import ngd.core.network.Topology;
import ngd.core.question.Approach;
import ngd.core.question.Key;
import ngd.peer.machine.Machine;

/**
 * The text of a new plan: valid as it stands, with a comment on everything that one may want to
 * change.
 */
public final class PlanTemplate {
  private static final int RUN_BYTES = 8;

  /** The keys of a question that every plan shows. */
  private static final List<String> SHOWN =
      List.of("seed", "formula", "family", "loss", "algorithm", "privacy");

  private final Map<String, String> values = new LinkedHashMap<>();
  private Dictionary dictionary = Dictionary.NONE;

  /** Sets one key, in the words of the plan. */
  public PlanTemplate with(String key, String value) {
    if (value.contains("\n") || value.contains("\r") || value.isBlank()) {
      throw new InvalidInput("%s: must be one line; got `%s`".formatted(key, value));
    }
    values.put(key, value.strip());
    return this;
  }

  /** Says what columns hold. */
  public PlanTemplate with(Dictionary agreed) {
    dictionary = agreed;
    return this;
  }

  /** The text for these sites. */
  public String text(List<Site> sites) {
    StringBuilder listed = new StringBuilder();
    for (Site site : sites) {
      listed.append(siteText(site));
    }
    String head =
        """
        # The contract of the federation. Every site holds the same plan, signed by `ngd federation pack`; peers
        # whose plans differ refuse each other and say in which line. Comments and layout are free.

        federation: %s

        # A word that no other run has: `ngd federation add` and `ngd federation new` draw another one.
        run: %s

        # Who takes part, and where each peer listens. The order numbers the clients from 0.
        sites:
        %s
        # Who hears whom: central, circle:D, regular:D, ring:K, complete, torus, exponential, …, or one that changes from
        # round to round such as base:K (docs/networks.md; `ngd network` analyses each), or instead of it, site by site:
        #   hears: {a: [b], b: [a, c], c: [b]}
        network: %s

        # How a site weighs what it hears: uniform, metropolis, lazy-metropolis, lazy:S; own where the network changes.
        weights: %s

        # Random seed.
        seed: %s

        """
            .formatted(
                value("federation", "federation"),
                newRun(),
                listed,
                value("network", "ring:1"),
                value("weights", Topology.usualWeights(value("network", "ring:1"))),
                value("seed", "1"));
    String tail =
        """

        # When a neighbour is slow or gone: wait, last:R (its last value, at most R rounds old) or drop. Only wait
        # gives the same numbers in every run. A site that hears nobody at all waits in any case.
        policy: %s

        # float64, or float32 for half the bytes.
        precision: %s
        """
            .formatted(value("policy", "wait"), value("precision", "float64"));
    return head
        + (values.containsKey("formula") ? question() : questionsLater())
        + tail
        + budget()
        + columns();
  }

  /** What a plan for one question says of it. */
  private String question() {
    StringBuilder more = new StringBuilder();
    for (Key<?> key : PlanKeys.FIT) {
      String value = values.get(key.name());
      if (value != null && !SHOWN.contains(key.name())) {
        more.append("%s: %s\n".formatted(key.name(), quoted(value)));
      }
    }
    return """
    # Model formula. Each site reads its own rows; the names must be there at each.
    formula: %s

    # %s; `link: probit` and others are listed by `ngd fit --help`.
    # In its place `loss: huber:1.345`, `quantile:0.5:0.1`, `hinge` and others (docs/losses.md).
    %s

    # pooled: what the pooled data would give, with standard errors, from masked sums alone. Or pooled-rounds, or an
    # algorithm by name (ngd, balanced-ngd, diging, …, docs/algorithms.md), which then needs alpha and rounds: in
    # rounds sites show their models to those who hear them (docs/privacy.md). Every option of `ngd fit` that bears on
    # the answer may stand here too: robust, cluster, level, heterogeneity, test, ridge, missing, na, batch, mix, ….
    algorithm: %s
    %s\
    """
        .formatted(
            value("formula", "y ~ x"),
            Families.labels(),
            values.containsKey("loss")
                ? "loss: " + value("loss", "")
                : "family: " + value("family", "gaussian"),
            value("algorithm", Approach.POOLED),
            more);
  }

  private String questionsLater() {
    return """
    # Questions come later: `ngd federation ask`. The sites that may ask (all by default), and members without data
    # that may:
    %saskers: [%s]
    %sanalysts: [%s]

    # How many sites together may end the part of a site that is gone (`ngd federation leave --vote`); by default the
    # authority alone.
    %squorum: %s
    """
        .formatted(
            values.containsKey("askers") ? "" : "# ",
            values.getOrDefault("askers", "a, b"),
            values.containsKey("analysts") ? "" : "# ",
            values.getOrDefault("analysts", "ann"),
            values.containsKey("quorum") ? "" : "# ",
            values.getOrDefault("quorum", "2"));
  }

  private String budget() {
    return values.containsKey("formula")
        ? """

        # Differential privacy (docs/privacy.md): the budget that each site may spend on the whole run;
          # with noise=correlated most of the noise cancels over neighbours.
        %sprivacy: %s
        """
            .formatted(
                values.containsKey("privacy") ? "" : "# ",
                value("privacy", "epsilon=1,delta=1e-6,clip=1"))
        : "";
  }

  /** What the sites' columns hold, where that is agreed. */
  private String columns() {
    return dictionary.isEmpty()
        ? ""
        : """

        # What columns hold (docs/sources.md): each site's table is read so, or refused there.
        dictionary:
        %s\
        """
            .formatted(dictionary.text("  "));
  }

  private String value(String key, String standard) {
    return quoted(values.getOrDefault(key, standard));
  }

  static String siteText(Site site) {
    return "  - name: %s\n    address: %s\n".formatted(quoted(site.name()), quoted(site.address()));
  }

  /** YAML takes a word in quotes for what it is; plain ones are easier on the eye. */
  private static String quoted(String value) {
    return value.matches("[A-Za-z0-9][A-Za-z0-9 ~+*()/.,=:_-]*")
            && !value.contains(": ")
            && !value.contains(" #")
            && !value.endsWith(":")
        ? value
        : "'" + value.replace("'", "''") + "'";
  }

  /** A word for a new run. */
  public static String newRun() {
    byte[] bytes = new byte[RUN_BYTES];
    Machine.here().random().nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }
}
