package ngd.peer.bench;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import ngd.core.WorkFailed;

/**
 * Ports of this machine for peers that will be started on it. They lie below those that systems
 * hand out by themselves, so that no connection that is opened meanwhile takes one.
 */
public final class FreePorts {
  private static final int FIRST = 10_240;
  private static final int LAST = 32_767;

  private FreePorts() {}

  /** As many different ports, each of which nobody listens at now. */
  public static List<Integer> take(int count) {
    int range = LAST - FIRST + 1;
    // Two processes that ask at the same time look at different places.
    long mixed = (System.nanoTime() ^ ProcessHandle.current().pid() << 32) * 0x9E3779B97F4A7C15L;
    int start = (int) Long.remainderUnsigned(mixed >>> 16, range);
    List<Integer> ports = new ArrayList<>();
    for (int k = 0; k < range && ports.size() < count; k++) {
      int port = FIRST + (start + k) % range;
      if (isFree(port)) {
        ports.add(port);
      }
    }
    if (ports.size() < count) {
      throw new WorkFailed(
          "there must be %d free ports from %d to %d on this machine; there are %d"
              .formatted(count, FIRST, LAST, ports.size()));
    }
    return ports;
  }

  private static boolean isFree(int port) {
    try (ServerSocket _ = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return true;
    } catch (IOException taken) {
      return false;
    }
  }
}
