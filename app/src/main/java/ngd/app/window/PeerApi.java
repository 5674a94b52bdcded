package ngd.app.window;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import ngd.core.InvalidInput;
import ngd.core.run.JsonObject;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Real peers, seen through their status endpoints: {@code GET /status}, a JSON object.
 *
 * <p>A page may name addresses of this machine only; others must have been declared when the window
 * was opened. No other path is asked for, no redirection followed, and of the answer only what is
 * known is passed on: a page cannot use this window to look around in a network.
 */
final class PeerApi implements AutoCloseable {
  /** What of a status is shown. */
  private static final List<String> KNOWN =
      List.of(
          "site",
          "plan",
          "state",
          "stage",
          "round",
          "rounds",
          "waitingFor",
          "waitingReason",
          "waitingSeconds",
          "unreachable",
          "busy",
          "stalled",
          "spread",
          "seconds",
          "secondsLeft",
          "epsilonSpent",
          "failure",
          "neighbours",
          "questions");

  private static final int MOST_PEERS = 64;
  private static final int MOST_BYTES = 256 << 10;
  private static final Duration PATIENCE = Duration.ofSeconds(2);
  private static final long EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(700);
  private static final Pattern ADDRESS =
      Pattern.compile("(\\[[0-9a-fA-F:.]+\\]|[^:\\[\\]/@?#\\s]+):([0-9]{1,5})");

  private final Set<String> declared;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final HttpClient client =
      HttpClient.newBuilder()
          .connectTimeout(PATIENCE)
          .followRedirects(HttpClient.Redirect.NEVER)
          .executor(threads)
          .build();

  PeerApi(List<String> declared) {
    for (String address : declared) {
      Matcher parts = ADDRESS.matcher(address);
      if (!parts.matches()) {
        throw malformed(address);
      }
    }
    this.declared = Set.copyOf(declared);
  }

  PageReply answer(PageRequest request) {
    return switch (String.join("/", request.parts(2))) {
      case "" ->
          PageReply.json(new JsonObject().put("declared", declared.stream().sorted().toList()));
      case "events" -> {
        Set<String> addresses = new LinkedHashSet<>(request.all("at"));
        if (addresses.isEmpty() || addresses.size() > MOST_PEERS) {
          throw new InvalidInput(
              "peers: must be 1 to %d addresses; got %d".formatted(MOST_PEERS, addresses.size()));
        }
        addresses.forEach(this::requireAllowed);
        yield (PageReply.Events) stream -> watch(List.copyOf(addresses), stream);
      }
      default -> PageReply.error(404, "no such request about peers");
    };
  }

  private void requireAllowed(String address) {
    Matcher parts = ADDRESS.matcher(address);
    if (!parts.matches() || Integer.parseInt(parts.group(2)) > 65535) {
      throw malformed(address);
    }
    if (!declared.contains(address) && !isHere(parts.group(1))) {
      throw new InvalidInput(
          "peers: only addresses of this machine may be given here; give `%s` on the command line: ngd ui --peer %s"
              .formatted(address, address));
    }
  }

  private static InvalidInput malformed(String address) {
    return new InvalidInput(
        "peers: an address must be host:port, such as 127.0.0.1:7001; got `%s`".formatted(address));
  }

  /** Without a look-up: only {@code localhost} and numbers are this machine for sure. */
  private static boolean isHere(String host) {
    if (host.equals("localhost")) {
      return true;
    }
    try {
      return InetAddress.ofLiteral(host.replaceAll("[\\[\\]]", "")).isLoopbackAddress();
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private void watch(List<String> addresses, EventStream stream)
      throws IOException, InterruptedException {
    while (!Thread.currentThread().isInterrupted()) {
      long next = System.nanoTime() + EVERY_NANOS;
      List<Future<JsonObject>> asked = new ArrayList<>();
      for (String address : addresses) {
        asked.add(threads.submit(() -> status(address)));
      }
      List<JsonObject> peers = new ArrayList<>();
      for (Future<JsonObject> one : asked) {
        try {
          peers.add(one.get());
        } catch (ExecutionException e) {
          throw new IOException(e);
        }
      }
      stream.send("peers", new JsonObject().put("peers", peers).toString().replace("\n", ""));
      while (System.nanoTime() < next && !Thread.currentThread().isInterrupted()) {
        LockSupport.parkNanos(next - System.nanoTime());
      }
    }
  }

  /** What one peer says, or why it says nothing. */
  private JsonObject status(String address) throws InterruptedException {
    JsonObject peer = new JsonObject().put("at", address);
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://" + address + "/status"))
            .timeout(PATIENCE)
            .header("Accept", "application/json")
            .build();
    try {
      HttpResponse<InputStream> response =
          client.send(request, HttpResponse.BodyHandlers.ofInputStream());
      try (InputStream body = response.body()) {
        if (response.statusCode() != 200) {
          return peer.put("silent", "answered with status " + response.statusCode());
        }
        JsonNode status = JsonMapper.shared().readTree(body.readNBytes(MOST_BYTES));
        if (!status.isObject()) {
          return peer.put("silent", "did not answer with a status");
        }
        for (String key : KNOWN) {
          if (status.has(key)) {
            peer.put(key, status.get(key));
          }
        }
        return peer;
      }
    } catch (JacksonException e) {
      return peer.put("silent", "did not answer with a status");
    } catch (IOException e) {
      return peer.put("silent", "does not answer");
    }
  }

  @Override
  public void close() {
    client.shutdownNow();
    threads.shutdownNow();
  }
}
