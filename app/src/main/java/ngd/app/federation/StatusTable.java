package ngd.app.federation;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import ngd.app.terminal.TextTable;
import ngd.core.InvalidInput;
import ngd.core.NumberText;
import ngd.core.WorkFailed;
import ngd.peer.standing.AskedQuestion;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What peers say of themselves, asked over their status ports and laid out as a table. */
final class StatusTable {
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final int OK = 200;
  private static final int MINUTE = 60;

  /** Shorter waits are what rounds are made of. */
  private static final double SHOWN_S = 2;

  /** One peer's answer, or why it did not answer. */
  private record StatusReply(String from, JsonNode status, String failure) {}

  private final List<StatusReply> answers = new ArrayList<>();

  /** A whole number that the first peer said of itself; 0 where it printed nothing. */
  int first(String key) {
    return answers.getFirst().status().path(key).asInt(0);
  }

  /** Asks each {@code host:port}, {@code port} or site's folder. */
  static StatusTable ask(List<String> peers) {
    List<Optional<URI>> addresses = peers.stream().map(StatusTable::address).toList();
    StatusTable table = new StatusTable();
    try (HttpClient client = HttpClient.newBuilder().connectTimeout(PATIENCE).build()) {
      for (int i = 0; i < peers.size(); i++) {
        String from = peers.get(i);
        table.answers.add(
            addresses
                .get(i)
                .map(address -> one(client, from, address))
                .orElseGet(() -> unreachable(from, "never started here")));
      }
    }
    return table;
  }

  /** Where a peer answers; nowhere where it is a folder in which none has started yet. */
  private static Optional<URI> address(String peer) {
    return Files.isDirectory(Path.of(peer))
        ? PeerStatusCommand.endpoint(Path.of(peer)).map(StatusTable::uri)
        : Optional.of(uri(peer));
  }

  private static URI uri(String endpoint) {
    String plain = endpoint.matches("\\d+") ? "127.0.0.1:" + endpoint : endpoint;
    if (!plain.matches("[A-Za-z0-9._-]+:\\d{1,5}|\\[[0-9a-fA-F:]+]:\\d{1,5}")) {
      throw new InvalidInput(
          "status: an endpoint is a port on this machine or host:port, as `ngd peer run` names it; got `%s`"
              .formatted(endpoint));
    }
    return URI.create("http://" + plain + "/status");
  }

