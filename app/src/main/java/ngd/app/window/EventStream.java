package ngd.app.window;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** Server-sent events on their way to one page; a page that has gone is an {@link IOException}. */
record EventStream(OutputStream out) {
  /** Sends one event; {@code data} is JSON on one line. */
  void send(String event, String data) throws IOException {
    write("event: " + event + "\ndata: " + data + "\n\n");
  }

  /** Sends nothing, only to learn whether somebody still listens. */
  void beat() throws IOException {
    write(": \n\n");
  }

  private void write(String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.UTF_8));
    out.flush();
  }
}
