package ngd.app;

import com.sun.net.httpserver.HttpServer;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** A process of its own that answers {@code GET /status} as a peer does. */
final class StatusProcess implements AutoCloseable {
  private final Process process;
  private final int port;

  private StatusProcess(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  static StatusProcess start(String site, String neighbours, String waitingFor) throws IOException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Xmx64m",
                "-cp",
                Path.of("target/test-classes").toAbsolutePath().toString(),
                StatusProcess.class.getName(),
                site,
                neighbours,
                waitingFor)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    BufferedReader said =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    return new StatusProcess(process, Integer.parseInt(said.readLine()));
  }

  String address() {
    return "127.0.0.1:" + port;
  }

  /** As {@code kill -9} does. */
  void kill() {
    process.destroyForcibly();
  }

  @Override
  public void close() {
    kill();
  }

  public static void main(String[] words) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    int[] round = new int[1];
    server.createContext(
        "/status",
        exchange -> {
          round[0] += 7;
          StringBuilder neighbours = new StringBuilder();
          for (String name : words[1].split(",", -1)) {
            neighbours
                .append(neighbours.isEmpty() ? "" : ",")
                .append("{\"name\":\"")
                .append(name)
                .append(
                    "\",\"connected\":true,\"messagesIn\":9,\"messagesOut\":9,\"bytesIn\":4800,\"bytesOut\":5200,\"rejected\":{\"replayed\":1}}");
          }
          String status =
              "{\"site\":\"%s\",\"plan\":\"0123\",\"state\":\"running\",\"stage\":\"rounds\",\"round\":%d,\"rounds\":2000,\"waitingFor\":[%s],\"spread\":0.0123,\"seconds\":3.5,\"secondsLeft\":75,\"secret\":\"never shown\",\"neighbours\":[%s]}"
                  .formatted(
                      words[0],
                      round[0],
                      words[2].isEmpty() ? "" : "\"" + words[2] + "\"",
                      neighbours);
          byte[] bytes = status.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
    server.start();
    new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8)
        .println(server.getAddress().getPort());
  }
}
