package ngd.app.window;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import ngd.app.answer.AnswerReport;
import ngd.core.InvalidInput;
import ngd.core.network.Network;
import ngd.core.run.JsonObject;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Federations: questions at the members whose folders the window was given, and what sites learn of
 * each other. A page names a member by its number and a question by its name; it cannot name a
 * folder.
 */
final class MemberApi {
  /** Computing what more sites learn takes longer than a page should wait. */
  private static final int MOST_SITES = 60;

  private static final FormWords FORM =
      new FormWords(
          Map.ofEntries(
              Map.entry("formula", "Model formula"),
              Map.entry("family", "Family"),
              Map.entry("algorithm", "Method"),
              Map.entry("alpha", "Step size α"),
              Map.entry("rounds", "Rounds"),
              Map.entry("coalition", "Sites that join forces"),
              Map.entry("coefficients", "Coefficients"),
              Map.entry("totals", "Pooled moments are known"),
              Map.entry("why", "Reason"),
              Map.entry("name", "Name")));

  private final Federations federations;
  private final RunCatalogue catalogue;

  MemberApi(Federations federations, RunCatalogue catalogue) {
    this.federations = federations;
    this.catalogue = catalogue;
  }

  /** What sites learn under a network that is drawn and a question that is sketched. */
  PageReply exposure(PageRequest request) throws IOException {
    if (!request.method().equals("POST") || !request.parts(2).isEmpty()) {
      return PageReply.error(405, "what sites learn is asked with POST");
    }
    JsonNode asked = request.json();
    return PageReply.json(
        FORM.asking(
            () -> {
              Network network = NetworkApi.network(asked);
              if (network.clients() > MOST_SITES) {
                throw new InvalidInput(
                    "clients: at most %d sites on this page; the network has %d. `ngd federation exposure` takes more"
                        .formatted(MOST_SITES, network.clients()));
              }
              return federations.exposure(
                  new Federations.Sketch(
                      NetworkApi.hears(network),
                      NetworkApi.text(asked, "weights", "uniform"),
                      words(asked)),
                  scope(asked));
            }));
  }

  PageReply answer(PageRequest request) throws IOException {
    List<String> parts = request.parts(2);
    if (parts.isEmpty()) {
      return PageReply.json(
          new JsonObject()
              .put("members", federations.members().stream().map(Membership::overview).toList()));
    }
    Membership member = member(parts.getFirst());
    String what = String.join("/", parts.subList(1, parts.size()));
    if (request.method().equals("GET")) {
      return switch (what) {
        case "" -> PageReply.json(member.overview());
        case "answer" -> PageReply.json(answer(member.answer(request.one("question"))));
        case "report" -> {
          String question = request.one("question");
          yield PageReply.bytes(
                  "text/html; charset=utf-8",
                  AnswerReport.html("question " + question, result(member.answer(question)))
                      .getBytes(StandardCharsets.UTF_8))
              .with("Content-Security-Policy", RunApi.CAGE);
        }
        case "figure" -> {
          String question = request.one("question");
          yield PageReply.drawn(
              AnswerReport.figure("question " + question, result(member.answer(question))),
              request.one("format"),
              "answer");
        }
        default -> PageReply.error(404, "no such request about members");
      };
    }
    if (!request.method().equals("POST")) {
      return PageReply.error(405, "members are asked with GET or POST");
    }
    JsonNode asked = request.json();
    return PageReply.json(FORM.asking(() -> done(member, what, asked)));
  }

  /** An answer's document, and whether it has a report and a figure. */
  private static JsonObject answer(Map<String, String> files) {
    JsonNode result = result(files);
    return new JsonObject().put("result", result).put("report", AnswerReport.fits(result));
  }

  private static JsonNode result(Map<String, String> files) {
    return files.entrySet().stream()
        .filter(file -> file.getKey().endsWith(".json") && !file.getKey().equals("manifest.json"))
        .map(file -> JsonMapper.shared().readTree(file.getValue()))
        .findFirst()
        .orElseGet(() -> JsonMapper.shared().createObjectNode());
  }

  private JsonObject done(Membership member, String what, JsonNode asked) {
    String question = NetworkApi.text(asked, "question", "");
    switch (what) {
      case "ask" -> {
        return new JsonObject().put("question", member.ask(words(asked)));
      }
      case "exposure" -> {
        return member.exposure(words(asked), scope(asked));
      }
      case "approve" -> member.decide(question, true, "");
      case "refuse" -> {
        String why = NetworkApi.text(asked, "why", "").strip();
        if (why.isEmpty()) {
          throw new InvalidInput("why: must be given; the asker is told");
        }
        member.decide(question, false, why);
      }
      case "save" -> {
        String name = NetworkApi.text(asked, "name", "");
        member.save(question, catalogue.fresh(name));
        return new JsonObject().put("name", name);
      }
      default -> throw new NotFound("no such request about members");
    }
    return new JsonObject();
  }

  private Membership member(String number) {
    List<Membership> members = federations.members();
    if (number.matches("[0-9]{1,4}") && Integer.parseInt(number) < members.size()) {
      return members.get(Integer.parseInt(number));
    }
    throw new NotFound("there is no member %s here".formatted(number));
  }

  private static Map<String, String> words(JsonNode asked) {
    Map<String, String> words = new LinkedHashMap<>();
    for (var entry : asked.path("options").properties()) {
      String value =
          entry.getValue().isString() ? entry.getValue().asString() : entry.getValue().toString();
      if (!value.isBlank()) {
        words.put(entry.getKey(), value.strip());
      }
    }
    return new TreeMap<>(words);
  }

  private static Federations.Scope scope(JsonNode asked) {
    JsonNode coefficients = asked.path("coefficients");
    int many = coefficients.asInt(0);
    if (!coefficients.isMissingNode() && !coefficients.isNull() && (many < 1 || many > 200)) {
      throw new InvalidInput(
          "coefficients: must lie in [1, 200] on this page; got " + coefficients);
    }
    return new Federations.Scope(
        asked.path("coalition").asInt(1),
        many > 0 ? Optional.of(many) : Optional.empty(),
        asked.path("totals").asBoolean(false));
  }
}
