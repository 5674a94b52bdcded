package ngd.peer;

import ngd.core.preparation.DisclosureRules;
import ngd.core.preparation.EarlierAnswers;
import ngd.core.preparation.SiteDisclosure;
import ngd.peer.privacy.AnswerMemory;

/** A site's memory of one question, for tests in other packages. */
public final class SiteMemories {
  private SiteMemories() {}

  /** The memory, after it has judged the question. */
  public static EarlierAnswers of(
      AnswerMemory memory, DisclosureRules rules, byte[] run, SiteDisclosure disclosure) {
    SiteMemory own = new SiteMemory(memory, rules, run);
    own.judge(disclosure);
    return own;
  }

  public static void remember(
      AnswerMemory memory, DisclosureRules rules, byte[] run, SiteDisclosure disclosure) {
    new SiteMemory(memory, rules, run).remember(disclosure);
  }
}
