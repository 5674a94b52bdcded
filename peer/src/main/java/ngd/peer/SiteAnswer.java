package ngd.peer;

import java.util.List;
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
 * @param exposure what sites could learn of each other on the way, a sentence each; empty where
 *     that was not asked
 */
public record SiteAnswer(
    String site,
    String plan,
    Question question,
    Answer answer,
    String source,
    String dataHash,
    List<String> exposure) {
  public SiteAnswer {
    exposure = List.copyOf(exposure);
  }

  public SiteAnswer(
      String site, String plan, Question question, Answer answer, String source, String dataHash) {
    this(site, plan, question, answer, source, dataHash, List.of());
  }

  /** The same with what sites could learn of each other. */
  SiteAnswer exposing(List<String> sentences) {
    return new SiteAnswer(site, plan, question, answer, source, dataHash, sentences);
  }

  /** What the answer's document holds. */
  public JsonObject json() {
    JsonObject json = answer.json().put("site", site).put("plan", plan);
    return exposure.isEmpty() ? json : json.put("exposure", exposure);
  }

  /** What it takes to know what was asked of what. */
  public Manifest manifest(String version) {
    return new Manifest("peer run", version, question, source, answer.rowsUsed().rows(), dataHash);
  }
}
