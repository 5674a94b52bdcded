package ngd.app.window;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import ngd.core.InvalidInput;
import ngd.core.run.JsonObject;
import ngd.studies.figure.Figure;
import ngd.studies.figure.FigureFormat;
import tools.jackson.databind.json.JsonMapper;

/** The reply to a request: bytes of some type, or events as long as somebody listens. */
sealed interface PageReply {

  /** Bytes, whole. */
  final class Whole implements PageReply {
    private final int status;
    private final String type;
    private final byte[] body;
    private final Map<String, String> headers;

    private Whole(int status, String type, byte[] body, Map<String, String> headers) {
      this.status = status;
      this.type = type;
      this.body = body;
      this.headers = Map.copyOf(headers);
    }

    int status() {
      return status;
    }

    String type() {
      return type;
    }

    byte[] body() {
      return body;
    }

    Map<String, String> headers() {
      return headers;
    }

    /** The same with one header more. */
    Whole with(String name, String value) {
      Map<String, String> more = new java.util.HashMap<>(headers);
      more.put(name, value);
      return new Whole(status, type, body, more);
    }
  }

  /** Events, one after the other. */
  non-sealed interface Events extends PageReply {
    void to(EventStream stream) throws IOException, InterruptedException;
  }

  static Whole bytes(String type, byte[] body) {
    return new Whole(200, type, body, Map.of());
  }

  static Whole text(int status, String type, String body) {
    return new Whole(
        status, type + "; charset=utf-8", body.getBytes(StandardCharsets.UTF_8), Map.of());
  }

  /** Any value that JSON can hold; infinite numbers as null, which is what a page can read. */
  static Whole json(Object value) {
    return text(
        200,
        "application/json",
        value instanceof JsonObject object
            ? object.toString()
            : JsonMapper.shared().writeValueAsString(value));
  }

  static Whole error(int status, String message) {
    return text(status, "application/json", new JsonObject().put("error", message).toString());
  }

  /** Bytes that the browser stores under a name. */
  static Whole download(String type, String name, byte[] body) {
    return bytes(type, body)
        .with(
            "Content-Disposition",
            "attachment; filename=\"%s\"".formatted(name.replaceAll("[^A-Za-z0-9._-]", "_")));
  }

  /** A figure that the browser stores under a name, in the format that a page asks for. */
  static Whole drawn(Figure figure, String format, String name) {
    FigureFormat chosen =
        FigureFormat.of(format)
            .orElseThrow(
                () ->
                    new InvalidInput(
                        "format: must be %s; got `%s`"
                            .formatted(FigureFormat.endings(""), format)));
    return download(chosen.type(), name + "." + chosen.ending(), chosen.bytes(figure, name));
  }
}
