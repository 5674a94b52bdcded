package ngd.core.network;

import ngd.core.InvalidInput;

/**
 * Links that fail and recover (Gilbert 1960, Elliott 1963): the channel between two clients, in
 * both directions at once, fails with the first probability after a round in which it was up, and
 * is back with the second after one in which it was down.
 */
public record LinkFailures(double fail, double recover) {
  private static final String FORM = "link-failures P:Q";

  public LinkFailures {
    TwoStateChains.require(FORM, fail, recover);
  }

  /** The words on the command line. */
  public String spec() {
    return "%s:%s".formatted(fail, recover);
  }

  public static LinkFailures parse(String spec) {
    String[] given = spec.strip().split(":", -1);
    if (given.length != 2) {
      throw new InvalidInput(
          "link-failures: the form is `P:Q`, the probabilities that a link fails and that it recovers; got `%s`"
              .formatted(spec));
    }
    return new LinkFailures(
        TopologyWords.number(FORM, "P", given[0]), TopologyWords.number(FORM, "Q", given[1]));
  }
}
