package ngd.app.window;

import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/**
 * Which requests are allowed.
 *
 * <ul>
 *   <li>The host that a request names must be {@code localhost} or a numeric address, with our
 *       port: a name that an attacker's server resolves to this machine is turned away.
 *   <li>The token must be there: in the address that was opened, and from then on in a cookie that
 *       browsers send along with requests of this page only.
 *   <li>Requests that another page makes are turned away, whatever port of this machine that page
 *       came from; requests that change something must say that they come from here.
 * </ul>
 */
final class AccessControl {
  private static final List<String> READING = List.of("GET", "HEAD");

  private final String token;
  private final int port;

  AccessControl(String token, int port) {
    this.token = token;
    this.port = port;
  }

  /** A token that nobody guesses. */
  static String freshToken() {
    byte[] bytes = new byte[24];
    new SecureRandom().nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /** The cookie's name; ports share cookies, so each has its own. */
  private String cookieName() {
    return "ngd-" + port;
  }

  /** The header that gives the token to the browser for the requests to come. */
  String cookie() {
    return "%s=%s; Path=/; HttpOnly; SameSite=Strict".formatted(cookieName(), token);
  }

  /** Whether this is the opened address, with the token in it. */
  boolean brings(PageRequest request) {
    return request.method().equals("GET")
        && request.path().equals("/")
        && request.all("token").stream().anyMatch(this::isToken);
  }

  /** Why a request is turned away, if it is. */
  Optional<PageReply.Whole> refusal(PageRequest request) {
    String host = request.header("Host").orElse("");
    if (!isOurs(host)) {
      return refused(
          421, "this window answers to localhost or a numeric address only; got `" + host + "`");
    }
    if (brings(request)) {
      return Optional.empty();
    }
    Optional<String> origin = request.header("Origin");
    boolean changes = !READING.contains(request.method());
    if (origin.isPresent() ? !origin.get().equals("http://" + host) : changes) {
      return refused(403, "requests from other pages are refused");
    }
    String site = request.header("Sec-Fetch-Site").orElse("none");
    if (!site.equals("same-origin") && !site.equals("none")) {
      return refused(403, "requests from other pages are refused");
    }
    if (!hasCookie(request)) {
      return refused(401, "open the address that `ngd ui` printed: it holds the token");
    }
    return Optional.empty();
  }

  private static Optional<PageReply.Whole> refused(int status, String why) {
    return Optional.of(PageReply.text(status, "text/plain", why + "\n"));
  }

  private boolean isOurs(String host) {
    int colon = host.lastIndexOf(':');
    if (colon < 0 || host.endsWith("]")) {
      return false;
    }
    String name = host.substring(0, colon);
    return host.substring(colon + 1).equals(Integer.toString(port))
        && (name.equals("localhost") || isNumeric(name));
  }

  /** Whether this is a numeric address; names are not looked up. */
  private static boolean isNumeric(String name) {
    try {
      return name.startsWith("[")
          ? InetAddress.ofLiteral(name.substring(1, name.length() - 1)) != null
          : InetAddress.ofLiteral(name) != null;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private boolean hasCookie(PageRequest request) {
    for (String pair : request.header("Cookie").orElse("").split(";", -1)) {
      String[] halves = pair.strip().split("=", 2);
      if (halves.length == 2 && halves[0].equals(cookieName()) && isToken(halves[1])) {
        return true;
      }
    }
    return false;
  }

  private boolean isToken(String given) {
    return MessageDigest.isEqual(
        given.getBytes(StandardCharsets.UTF_8), token.getBytes(StandardCharsets.UTF_8));
  }
}
