package ngd.peer;

import ngd.core.answer.Answer;
import ngd.core.question.Question;
import ngd.core.run.JsonObject;
import ngd.core.run.Manifest;

/**
 * What a site's peer came to: the answer that a rehearsal gives, and where it was found.
 *
 * @param plan the first digits of the plan's hash
 * @param source where this site's rows came from
 * @param dataHash their fingerprint
 */
public record SiteAnswer(
    String site, String plan, Question question, Answer answer, String source, String dataHash) {

  /** What the answer's document holds. */
  public JsonObject json() {
    return answer.json().put("site", site).put("plan", plan);
  }

  /** What it takes to know what was asked of what. */
  public Manifest manifest(String version) {
    return new Manifest("peer run", version, question, source, answer.rowsUsed().rows(), dataHash);
  }
}
