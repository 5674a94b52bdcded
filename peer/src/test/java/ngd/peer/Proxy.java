package ngd.peer;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A stretch of network between two machines, which can be cut and counts what goes over it. Its
 * threads are the system's own, so that it is there whatever else runs in this process.
 */
final class Proxy implements AutoCloseable {
  private final ServerSocket server;
  private final int target;
  private final List<Socket> open = new CopyOnWriteArrayList<>();
  private final AtomicLong bytes = new AtomicLong();
  private volatile boolean cut;

  Proxy(int target) throws IOException {
    this.target = target;
    server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofPlatform().daemon().start(this::accept);
  }

  int port() {
    return server.getLocalPort();
  }

  /** Bytes in both directions, with all that TLS and HTTP/2 add. */
  long bytes() {
    return bytes.get();
  }

  /** Nothing gets through any more, and what is open breaks. */
  void cut() {
    cut = true;
    open.forEach(Proxy::close);
    open.clear();
  }

  void heal() {
    cut = false;
  }

  private void accept() {
    try {
      while (true) {
        Socket here = server.accept();
        if (cut) {
          close(here);
          continue;
        }
        Thread.ofPlatform().daemon().start(() -> connect(here));
      }
    } catch (IOException closed) {
      // The test is over.
    }
  }

  private void connect(Socket here) {
    try {
      Socket there = new Socket(InetAddress.getLoopbackAddress(), target);
      here.setTcpNoDelay(true);
      there.setTcpNoDelay(true);
      open.add(here);
      open.add(there);
      Thread.ofPlatform().daemon().start(() -> pass(here, there));
      pass(there, here);
    } catch (IOException refused) {
      close(here);
    }
  }

  private void pass(Socket from, Socket to) {
    byte[] some = new byte[1 << 16];
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int n = in.read(some); n >= 0; n = in.read(some)) {
        out.write(some, 0, n);
        out.flush();
        bytes.addAndGet(n);
      }
    } catch (IOException broken) {
      // One end is gone, so the other goes too.
    } finally {
      close(from);
      close(to);
    }
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException alreadyClosed) {
      // As wanted.
    }
  }

  @Override
  public void close() {
    cut();
    try {
      server.close();
    } catch (IOException alreadyClosed) {
      // As wanted.
    }
  }
}
