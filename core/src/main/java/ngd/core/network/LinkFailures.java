package ngd.core.network;

import java.util.List;
import ngd.core.InvalidInput;

/**
 * Links that fail and recover (Gilbert 1960, Elliott 1963): the channel between two clients fails
 * with the first probability after a round in which it was good, and is good again with the second
 * after one in which it was bad.
 *
 * @param oneWay whether the two directions between two clients fail independently, so that one may
 *     hear the other and not be heard; otherwise both fail at once
 * @param loss the share of messages that a bad channel loses; 1 for all
 */
public record LinkFailures(double fail, double recover, boolean oneWay, double loss) {
  private static final String ONE_WAY = "one-way:";

  public LinkFailures {
    TwoStateChains.require(form(oneWay), fail, recover);
    if (!(loss > 0 && loss <= 1)) {
      throw new InvalidInput(
          "%s:LOSS: LOSS must lie in (0, 1], a share of messages; got %s"
              .formatted(form(oneWay), loss));
    }
  }

  /** Both directions at once, and nothing gets through a bad channel. */
  public LinkFailures(double fail, double recover) {
    this(fail, recover, false, 1);
  }

  private static String form(boolean oneWay) {
    return "link-failures %sP:Q".formatted(oneWay ? ONE_WAY : "");
  }

  /** How often a message arrives. */
  double share() {
    return 1 - loss * (1 - TwoStateChains.share(fail, recover));
  }

  /** The words on the command line. */
  public String spec() {
    return "%s%s:%s%s".formatted(oneWay ? ONE_WAY : "", fail, recover, loss == 1 ? "" : ":" + loss);
  }

  public static LinkFailures parse(String spec) {
    boolean oneWay = spec.strip().startsWith(ONE_WAY);
    List<String> given =
        List.of(spec.strip().substring(oneWay ? ONE_WAY.length() : 0).split(":", -1));
    if (given.size() != 2 && given.size() != 3) {
      throw new InvalidInput(
          "link-failures: the form is `P:Q`, the probabilities that a link fails and that it recovers, or `one-way:P:Q`, for each direction by itself; `:LOSS` may follow; got `%s`"
              .formatted(spec));
    }
    String form = form(oneWay);
    return new LinkFailures(
        TopologyWords.number(form, "P", given.get(0)),
        TopologyWords.number(form, "Q", given.get(1)),
        oneWay,
        given.size() == 2 ? 1 : TopologyWords.number(form + ":LOSS", "LOSS", given.get(2)));
  }
}
