package ngd.peer.status;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import ngd.core.InvalidInput;

/**
 * Says how a peer is, at {@code /health}, {@code /status} and {@code /metrics}, to whoever asks on
 * this machine. It listens on the loopback address alone: whoever is to ask from elsewhere tunnels.
 */
public final class StatusServer implements AutoCloseable {
  private static final int NOT_FOUND = 404;
  private static final int ONLY_GET = 405;
  private static final int UNAVAILABLE = 503;
  private static final int FORBIDDEN = 403;
  private static final int OK = 200;

  private final HttpServer server;
  private final ExecutorService threads;

  private StatusServer(HttpServer server, ExecutorService threads) {
    this.server = server;
    this.threads = threads;
  }

  /**
   * Begins to listen.
   *
   * @param port 0 for any that is free
   */
  public static StatusServer start(int port, Supplier<PeerStatus> status) {
    try {
      HttpServer server =
          HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
      ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
      server.setExecutor(threads);
      server.createContext("/", exchange -> answer(exchange, status));
      server.start();
      return new StatusServer(server, threads);
    } catch (IOException e) {
      throw new InvalidInput(
          "status port: must be free on this machine; %d is not: %s"
              .formatted(port, e.getMessage()),
          e);
    }
  }

  /** Where it listens. */
  public int port() {
    return server.getAddress().getPort();
  }

  private static void answer(HttpExchange exchange, Supplier<PeerStatus> status)
      throws IOException {
    try (exchange) {
      if (!exchange.getRequestMethod().equals("GET")) {
        send(exchange, ONLY_GET, "text/plain", "GET only\n");
        return;
      }
      String host = String.valueOf(exchange.getRequestHeaders().getFirst("Host"));
      // A page in a browser may reach this port under another name; it has no business here.
      if (!host.matches("(localhost|127\\.0\\.0\\.1|\\[::1])(:\\d+)?")) {
        send(exchange, FORBIDDEN, "text/plain", "ask this machine by its loopback address\n");
        return;
      }
      PeerStatus now = status.get();
      switch (exchange.getRequestURI().getPath()) {
        case "/health" ->
            send(exchange, now.healthy() ? OK : UNAVAILABLE, "text/plain", now.health() + "\n");
        case "/status" -> send(exchange, OK, "application/json", now.json() + "\n");
        case "/metrics" -> send(exchange, OK, "text/plain; version=0.0.4", now.metrics());
        default ->
            send(exchange, NOT_FOUND, "text/plain", "there are /health, /status and /metrics\n");
      }
    }
  }

  private static void send(HttpExchange exchange, int code, String type, String body)
      throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", type + "; charset=utf-8");
    exchange.sendResponseHeaders(code, bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
