package ngd.app.window;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import ngd.core.InvalidInput;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What a page asks for. */
record PageRequest(HttpExchange exchange) {
  /** An edge list of a network that can still be drawn fits into this. */
  private static final int MOST_BYTES = 16 << 20;

  String method() {
    return exchange.getRequestMethod();
  }

  String path() {
    return exchange.getRequestURI().getPath();
  }

  Optional<String> header(String name) {
    return Optional.ofNullable(exchange.getRequestHeaders().getFirst(name));
  }

  /** The parts of the path after the first {@code skip} ones. */
  List<String> parts(int skip) {
    List<String> all = List.of(path().substring(1).split("/", -1));
    return all.subList(Math.min(skip, all.size()), all.size());
  }

  /** The values of a parameter in the address, in their order. */
  List<String> all(String name) {
    String query = exchange.getRequestURI().getRawQuery();
    List<String> found = new ArrayList<>();
    if (query != null) {
      for (String pair : query.split("&", -1)) {
        String[] halves = pair.split("=", 2);
        if (halves.length == 2 && decoded(halves[0]).equals(name)) {
          found.add(decoded(halves[1]));
        }
      }
    }
    return found;
  }

  String one(String name) {
    List<String> found = all(name);
    if (found.size() != 1) {
      throw new InvalidInput("%s: must be given once; got %d".formatted(name, found.size()));
    }
    return found.getFirst();
  }

  private static String decoded(String text) {
    try {
      return URLDecoder.decode(text, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw new InvalidInput("address: `%s` is badly encoded".formatted(text), e);
    }
  }

  /** The JSON object in the body. */
  JsonNode json() throws IOException {
    byte[] body = exchange.getRequestBody().readNBytes(MOST_BYTES + 1);
    if (body.length > MOST_BYTES) {
      throw new InvalidInput(
          "request: must be at most %d MB; it is more".formatted(MOST_BYTES >> 20));
    }
    try {
      JsonNode node =
          body.length == 0
              ? JsonMapper.shared().createObjectNode()
              : JsonMapper.shared().readTree(body);
      if (node.isObject()) {
        return node;
      }
    } catch (JacksonException e) {
      throw new InvalidInput("request: must be a JSON object; it is not JSON", e);
    }
    throw new InvalidInput("request: must be a JSON object");
  }
}
