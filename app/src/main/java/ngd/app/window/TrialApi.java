package ngd.app.window;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import ngd.core.InvalidInput;
import ngd.core.question.Key;
import ngd.core.run.JsonObject;
import tools.jackson.databind.JsonNode;

/** Runs that someone watches: begun, steered and ended here, a few at a time. */
final class TrialApi implements AutoCloseable {
  /** Each holds its data and, while it plays, a core. */
  static final int MOST_TRIALS = 4;

  private static final int MOST_ROWS = 1_000_000;
  private static final int MOST_ROUNDS = 10_000_000;

  /** The options with labels of their own on the page. */
  private static final Map<String, String> OPTIONS =
      Map.ofEntries(
          Map.entry("simulate", "Model"),
          Map.entry("rows", "Rows"),
          Map.entry("clients", "Clients"),
          Map.entry("partition", "Partition"),
          Map.entry("placement", "Placement"),
          Map.entry("network", "Network"),
          Map.entry("weights", "Weights"),
          Map.entry("algorithm", "Algorithm"),
          Map.entry("alpha", "Step size α"),
          Map.entry("rounds", "Rounds"),
          Map.entry("seed", "Seed"));

  private static final FormWords FORM =
      new FormWords(OPTIONS).and("cut", "Cut the link").and("name", "Name");

  private final TrialFactory factory;
  private final RunCatalogue catalogue;
  private final Map<String, TrialSession> sessions = new LinkedHashMap<>();

  TrialApi(TrialFactory factory, RunCatalogue catalogue) {
    this.factory = factory;
    this.catalogue = catalogue;
  }

  PageReply answer(PageRequest request) throws IOException {
    List<String> parts = request.parts(2);
    boolean posted = request.method().equals("POST");
    if (parts.isEmpty() && posted) {
      JsonNode asked = request.json();
      return FORM.asking(() -> begin(asked));
    }
    if (parts.equals(List.of("methods"))) {
      return PageReply.json(methods());
    }
    if (parts.isEmpty()) {
      return PageReply.error(405, "runs are started with POST");
    }
    TrialSession session = session(parts.getFirst());
    if (parts.size() == 1 && request.method().equals("DELETE")) {
      end(session);
      return PageReply.json(new JsonObject());
    }
    return switch (String.join("/", parts.subList(1, parts.size()))) {
      case "events" -> (PageReply.Events) session::watch;
      case "client" -> PageReply.json(session.client(whole(request.one("client"), "client")));
      case "play", "pause", "step", "alpha", "cut", "more", "save" -> {
        if (!posted) {
          yield PageReply.error(405, "runs are controlled with POST");
        }
        JsonNode asked = request.json();
        yield PageReply.json(FORM.asking(() -> steer(session, parts.get(1), asked)));
      }
      default -> PageReply.error(404, "no such request about runs being watched");
    };
  }

  private JsonObject steer(TrialSession session, String how, JsonNode asked) {
    switch (how) {
      case "play" -> session.play(asked.path("speed").asDouble(0));
      case "pause" -> session.pause();
      case "step" -> session.step(Math.clamp(asked.path("rounds").asInt(1), 1, 1_000_000));
      case "alpha" -> session.changeAlpha(NetworkApi.text(asked, "alpha", ""));
      case "cut" -> session.cut(asked.path("client").asInt(-1), asked.path("other").asInt(-1));
      case "save" -> {
        String name = NetworkApi.text(asked, "name", "");
        return new JsonObject()
            .put("rounds", session.save(catalogue.fresh(name)))
            .put("name", name);
      }
      default -> session.more();
    }
    return new JsonObject();
  }

  private JsonObject methods() {
    return new JsonObject()
        .put(
            "methods",
            factory.methods().stream()
                .map(
                    method ->
                        new JsonObject()
                            .put("name", method.name())
                            .put("summary", method.summary())
                            .put("stepSize", method.stepSize())
                            .put("asynchronous", method.asynchronous()))
                .toList())
        .put(
            "further",
            factory.further().stream()
                .map(
                    key ->
                        new JsonObject()
                            .put("name", key.name())
                            .put("label", FORM.label(key.name()))
                            .put("help", key.help())
                            .put("flag", key.form() == Key.Form.FLAG)
                            .put("offered", key.offered()))
                .toList());
  }

  private boolean mayBeSet(String name) {
    return OPTIONS.containsKey(name)
        || factory.further().stream().anyMatch(key -> key.name().equals(name));
  }

  private PageReply begin(JsonNode asked) {
    Map<String, String> options = new LinkedHashMap<>();
    for (var entry : asked.path("options").properties()) {
      if (!mayBeSet(entry.getKey())) {
        throw new InvalidInput("options: `%s` cannot be set from a page".formatted(entry.getKey()));
      }
      String value =
          entry.getValue().isString() ? entry.getValue().asString() : entry.getValue().toString();
      if (!value.isBlank()) {
        options.put(entry.getKey(), value.strip());
      }
    }
    requireAtMost(options, "clients", NetworkApi.MOST_CLIENTS);
    requireAtMost(options, "rows", MOST_ROWS);
    requireAtMost(options, "rounds", MOST_ROUNDS);
    if (options.getOrDefault("network", "").startsWith("file:")) {
      throw new InvalidInput("network: a page may not name files; draw or import the network");
    }
    Optional<String> drawn =
        asked.path("edges").isString()
            ? Optional.of(asked.path("edges").asString())
            : Optional.empty();
    // As the designer exports it, so that the command line shown works beside that file.
    drawn.ifPresent(_ -> options.put("network", "file:edges.csv"));
    TrialSession session = new TrialSession(factory.begin(options, drawn), this::end);
    session.start();
    try {
      synchronized (sessions) {
        makeRoom();
        sessions.put(session.id(), session);
      }
    } catch (InvalidInput tooMany) {
      session.close();
      throw tooMany;
    }
    return PageReply.json(session.description());
  }

  private static void requireAtMost(Map<String, String> options, String name, int most) {
    String value = options.get(name);
    if (value != null
        && value.matches("[0-9]+")
        && (value.length() > 9 || Integer.parseInt(value) > most)) {
      throw new InvalidInput("%s: at most %d in this window; got %s".formatted(name, most, value));
    }
  }

  private static int whole(String text, String name) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw new InvalidInput("%s: must be a whole number; got `%s`".formatted(name, text), e);
    }
  }

  /** The oldest that nobody watches makes way. */
  private void makeRoom() {
    if (sessions.size() < MOST_TRIALS) {
      return;
    }
    for (TrialSession session : new ArrayList<>(sessions.values())) {
      if (!session.isWatched()) {
        sessions.remove(session.id());
        session.close();
        return;
      }
    }
    throw new InvalidInput(
        "runs: at most %d at a time, as each takes a core; close another page"
            .formatted(MOST_TRIALS));
  }

  private TrialSession session(String id) {
    synchronized (sessions) {
      TrialSession session = sessions.get(id);
      if (session == null) {
        throw new NotFound("this run was closed; start it again");
      }
      return session;
    }
  }

  private void end(TrialSession session) {
    synchronized (sessions) {
      sessions.remove(session.id());
    }
    session.close();
  }

  @Override
  public void close() {
    synchronized (sessions) {
      sessions.values().forEach(TrialSession::close);
      sessions.clear();
    }
  }
}
