package ngd.app.window;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import ngd.core.InvalidInput;

/** The server of the page. It serves from {@link #open} to {@link #close}. */
public final class Window implements AutoCloseable {
  /** Scripts, styles and pictures from here and nowhere else; nobody may frame the page. */
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:;"
          + " font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none';"
          + " frame-ancestors 'none'";

  private final HttpServer server;
  private final ExecutorService threads;
  private final AccessControl access;
  private final String address;
  private final PageFiles files = new PageFiles();
  private final NetworkApi networks = new NetworkApi();
  private final TrialApi trials;
  private final RunApi runs;
  private final PeerApi peers;
  private final MemberApi members;

  private Window(WindowSettings settings, TrialFactory factory, Federations federations)
      throws IOException {
    // Small answers are not held back, and whoever sends half a request is not waited for.
    setUnlessGiven("sun.net.httpserver.nodelay", "true");
    setUnlessGiven("sun.net.httpserver.maxReqTime", "30");
    InetAddress bound = settings.address();
    server = HttpServer.create(new InetSocketAddress(bound, settings.port()), 0);
    int port = server.getAddress().getPort();
    String token = settings.token().orElseGet(AccessControl::freshToken);
    access = new AccessControl(token, port);
    String host = bound.isAnyLocalAddress() ? "127.0.0.1" : bound.getHostAddress();
    address =
        "http://%s:%d/?token=%s"
            .formatted(host.contains(":") ? "[" + host + "]" : host, port, token);
    RunCatalogue catalogue = new RunCatalogue(settings.runs());
    trials = new TrialApi(factory, catalogue);
    runs = new RunApi(catalogue);
    peers = new PeerApi(settings.peers());
    members = new MemberApi(federations, catalogue);
    threads = Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("window-", 0).factory());
    server.setExecutor(threads);
    server.createContext("/", this::handle);
    server.start();
  }

  private static void setUnlessGiven(String property, String value) {
    if (System.getProperty(property) == null) {
      System.setProperty(property, value);
    }
  }

  /** Starts to serve. */
  public static Window open(
      WindowSettings settings, TrialFactory factory, Federations federations) {
    try {
      return new Window(settings, factory, federations);
    } catch (IOException e) {
      throw new InvalidInput(
          "--port: must be one that is free, 0 takes any; %d on %s is not: %s"
              .formatted(settings.port(), settings.address().getHostAddress(), e.getMessage()),
          e);
    }
  }

  /** What to open in a browser, the token included. */
  public String address() {
    return address;
  }

  private void handle(HttpExchange exchange) {
    try (exchange) {
      PageRequest request = new PageRequest(exchange);
      switch (answer(request)) {
        case PageReply.Whole whole -> send(exchange, request, whole);
        case PageReply.Events events -> stream(exchange, events);
      }
    } catch (IOException gone) {
      // The page was closed before it had read everything.
    } catch (InterruptedException ending) {
      Thread.currentThread().interrupt();
    }
  }

  private PageReply answer(PageRequest request) {
    try {
      Optional<PageReply.Whole> refusal = access.refusal(request);
      if (refusal.isPresent()) {
        return refusal.get();
      }
      if (!request.path().startsWith("/api/")) {
        return request.method().equals("GET")
            ? files.file(request.path()).orElse(PageReply.error(404, "there is no such page"))
            : PageReply.error(405, "pages can only be read");
      }
      return switch (request.parts(1).getFirst()) {
        case "network" -> networks.answer(request);
        case "trials" -> trials.answer(request);
        case "runs" -> runs.answer(request);
        case "peers" -> peers.answer(request);
        case "members" -> members.answer(request);
        case "exposure" -> members.exposure(request);
        default -> PageReply.error(404, "there is no such API");
      };
    } catch (InvalidInput e) {
      return PageReply.error(422, String.valueOf(e.getMessage()));
    } catch (NotFound e) {
      return PageReply.error(404, String.valueOf(e.getMessage()));
    } catch (IOException | RuntimeException e) {
      return PageReply.error(500, "failed: " + e);
    } catch (OutOfMemoryError e) {
      return PageReply.error(500, "needs more memory than this process may use");
    }
  }

  private void send(HttpExchange exchange, PageRequest request, PageReply.Whole answer)
      throws IOException {
    var headers = exchange.getResponseHeaders();
    headers.set("Content-Type", answer.type());
    headers.set("Content-Security-Policy", POLICY);
    headers.set("Cache-Control", "no-store");
    always(exchange);
    answer.headers().forEach(headers::set);
    if (access.brings(request)) {
      headers.add("Set-Cookie", access.cookie());
    }
    boolean empty = answer.body().length == 0 || request.method().equals("HEAD");
    exchange.sendResponseHeaders(answer.status(), empty ? -1 : answer.body().length);
    if (!empty) {
      try (OutputStream out = exchange.getResponseBody()) {
        out.write(answer.body());
      }
    }
  }

  private static void stream(HttpExchange exchange, PageReply.Events events)
      throws IOException, InterruptedException {
    var headers = exchange.getResponseHeaders();
    headers.set("Content-Type", "text/event-stream");
    headers.set("Cache-Control", "no-store");
    always(exchange);
    exchange.sendResponseHeaders(200, 0);
    events.to(new EventStream(exchange.getResponseBody()));
  }

  private static void always(HttpExchange exchange) {
    var headers = exchange.getResponseHeaders();
    headers.set("X-Content-Type-Options", "nosniff");
    headers.set("Referrer-Policy", "no-referrer");
    headers.set("Cross-Origin-Resource-Policy", "same-origin");
    headers.set("Cross-Origin-Opener-Policy", "same-origin");
  }

  @Override
  public void close() {
    server.stop(0);
    trials.close();
    peers.close();
    List<Runnable> waiting = threads.shutdownNow();
    assert waiting != null;
  }
}
