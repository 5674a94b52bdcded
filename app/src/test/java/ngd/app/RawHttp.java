package ngd.app;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** One request, byte for byte as given: what a browser would not send can be sent too. */
record RawHttp(int status, String head, String body) {

  static RawHttp send(
      int port, String method, String path, Map<String, String> headers, String body)
      throws IOException {
    StringBuilder text = new StringBuilder("%s %s HTTP/1.1\r\n".formatted(method, path));
    headers.forEach((name, value) -> text.append(name).append(": ").append(value).append("\r\n"));
    text.append("Connection: close\r\nContent-Length: ")
        .append(body.getBytes(StandardCharsets.UTF_8).length)
        .append("\r\n\r\n")
        .append(body);
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(20_000);
      socket.getOutputStream().write(text.toString().getBytes(StandardCharsets.UTF_8));
      socket.getOutputStream().flush();
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      int end = answer.indexOf("\r\n\r\n");
      return new RawHttp(
          Integer.parseInt(answer.split(" ", 3)[1]),
          answer.substring(0, Math.max(0, end)),
          answer.substring(end + 4));
    }
  }
}
