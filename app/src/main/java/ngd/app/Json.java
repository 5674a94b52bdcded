package ngd.app;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * A JSON object in the making, keys in the order in which they were put. A number that is not
 * finite has no place in JSON and becomes null; say why in a key beside it.
 */
final class Json {
  private static final JsonMapper MAPPER =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  private final Map<String, @Nullable Object> values = new LinkedHashMap<>();

  Json put(String key, @Nullable Object value) {
    values.put(key, plain(value));
    return this;
  }

  private static @Nullable Object plain(@Nullable Object value) {
    return switch (value) {
      case Double number when !Double.isFinite(number) -> null;
      case Json inner -> inner.values;
      case Iterable<?> items -> {
        var list = new java.util.ArrayList<@Nullable Object>();
        items.forEach(item -> list.add(plain(item)));
        yield list;
      }
      case null, default -> value;
    };
  }

  @Override
  public String toString() {
    return MAPPER.writeValueAsString(values);
  }
}
