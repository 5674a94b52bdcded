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
import ngd.studies.engine.Machines;
import org.apache.spark.SparkConf;

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
    return new SparkEngine(master(address));
  }

  @Override
  public Machines machines(String address) {
    return new SparkMachines(master(address));
  }

  private static String master(String address) {
    String master = address.equals(SUBMITTED) ? submitted() : address;
    if (master.startsWith("spark://")) {
      requireReachable(master);
    }
    return master;
  }

  /** What spark-submit was told, on its command line or in its own settings. */
  private static String submitted() {
    return new SparkConf()
        .getOption("spark.master")
        .getOrElse(
            () -> {
              throw new InvalidInput(
                  "engine: `spark` is the master that spark-submit names; without spark-submit give spark://HOST:PORT or local-cluster[WORKERS,CORES,MEMORY]");
            });
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
