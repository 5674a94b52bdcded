package ngd.peer.status;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The oracle is the status that was put in. */
class StatusServerTest {
  private static PeerStatus status(PeerStatus.State state) {
    return status(state, 2);
  }

  private static PeerStatus status(PeerStatus.State state, double waited) {
    return new PeerStatus(
        "a",
        "0123abcd",
        state,
        "rounds of ngd",
        12,
        OptionalInt.of(100),
        List.of("b"),
        Optional.of(new PeerStatus.Waiting("its message", waited, List.of("d"), List.of("e"))),
        OptionalDouble.of(0.25),
        3.5,
        OptionalDouble.of(25.7),
        OptionalDouble.empty(),
        List.of(
            new PeerStatus.Neighbour(
                "b", true, 1, 2, 3, 4, Map.of("replayed", 2L), Optional.empty()),
            new PeerStatus.Neighbour(
                "c", false, 0, 0, 0, 0, Map.of(), Optional.of("plans differ"))),
        Optional.of("No space left on device"),
        Optional.empty(),
        List.of());
  }

  private static HttpResponse<String> get(int port, String path) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d%s".formatted(port, path))).build(),
          HttpResponse.BodyHandlers.ofString());
    }
  }

  @Test
  void status_running_saysRoundsAndWhoIsWaitedFor() throws Exception {
    try (StatusServer server = StatusServer.start(0, () -> status(PeerStatus.State.RUNNING))) {
      JsonNode json = JsonMapper.shared().readTree(get(server.port(), "/status").body());
      assertThat(json.path("round").asInt()).isEqualTo(12);
      assertThat(json.path("waitingFor").get(0).asString()).isEqualTo("b");
      assertThat(json.path("waitingReason").asString()).isEqualTo("its message");
      assertThat(json.path("waitingSeconds").asDouble()).isEqualTo(2);
      assertThat(json.path("unreachable").get(0).asString()).isEqualTo("d");
      assertThat(json.path("busy").get(0).asString()).isEqualTo("e");
      assertThat(json.path("secondsLeft").asDouble()).isEqualTo(25.7);
      assertThat(json.path("disk").asString()).isEqualTo("No space left on device");
      assertThat(json.path("neighbours").get(1).path("refusal").asString())
          .isEqualTo("plans differ");
      assertThat(json.path("neighbours").get(0).path("rejected").path("replayed").asInt())
          .isEqualTo(2);
      assertThat(get(server.port(), "/health").statusCode()).isEqualTo(200);
      assertThat(get(server.port(), "/elsewhere").statusCode()).isEqualTo(404);
    }
  }

  @Test
  void metrics_areLinesThatPrometheusReads() throws Exception {
    try (StatusServer server = StatusServer.start(0, () -> status(PeerStatus.State.RUNNING))) {
      String text = get(server.port(), "/metrics").body();
      assertThat(text.lines())
          .allMatch(
              line ->
                  line.matches(
                      "# (HELP|TYPE) [a-z_]+"
                          + " .+|[a-z_]+(\\{[a-z]+=\"[^\"]*\"(,[a-z]+=\"[^\"]*\")*})? [-0-9.eE]+"));
      assertThat(text)
          .contains("ngd_rounds_total 12\n")
          .contains("ngd_waiting{neighbour=\"b\"} 1\n")
          .contains("ngd_rejected_total{neighbour=\"b\",reason=\"replayed\"} 2\n");
    }
  }

  /** A peer that waits for long says so to whoever watches it, with the sites at the root of it. */
  @Test
  void health_waitingForLong_isUnavailableAndNamesWhoIsMissing() throws Exception {
    try (StatusServer server = StatusServer.start(0, () -> status(PeerStatus.State.RUNNING, 90))) {
      HttpResponse<String> health = get(server.port(), "/health");
      assertThat(health.statusCode()).isEqualTo(503);
      assertThat(health.body()).isEqualTo("stalled for 90 s, out of reach: d; busy: e\n");
      assertThat(get(server.port(), "/metrics").body())
          .contains("ngd_up 1\n")
          .contains("ngd_stalled 1\n")
          .contains("ngd_waiting_seconds 90");
    }
    try (StatusServer server = StatusServer.start(0, () -> status(PeerStatus.State.DONE, 90))) {
      assertThat(get(server.port(), "/health").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void health_failed_isUnavailable() throws Exception {
    try (StatusServer server = StatusServer.start(0, () -> status(PeerStatus.State.FAILED))) {
      assertThat(get(server.port(), "/health").statusCode()).isEqualTo(503);
    }
  }

  /** What the health check of the image runs. */
  @Test
  void healthScript_saysWhatHealthSays() throws Exception {
    int free;
    try (StatusServer server = StatusServer.start(0, () -> status(PeerStatus.State.RUNNING))) {
      free = server.port();
      assertThat(healthScript(free)).isZero();
    }
    assertThat(healthScript(free)).as("nobody listens").isNotZero();
    try (StatusServer server = StatusServer.start(0, () -> status(PeerStatus.State.RUNNING, 90))) {
      assertThat(healthScript(server.port())).as("stalled").isEqualTo(1);
    }
  }

  private static int healthScript(int port) throws Exception {
    return new ProcessBuilder("bash", "../deploy/health", Integer.toString(port))
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start()
        .waitFor();
  }
}
