package ngd.peer.plan;

import java.util.regex.Pattern;
import ngd.core.InvalidInput;

/**
 * A site of the federation: its name and where its peer listens.
 *
 * @param name what certificates, logs and errors call it
 */
public record Site(String name, String host, int port) {
  /** A label of a host name, so that a certificate can carry it as one. */
  private static final Pattern NAME = Pattern.compile("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?");

  private static final Pattern HOST =
      Pattern.compile("[A-Za-z0-9._-]{1,253}|\\[[0-9a-fA-F:.]{2,45}]");

  private static final int LARGEST_PORT = 65535;

  public Site {
    requireName(name);
  }

  /** Refuses what cannot be a site's name. */
  public static String requireName(String name) {
    if (!NAME.matcher(name).matches()) {
      throw new InvalidInput(
          "site: a name must be 1 to 63 of a-z, 0-9 and -, not - at either end, since certificates carry it; got `%s`"
              .formatted(name));
    }
    return name;
  }

  /** The site of a name and {@code host:port}; an IPv6 address stands in brackets. */
  public static Site of(String name, String address) {
    int colon = address.lastIndexOf(':');
    String host = colon < 0 ? address : address.substring(0, colon);
    if (colon < 0 || !HOST.matcher(host).matches()) {
      throw new InvalidInput(
          "site %s: the address must be host:port, such as %s.example.org:7400; got `%s`"
              .formatted(name, name, address));
    }
    int port;
    try {
      port = Integer.parseInt(address.substring(colon + 1));
    } catch (NumberFormatException notANumber) {
      port = 0;
    }
    if (port < 1 || port > LARGEST_PORT) {
      throw new InvalidInput(
          "site %s: the port must lie in [1, %d]; got `%s`"
              .formatted(name, LARGEST_PORT, address.substring(colon + 1)));
    }
    return new Site(name, host, port);
  }

  public String address() {
    return host + ":" + port;
  }
}
