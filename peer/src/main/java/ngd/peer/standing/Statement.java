package ngd.peer.standing;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import ngd.core.InvalidInput;
import ngd.core.run.JsonObject;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What a member says to all others for good. */
public sealed interface Statement {
  /**
   * A question.
   *
   * @param federation the hash of the plan that the asker holds
   * @param word drawn by the asker, so that the same question asked twice is two
   * @param lines the question's canonical words, {@code key: words}
   */
  record Asked(Instant at, String federation, String word, List<String> lines)
      implements Statement {
    public Asked {
      lines = List.copyOf(lines);
    }
  }

  /**
   * Whether a site takes part in a question.
   *
   * @param question the question's name
   * @param reason why not; empty where it does
   * @param log the last link of the site's log at that time
   */
  record Decided(String question, boolean accepted, String reason, String log)
      implements Statement {}

  /**
   * How a question ended at a site.
   *
   * @param answered whether there is an answer
   * @param detail the fingerprint of the answer, or why there is none
   * @param files the answer itself, for an asker who is not a site; else empty
   */
  record Ended(
      String question, boolean answered, String detail, Map<String, String> files, String log)
      implements Statement {
    public Ended {
      files = Map.copyOf(files);
    }
  }

  /**
   * Other members: a kit that the authority has signed, whoever passes it on.
   *
   * @param files the kit's files
   */
  record Changed(Map<String, String> files) implements Statement {
    public Changed {
      files = Map.copyOf(files);
    }
  }

  /**
   * A site says that another's part shall end.
   *
   * @param site the one that is gone
   * @param network another network for those who stay; empty where the present one serves
   * @param federation the hash of the plan that the signer holds
   */
  record Left(String site, String network, String federation) implements Statement {}

  /** What is signed. */
  default byte[] bytes() {
    JsonObject json =
        switch (this) {
          case Asked asked ->
              new JsonObject()
                  .put("says", "asked")
                  .put("at", asked.at().toString())
                  .put("federation", asked.federation())
                  .put("word", asked.word())
                  .put("question", asked.lines());
          case Decided decided ->
              new JsonObject()
                  .put("says", "decided")
                  .put("question", decided.question())
                  .put("accepted", decided.accepted())
                  .put("reason", decided.reason())
                  .put("log", decided.log());
          case Ended ended ->
              new JsonObject()
                  .put("says", "ended")
                  .put("question", ended.question())
                  .put("answered", ended.answered())
                  .put("detail", ended.detail())
                  .put("files", new JsonObject().putAll(new TreeMap<>(ended.files())))
                  .put("log", ended.log());
          case Changed changed ->
              new JsonObject()
                  .put("says", "changed")
                  .put("files", new JsonObject().putAll(new TreeMap<>(changed.files())));
          case Left left ->
              new JsonObject()
                  .put("says", "left")
                  .put("site", left.site())
                  .put("network", left.network())
                  .put("federation", left.federation());
        };
    return json.toString().getBytes(StandardCharsets.UTF_8);
  }

  /** The statement that these bytes make; refuses what is none. */
  static Statement of(byte[] bytes) {
    try {
      JsonNode json = JsonMapper.shared().readTree(new String(bytes, StandardCharsets.UTF_8));
      return switch (text(json, "says")) {
        case "asked" ->
            new Asked(
                Instant.parse(text(json, "at")),
                text(json, "federation"),
                text(json, "word"),
                texts(json.path("question")));
        case "decided" ->
            new Decided(
                text(json, "question"),
                json.path("accepted").asBoolean(),
                text(json, "reason"),
                text(json, "log"));
        case "ended" ->
            new Ended(
                text(json, "question"),
                json.path("answered").asBoolean(),
                text(json, "detail"),
                files(json),
                text(json, "log"));
        case "changed" -> new Changed(files(json));
        case "left" ->
            new Left(text(json, "site"), text(json, "network"), text(json, "federation"));
        default ->
            throw new InvalidInput("statement: must say asked, decided, ended, changed or left");
      };
    } catch (JacksonException | DateTimeParseException | IllegalArgumentException e) {
      if (e instanceof InvalidInput invalid) {
        throw invalid;
      }
      throw new InvalidInput("statement: cannot be read", e);
    }
  }

  private static Map<String, String> files(JsonNode json) {
    Map<String, String> files = new LinkedHashMap<>();
    json.path("files")
        .propertyStream()
        .forEach(file -> files.put(file.getKey(), file.getValue().asString()));
    return files;
  }

  private static String text(JsonNode json, String key) {
    JsonNode value = json.path(key);
    if (!value.isString()) {
      throw new InvalidInput("statement: must say `%s`".formatted(key));
    }
    return value.asString();
  }

  private static List<String> texts(JsonNode list) {
    List<String> texts = new ArrayList<>();
    for (JsonNode item : list) {
      texts.add(item.asString());
    }
    return texts;
  }
}
