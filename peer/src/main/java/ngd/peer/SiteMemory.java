package ngd.peer;

import static java.lang.System.Logger.Level.WARNING;

import java.util.Set;
import ngd.core.preparation.DisclosureRules;
import ngd.core.preparation.DisclosureRules.Differencing;
import ngd.core.preparation.EarlierAnswers;
import ngd.core.preparation.SiteDisclosure;
import ngd.core.preparation.UsedRows;
import ngd.peer.privacy.AnswerMemory;

/** What a site's memory of its answers makes of one question, by the site's rule of differences. */
final class SiteMemory implements EarlierAnswers {
  private static final System.Logger LOG = System.getLogger("ngd.peer");

  /** What an asker can do where rows that lack a covariate are the reason. */
  private static final String COMMON_ROWS =
      "If some rows lack a covariate of one of the questions, ask all of them on the rows that have"
          + " it: offset(0 * COVARIATE) in the formula keeps the model and takes these rows";

  private final AnswerMemory memory;
  private final DisclosureRules rules;
  private final byte[] run;

  /**
   * @param run what the run on its data is known by
   */
  SiteMemory(AnswerMemory memory, DisclosureRules rules, byte[] run) {
    this.memory = memory;
    this.rules = rules;
    this.run = run.clone();
  }

  DisclosureRules rules() {
    return rules;
  }

  /** Objects to a question that, with earlier ones, would show too few rows. */
  void judge(SiteDisclosure disclosure) {
    if (rules.differencing() != Differencing.OFF) {
      disclosure
          .used()
          .flatMap(used -> memory.isolated(run, used, rules.subset()))
          .ifPresent(shown -> differing(disclosure, shown));
    }
  }

  private void differing(SiteDisclosure disclosure, String shown) {
    String why =
        "%s; at least %d rows are needed (nfilter.subset). %s"
            .formatted(shown, rules.subset(), COMMON_ROWS);
    if (refuses()) {
      disclosure.object(why);
    } else {
      LOG.log(WARNING, "differencing {0}", why);
    }
  }

  /** Remembers the question, when no site objects and nothing of the rows has left. */
  void remember(SiteDisclosure disclosure) {
    disclosure
        .used()
        .filter(UsedRows::areKnown)
        .ifPresent(used -> memory.remember(run, used, rules.subset(), refuses()));
  }

  @Override
  public Set<String> isolating(UsedRows cut) {
    if (rules.differencing() == Differencing.OFF) {
      return Set.of();
    }
    Set<String> isolating = memory.isolating(run, cut, rules.subset(), rules.tab());
    if (!refuses() && !isolating.isEmpty()) {
      LOG.log(
          WARNING,
          "differencing earlier answers and counts at {0}, subtracted, would show fewer than {1}"
              + " rows (nfilter.subset)",
          String.join(", ", isolating),
          rules.subset());
      return Set.of();
    }
    return isolating;
  }

  @Override
  public void remember(UsedRows cut) {
    memory.rememberCut(run, cut, rules.subset(), rules.tab(), refuses());
  }

  private boolean refuses() {
    return rules.differencing() == Differencing.REFUSE;
  }
}
