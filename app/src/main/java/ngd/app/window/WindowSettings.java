package ngd.app.window;

import java.net.InetAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import ngd.core.InvalidInput;

/**
 * How the page is served.
 *
 * @param address what to listen on
 * @param port where, 0 for any free one
 * @param token what whoever comes must know; a fresh one where it is left open
 * @param runs the folder whose runs are shown
 * @param peers status addresses, {@code host:port}, that may be asked besides those of this machine
 */
public record WindowSettings(
    InetAddress address, int port, Optional<String> token, Path runs, List<String> peers) {
  private static final int SHORTEST_TOKEN = 16;

  public WindowSettings {
    peers = List.copyOf(peers);
    if (port < 0 || port > 65535) {
      throw new InvalidInput("--port: must lie in [0, 65535]; got " + port);
    }
    if (!address.isLoopbackAddress() && token.isEmpty()) {
      throw new InvalidInput(
          "--bind: beyond this machine a --token of your own is needed, for whoever may come in; got %s without one"
              .formatted(address.getHostAddress()));
    }
    if (token.isPresent() && !token.get().matches("[A-Za-z0-9_-]{%d,}".formatted(SHORTEST_TOKEN))) {
      throw new InvalidInput(
          "--token: must be at least %d letters, digits, - or _, or it can be guessed"
              .formatted(SHORTEST_TOKEN));
    }
  }
}
