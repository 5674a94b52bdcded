package ngd.peer.plan;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import ngd.core.InvalidInput;

/**
 * What Jazzer calls with texts that it makes up, guided by the branches they reach: a text is a
 * plan, which then has a hash, a canonical form and warnings, or it is refused in words.
 */
public final class PlanFuzzer {
  private PlanFuzzer() {}

  public static void fuzzerTestOneInput(FuzzedDataProvider data) {
    String text = data.consumeRemainingAsString();
    try {
      WrittenPlan plan = PlanReader.parse(text);
      if (!PlanReader.parse(text).plan().equals(plan.plan())) {
        throw new IllegalStateException("the same text is another plan");
      }
      if (plan.places().size() != plan.plan().canonical().size()) {
        throw new IllegalStateException("a line of the plan stands nowhere");
      }
      if (plan.plan().sites().size() < 100) {
        Exposure.statements(plan.plan());
      }
    } catch (InvalidInput refused) {
      if (refused.getMessage() == null || refused.getMessage().isBlank()) {
        throw new IllegalStateException("refused without a word", refused);
      }
    }
  }
}
