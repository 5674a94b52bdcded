package ngd.core.run;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * A JSON object in the making, keys in the order in which they were put. JSON has no infinite
 * numbers: they become null, and a key beside them says why.
 */
public final class JsonObject {
  private final Map<String, @Nullable Object> values = new LinkedHashMap<>();

  /** Adds a number, a text, a truth value, null, an object, or a list of these. */
  public JsonObject put(String key, @Nullable Object value) {
    values.put(key, plain(value));
    return this;
  }

  /** Adds all of these. */
  public JsonObject putAll(Map<String, ?> others) {
    others.forEach(this::put);
    return this;
  }

  private static @Nullable Object plain(@Nullable Object value) {
    return switch (value) {
      case Double number when !Double.isFinite(number) -> null;
      case JsonObject object -> object.values;
      case List<?> items -> {
        List<@Nullable Object> list = new ArrayList<>();
        items.forEach(item -> list.add(plain(item)));
        yield list;
      }
      case null, default -> value;
    };
  }

  /** The object as indented text, without a line end after it. */
  @Override
  public String toString() {
    return Writer.MAPPER.writeValueAsString(values);
  }

  /** The object on one line, as logs and streams have it. */
  public String line() {
    return JsonMapper.shared().writeValueAsString(values);
  }

  private static final class Writer {
    static final JsonMapper MAPPER =
        JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();
  }
}
