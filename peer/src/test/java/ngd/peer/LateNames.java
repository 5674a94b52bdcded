package ngd.peer;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.net.spi.InetAddressResolver;
import java.net.spi.InetAddressResolverProvider;
import java.util.stream.Stream;

/**
 * Names below {@code late.test} are this machine's, once they are known; all others are as ever.
 */
public final class LateNames extends InetAddressResolverProvider {
  private static final String BELOW = ".late.test";

  private static volatile boolean known;

  /** From now on the names have an address. */
  static void announce() {
    known = true;
  }

  @Override
  public InetAddressResolver get(Configuration configuration) {
    InetAddressResolver usual = configuration.builtinResolver();
    return new InetAddressResolver() {
      @Override
      public Stream<InetAddress> lookupByName(String host, LookupPolicy policy)
          throws UnknownHostException {
        if (!host.endsWith(BELOW)) {
          return usual.lookupByName(host, policy);
        }
        if (!known) {
          throw new UnknownHostException(host);
        }
        return Stream.of(InetAddress.ofLiteral("127.0.0.1"));
      }

      @Override
      public String lookupByAddress(byte[] address) throws UnknownHostException {
        return usual.lookupByAddress(address);
      }
    };
  }

  @Override
  public String name() {
    return "late names";
  }
}
