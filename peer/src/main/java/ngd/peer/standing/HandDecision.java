package ngd.peer.standing;

import java.nio.file.Path;
import ngd.core.InvalidInput;
import ngd.core.file.YamlTree;
import ngd.core.run.JsonObject;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a person at a site has decided about a question.
 *
 * @param by who it was
 * @param why why not, for the asker; empty where it is accepted
 */
public record HandDecision(String question, boolean accepted, String by, String why) {
  String text() {
    return new JsonObject()
            .put("question", question)
            .put("accepted", accepted)
            .put("by", by)
            .put("why", why)
        + "\n";
  }

  static HandDecision read(Path file) {
    try {
      JsonNode json = JsonMapper.shared().readTree(YamlTree.text(file));
      return new HandDecision(
          json.path("question").asString(),
          json.path("accepted").asBoolean(),
          json.path("by").asString(),
          json.path("why").asString());
    } catch (JacksonException e) {
      throw new InvalidInput("%s: must be a decision; it cannot be read".formatted(file), e);
    }
  }
}