  private static StatusReply one(HttpClient client, String from, URI address) {
    try {
      HttpResponse<String> response =
          client.send(
              HttpRequest.newBuilder(address).timeout(PATIENCE).build(),
              HttpResponse.BodyHandlers.ofString());
      JsonNode status = JsonMapper.shared().readTree(response.body());
      if (response.statusCode() == OK && status.has("site")) {
        return new StatusReply(from, status, "");
      }
      return unreachable(from, "is not a peer's status port");
    } catch (JacksonException e) {
      return unreachable(from, "is not a peer's status port");
    } catch (ConnectException e) {
      return unreachable(from, "not running");
    } catch (IOException e) {
      return unreachable(from, String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new WorkFailed("status: interrupted", e);
    }
  }

  private static StatusReply unreachable(String from, String why) {
    return new StatusReply(from, JsonMapper.shared().createObjectNode(), why);
  }

  /** Whether every peer answered and none has failed. */
  boolean allWell() {
    return answers.stream()
        .allMatch(
            a -> a.failure().isEmpty() && !a.status().path("state").asString().equals("failed"));
  }

  /** All answers for programs, in the order in which they were asked. */
  String json() {
    var array = JsonMapper.shared().createArrayNode();
    for (StatusReply answer : answers) {
      if (answer.failure().isEmpty()) {
        array.add(answer.status());
      } else {
        array.addObject().put("endpoint", answer.from()).put("unreachable", answer.failure());
      }
    }
    return JsonMapper.shared().writerWithDefaultPrettyPrinter().writeValueAsString(array);
  }

  void print(PrintWriter out) {
    TextTable rows =
        new TextTable(
            List.of(
                "site", "state", "round", "waits for", "spread", "in", "out", "refused", "left"));
    for (StatusReply answer : answers) {
      rows.add(
          answer.failure().isEmpty()
              ? row(answer.status())
              : List.of(answer.from(), answer.failure(), "", "", "", "", "", "", ""));
    }
    rows.print(out);
    for (StatusReply answer : answers) {
      notes(answer.status()).forEach(note -> out.printf("%n%s%n", note));
    }
  }

  /** What a table has no room for: why a peer failed, cannot keep its state, or is refused. */
  private static List<String> notes(JsonNode s) {
    String site = s.path("site").asString();
    List<String> notes = new ArrayList<>();
    String failure = s.path("failure").asString("");
    if (!failure.isEmpty()) {
      notes.add("%s: %s".formatted(site, failure));
    }
    waits(s, site).ifPresent(notes::add);
    String disk = s.path("disk").asString("");
    if (!disk.isEmpty()) {
      notes.add(
          "%s: cannot save its state to disk: %s; it goes on while its neighbours keep what it may need again"
              .formatted(site, disk));
    }
    for (JsonNode question : s.path("questions")) {
      List<String> awaited = new ArrayList<>();
      question.path("awaited").forEach(name -> awaited.add(name.asString()));
      notes.add(
          "%s: question %s of %s is %s: %s"
              .formatted(
                  site,
                  question.path("name").asString(),
                  question.path("asker").asString(),
                  AskedQuestion.State.words(question.path("state").asString(), awaited),
                  question.path("asks").asString()));
    }
    for (JsonNode neighbour : s.path("neighbours")) {
      String refusal = neighbour.path("refusal").asString("");
      if (!refusal.isEmpty()) {
        notes.add(
            "%s: refused by %s: %s".formatted(site, neighbour.path("name").asString(), refusal));
      }
    }
    return notes;
  }

  /** What a peer waits for, once it has for a while: the sites at the root of it. */
  private static Optional<String> waits(JsonNode s, String site) {
    double seconds = s.path("waitingSeconds").asDouble(0);
    if (seconds < SHOWN_S) {
      return Optional.empty();
    }
    List<String> missing = new ArrayList<>();
    s.path("unreachable").forEach(name -> missing.add(name.asString() + " (out of reach)"));
    s.path("busy").forEach(name -> missing.add(name.asString() + " (connected, busy)"));
    String whom = missing.isEmpty() ? "" : " for " + String.join(", ", missing);
    return Optional.of(
        "%s: has waited %s%s: %s"
            .formatted(site, time(seconds), whom, s.path("waitingReason").asString("")));
  }

  private static List<String> row(JsonNode s) {
    long in = 0;
    long out = 0;
    long refused = 0;
    for (JsonNode neighbour : s.path("neighbours")) {
      in += neighbour.path("bytesIn").asLong();
      out += neighbour.path("bytesOut").asLong();
      for (JsonNode count : neighbour.path("rejected")) {
        refused += count.asLong();
      }
    }
    List<String> waits = new ArrayList<>();
    s.path("waitingFor").forEach(name -> waits.add(name.asString()));
    return List.of(
        s.path("site").asString(),
        s.path("state").asString()
            + (s.path("stage").asString("").isEmpty() ? "" : ", " + s.path("stage").asString()),
        s.path("round").asString()
            + (s.path("rounds").isNumber() ? " of " + s.path("rounds").asInt() : ""),
        String.join(" ", waits),
        s.path("spread").isNumber() ? NumberText.text(s.path("spread").asDouble(), 3) : "",
        bytes(in),
        bytes(out),
        Long.toString(refused),
        s.path("stalled").asBoolean(false)
            ? "stalled"
            : s.path("secondsLeft").isNumber() ? time(s.path("secondsLeft").asDouble()) : "");
  }

  private static String bytes(long count) {
    return count < 10_000
        ? count + " B"
        : count < 10_000_000
            ? String.format(Locale.ROOT, "%.0f kB", count / 1e3)
            : String.format(Locale.ROOT, "%.1f MB", count / 1e6);
  }

  private static String time(double seconds) {
    long whole = Math.round(seconds);
    return whole < MINUTE ? whole + " s" : "%d:%02d min".formatted(whole / MINUTE, whole % MINUTE);
  }
}
