package ngd.peer.identity;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import ngd.core.InvalidInput;
import ngd.core.file.WholeFile;

/**
 * Takes requests of those who hold an invitation and hands out kits, over TLS under the authority's
 * own certificate. Nothing secret goes either way, and nobody is believed for having asked: a
 * request is approved by words that two people compare.
 */
public final class Admission implements AutoCloseable {
  private static final int LARGEST_REQUEST = 1 << 16;
  private static final int LARGEST_KIT = 1 << 24;
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** No site can be called so. */
  private static final String SERVER_NAME = "-admission";

  private final Invitation invitation;
  private final Path folder;
  private final HttpsServer server;
  private final Set<String> fetched = ConcurrentHashMap.newKeySet();
  private volatile byte[] kit = {};

  /** Begins to listen. */
  public Admission(Authority authority, Invitation invitation, Path folder, int port)
      throws IOException {
    this.invitation = invitation;
    this.folder = folder;
    server = HttpsServer.create(new InetSocketAddress(port), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(context(authority)));
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::answer);
    server.start();
  }

  private static SSLContext context(Authority authority) {
    try {
      SiteKeys.Fresh keys = SiteKeys.generate();
      X509Certificate own =
          authority.temporary(CertificateRequest.of(SERVER_NAME, keys), Duration.ofDays(30));
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      char[] none = new char[0];
      store.setKeyEntry(SERVER_NAME, keys.proof().getPrivate(), none, new X509Certificate[] {own});
      KeyManagerFactory managers =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      managers.init(store, none);
      SSLContext tls = SSLContext.getInstance("TLSv1.3");
      tls.init(managers.getKeyManagers(), null, null);
      return tls;
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException("every Java has TLS 1.3", e);
    }
  }

  public int port() {
    return server.getAddress().getPort();
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String name = exchange.getRequestURI().getPath().substring(1);
      boolean member = invitation.plan().plan().federation().members().contains(name);
      if (!member) {
        send(exchange, 404, "not a member of the plan".getBytes(StandardCharsets.UTF_8));
      } else if (exchange.getRequestMethod().equals("POST")) {
        byte[] body = exchange.getRequestBody().readNBytes(LARGEST_REQUEST);
        take(name, body);
        send(exchange, 202, new byte[0]);
      } else if (kit.length == 0) {
        send(exchange, 204, new byte[0]);
      } else {
        send(exchange, 200, kit);
        fetched.add(name);
      }
    } catch (InvalidInput wrong) {
      send(exchange, 400, String.valueOf(wrong.getMessage()).getBytes(StandardCharsets.UTF_8));
    }
  }

  private static void send(HttpExchange exchange, int code, byte[] body) throws IOException {
    exchange.sendResponseHeaders(code, body.length == 0 ? -1 : body.length);
    if (body.length > 0) {
      exchange.getResponseBody().write(body);
    }
  }

  /** Keeps a request; the last one counts until one is approved. */
  private void take(String name, byte[] body) throws IOException {
    WholeFile.Access.PRIVATE.createFolders(folder);
    Path draft = folder.resolve(name + ".csr.new");
    WholeFile.write(draft, WholeFile.Access.PRIVATE, out -> out.write(body));
    try {
      CertificateRequest request = CertificateRequest.read(draft);
      if (!request.site().equals(name)) {
        throw new InvalidInput("request: must ask for `%s`".formatted(name));
      }
      Files.move(
          draft, folder.resolve(name + ".csr"), java.nio.file.StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(draft);
    }
  }

  /** The request of a member, if it has come. */
  public Optional<CertificateRequest> request(String name) {
    Path file = folder.resolve(name + ".csr");
    return Files.exists(file) ? Optional.of(CertificateRequest.read(file)) : Optional.empty();
  }

  /** Hands this kit out from now on. */
  public void hand(Map<String, byte[]> files) {
    ByteArrayOutputStream zip = new ByteArrayOutputStream();
    try {
      Kit.zipped(files, zip);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
    kit = zip.toByteArray();
  }

  /** Those who have their kit. */
  public Set<String> fetched() {
    return Set.copyOf(fetched);
  }

  @Override
  public void close() {
    server.stop(1);
  }

  // ---- The other side

  /** Sends a member's request to where its invitation says. */
  public static void ask(Invitation invitation, CertificateRequest request) {
    HttpResponse<byte[]> answer =
        call(
            invitation,
            request.site(),
            HttpRequest.BodyPublishers.ofString(Pem.text(Pem.REQUEST, request.encoded())));
    if (answer.statusCode() != 202) {
      throw new InvalidInput(
          "join: %s does not take the request: %s"
              .formatted(invitation.address(), new String(answer.body(), StandardCharsets.UTF_8)));
    }
  }

  /** The kit, if it is there already. */
  public static Optional<Map<String, String>> fetch(Invitation invitation, String name) {
    HttpResponse<byte[]> answer = call(invitation, name, null);
    if (answer.statusCode() != 200 || answer.body().length > LARGEST_KIT) {
      return Optional.empty();
    }
    try {
      Map<String, String> files = Kit.texts(answer.body());
      invitation.requireKit(files);
      return Optional.of(files);
    } catch (IOException e) {
      throw new InvalidInput("join: the kit cannot be read: %s".formatted(e.getMessage()), e);
    }
  }

  private static HttpResponse<byte[]> call(
      Invitation invitation,
      String name,
      HttpRequest.@org.jspecify.annotations.Nullable BodyPublisher body) {
    try (HttpClient client =
        HttpClient.newBuilder().sslContext(trusting(invitation)).connectTimeout(PATIENCE).build()) {
      HttpRequest.Builder request =
          HttpRequest.newBuilder(URI.create("https://%s/%s".formatted(invitation.address(), name)))
              .timeout(PATIENCE);
      return client.send(
          body == null ? request.GET().build() : request.POST(body).build(),
          HttpResponse.BodyHandlers.ofByteArray());
    } catch (IOException | IllegalArgumentException e) {
      throw new InvalidInput(
          "join: cannot reach %s, where the invitation says to ask: %s"
              .formatted(invitation.address(), e.getMessage() == null ? e : e.getMessage()),
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InvalidInput("join: interrupted", e);
    }
  }

  private static SSLContext trusting(Invitation invitation) {
    try {
      SSLContext tls = SSLContext.getInstance("TLSv1.3");
      tls.init(null, new TrustManager[] {new OnlyThisAuthority(invitation.authority())}, null);
      return tls;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has TLS 1.3", e);
    }
  }

  /** Believes what the invitation's authority has signed for admissions, at whatever address. */
  private static final class OnlyThisAuthority extends X509ExtendedTrustManager {
    private final X509Certificate authority;

    OnlyThisAuthority(X509Certificate authority) {
      this.authority = authority;
    }

    private void check(X509Certificate[] chain) throws CertificateException {
      try {
        chain[0].verify(authority.getPublicKey());
        chain[0].checkValidity();
      } catch (GeneralSecurityException e) {
        throw new CertificateException("not signed by the invitation's authority", e);
      }
      if (!PeerIdentity.siteOf(chain[0]).equals(SERVER_NAME)) {
        throw new CertificateException("not a certificate for admissions");
      }
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type)
        throws CertificateException {
      check(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
        throws CertificateException {
      check(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
        throws CertificateException {
      check(chain);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type)
        throws CertificateException {
      throw new CertificateException("nobody shows a certificate here");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
        throws CertificateException {
      checkClientTrusted(chain, type);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
        throws CertificateException {
      checkClientTrusted(chain, type);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[] {authority};
    }
  }
}
