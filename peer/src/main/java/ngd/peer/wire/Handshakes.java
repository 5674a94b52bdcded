package ngd.peer.wire;

import static java.lang.System.Logger.Level.WARNING;

import java.util.concurrent.atomic.LongAdder;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/**
 * Connections that did not get through their handshake: whoever speaks no TLS, another version, or
 * shows no certificate that is believed. The transport reports it to its own log only, so this
 * listens there.
 */
public final class Handshakes {
  private static final System.Logger LOG = System.getLogger("ngd.peer");
  private static final LongAdder FAILED = new LongAdder();
  private static final Repeats REPEATS = new Repeats();
  private static final String LINE =
      "refused peer=unknown reason=HANDSHAKE detail=a connection ended in its handshake: it must be TLS 1.3 with a neighbour's certificate";

  /** Held on to: a logger that nobody holds is forgotten with its level. */
  private static final Logger TRANSPORT =
      Logger.getLogger("io.grpc.netty.shaded.io.grpc.netty.ProtocolNegotiators");

  static {
    TRANSPORT.setLevel(Level.FINE);
    TRANSPORT.addHandler(
        new Handler() {
          @Override
          public void publish(LogRecord entry) {
            if (String.valueOf(entry.getMessage()).startsWith("TLS negotiation failed")) {
              FAILED.increment();
              String line = REPEATS.next(LINE);
              if (line != null) {
                LOG.log(WARNING, line);
              }
            }
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        });
  }

  private Handshakes() {}

  /** How many there were in this process. */
  public static long failed() {
    return FAILED.sum();
  }
}
