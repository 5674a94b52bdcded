package ngd.spark;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import ngd.core.InvalidInput;
import ngd.studies.engine.Engine;
import ngd.studies.engine.EngineProvider;

/** Connects to Spark masters. */
public final class SparkProvider implements EngineProvider {
  /** Spark itself would try for a minute before it gives up. */
  private static final int PATIENCE_MS = 5000;

  @Override
  public boolean understands(String address) {
    return EngineProvider.isSpark(address);
  }

  @Override
  public Engine connect(String address) {
    if (address.startsWith("spark://")) {
      requireReachable(address);
    }
    return new SparkEngine(address);
  }

  /** Several masters stand behind one another: {@code spark://one:7077,two:7077}. */
  private static void requireReachable(String address) {
    List<String> reasons = new ArrayList<>();
    for (String one : address.substring("spark://".length()).split(",", -1)) {
      URI uri;
      try {
        uri = URI.create("spark://" + one);
      } catch (IllegalArgumentException malformed) {
        throw new InvalidInput(malformed(address), malformed);
      }
      if (uri.getHost() == null || uri.getPort() < 0) {
        throw new InvalidInput(malformed(address));
      }
      try (Socket socket = new Socket()) {
        socket.connect(new InetSocketAddress(uri.getHost(), uri.getPort()), PATIENCE_MS);
        return;
      } catch (IOException unreachable) {
        reasons.add("%s: %s".formatted(one, unreachable.getMessage()));
      }
    }
    throw new InvalidInput(
        "engine: no Spark master can be reached at %s (%s)"
            .formatted(address, String.join("; ", reasons)));
  }

  private static String malformed(String address) {
    return "engine: the form is `spark://HOST:PORT`; got `%s`".formatted(address);
  }
}
