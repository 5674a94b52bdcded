package ngd.deep.model;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import ngd.core.InvalidInput;
import ngd.core.rows.Rows;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Weights and statistics in the safetensors format: eight bytes with the length of a JSON header,
 * the header with name, type, shape and place of each array, then the numbers. Little-endian
 * throughout.
 */
public final class Safetensors {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final long LONGEST_HEADER = 100_000_000;
  private static final int LISTED = 8;

  /** A count that PyTorch keeps with each batch normalisation and that nothing here depends on. */
  private static final String BATCHES_SEEN = "num_batches_tracked";

  private Safetensors() {}

  /** One array of a file. */
  private record Entry(String name, String type, List<Integer> shape, long from, long to) {
    long count() {
      return shape.stream().mapToLong(Integer::longValue).reduce(1, Math::multiplyExact);
    }
  }

  /** How many of a model's arrays a file holds. */
  public record Found(int weights, int statistics) {}

  /**
   * Sets what the file holds in rows of θ and of statistics: for all clients alike where the file
   * has an array's own shape, client by client where it has a row for each. What it does not hold
   * stays as it is; arrays that the model does not know, by its own or another library's names, are
   * refused.
   */
  public static Found read(Path file, Net net, double[][] theta, double[][] statistics) {
    try (FileChannel channel = FileChannel.open(file)) {
      Map<String, Entry> entries = inNamesOf(net.model(), header(file, channel));
      List<Weight> known = arrays(net);
      for (String name : entries.keySet()) {
        if (known.stream().noneMatch(array -> array.name().equals(name))) {
          throw new InvalidInput(
              "%s: holds `%s`, which model %s does not have; its weights and statistics are %s"
                  .formatted(file, name, net.model().name(), listed(known)));
        }
      }
      return new Found(
          fill(file, channel, entries, net.weights(), theta),
          fill(file, channel, entries, net.statistics(), statistics));
    } catch (NoSuchFileException e) {
      throw new InvalidInput("%s: no such file".formatted(file), e);
    } catch (IOException e) {
      throw new InvalidInput("%s: cannot be read: %s".formatted(file, e.getMessage()), e);
    }
  }

  private static Map<String, Entry> inNamesOf(Model model, Map<String, Entry> entries) {
    for (OtherNames other : model.otherNames()) {
      if (other.fit(entries)) {
        return other.here(entries);
      }
    }
    return entries;
  }

  private static List<Weight> arrays(Net net) {
    List<Weight> all = new ArrayList<>(net.weights());
    all.addAll(net.statistics());
    return all;
  }

  /** The first of them, and how many more there are. */
  private static String listed(List<Weight> arrays) {
    String first =
        arrays.stream()
            .limit(LISTED)
            .map(array -> array.name() + array.shape())
            .collect(Collectors.joining(", "));
    return arrays.size() <= LISTED
        ? first
        : "%s and %d more".formatted(first, arrays.size() - LISTED);
  }

  private static int fill(
      Path file,
      FileChannel channel,
      Map<String, Entry> entries,
      List<Weight> arrays,
      double[][] rows)
      throws IOException {
    int found = 0;
    int at = 0;
    for (Weight array : arrays) {
      Entry entry = entries.get(array.name());
      if (entry != null) {
        fill(file, channel, entry, array, rows, at);
        found++;
      }
      at += array.size();
    }
    return found;
  }

  private static void fill(
      Path file, FileChannel channel, Entry entry, Weight array, double[][] rows, int at)
      throws IOException {
    List<Integer> each = shapeOfAll(array, rows.length);
    boolean alike =
        entry.shape().equals(array.shape()) || entry.shape().equals(shapeOfAll(array, 1));
    if (!alike && !entry.shape().equals(each)) {
      throw new InvalidInput(
          "%s: `%s` must have the shape %s, or %s for each client its own; got %s"
              .formatted(file, entry.name(), array.shape(), each, entry.shape()));
    }
    double[] values = new double[0];
    for (int m = 0; m < rows.length; m++) {
      if (m == 0 || !alike) {
        values = values(file, channel, array, entry, m);
      }
      System.arraycopy(values, 0, rows[m], at, values.length);
    }
  }

  private static List<Integer> shapeOfAll(Weight array, int clients) {
    List<Integer> shape = new ArrayList<>(List.of(clients));
    shape.addAll(array.shape());
    return shape;
  }

  private static Map<String, Entry> header(Path file, FileChannel channel) throws IOException {
    ByteBuffer length = bytes(file, channel, 0, 8, "the length of the header");
    long size = length.getLong();
    if (size < 2 || size > LONGEST_HEADER || size + 8 > channel.size()) {
      throw new InvalidInput(
          "%s, offset 0: expected the length of a header that fits the file's %d bytes; found %d"
              .formatted(file, channel.size(), size));
    }
    ByteBuffer text = bytes(file, channel, 8, (int) size, "header");
    JsonNode json;
    try {
      json = JSON.readTree(StandardCharsets.UTF_8.decode(text).toString());
    } catch (JacksonException e) {
      throw new InvalidInput(
          "%s, offset 8: expected a JSON header; it is not: %s"
              .formatted(file, e.getOriginalMessage()),
          e);
    }
    Map<String, Entry> entries = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> property : json.properties()) {
      String name = property.getKey();
      if (!name.equals("__metadata__") && !name.endsWith(BATCHES_SEEN)) {
        entries.put(name, entry(file, channel, 8 + size, name, property.getValue()));
      }
    }
    return entries;
  }

  /** The bytes of a number, or 0 where it is of no type that is read. */
  private static int width(String type) {
    return switch (type) {
      case "F64" -> 8;
      case "F32" -> 4;
      case "F16", "BF16" -> 2;
      default -> 0;
    };
  }

  private static Entry entry(Path file, FileChannel channel, long start, String name, JsonNode json)
      throws IOException {
    JsonNode offsets = json.path("data_offsets");
    List<Integer> shape = new ArrayList<>();
    json.path("shape").forEach(size -> shape.add(size.asInt(-1)));
    String type = json.path("dtype").asString("");
    int each = width(type);
    if (each == 0) {
      throw new InvalidInput(
          "%s: `%s` must be F64, F32, F16 or BF16; got `%s`".formatted(file, name, type));
    }
    Entry entry =
        new Entry(
            name,
            type,
            shape,
            start + offsets.path(0).asLong(-1),
            start + offsets.path(1).asLong(-1));
    if (shape.stream().anyMatch(size -> size < 0)
        || entry.from() < start
        || entry.to() > channel.size()
        || entry.to() - entry.from() != each * entry.count()) {
      throw new InvalidInput(
          "%s: `%s` of %s %s needs %d bytes within the file's %d; its offsets are %s"
              .formatted(file, name, type, shape, each * entry.count(), channel.size(), offsets));
    }
    return entry;
  }

  /** The numbers of one client in an array that may hold several. */
  private static double[] values(
      Path file, FileChannel channel, Weight array, Entry entry, int client) throws IOException {
    int size = array.size() * width(entry.type());
    ByteBuffer bytes =
        bytes(file, channel, entry.from() + (long) client * size, size, entry.name());
    double[] values = new double[array.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] =
          switch (entry.type()) {
            case "F64" -> bytes.getDouble();
            case "F32" -> bytes.getFloat();
            case "F16" -> Float.float16ToFloat(bytes.getShort());
            default -> Float.intBitsToFloat(bytes.getShort() << 16);
          };
      if (!Double.isFinite(values[i])) {
        throw new InvalidInput(
            "%s: `%s` must hold finite numbers; number %d of client %d is %s"
                .formatted(file, entry.name(), i, client, values[i]));
      }
    }
    return values;
  }

  private static ByteBuffer bytes(Path file, FileChannel channel, long at, int count, String what)
      throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(count).order(ByteOrder.LITTLE_ENDIAN);
    int read = 0;
    while (read < count) {
      int more = channel.read(buffer, at + read);
      if (more < 0) {
        throw new InvalidInput(
            "%s, offset %d: expected %d bytes of %s; the file ends after %d of them"
                .formatted(file, at, count, what, read));
      }
      read += more;
    }
    return buffer.flip();
  }

  /** Every client's weights and statistics, each array with the clients as its first size. */
  public static void write(Path file, Net net, Rows theta, double[][] statistics, boolean doubles) {
    int each = doubles ? Double.BYTES : Float.BYTES;
    Map<String, Object> header = new LinkedHashMap<>();
    long at = 0;
    for (Weight array : arrays(net)) {
      long size = (long) each * theta.rows() * array.size();
      Map<String, Object> entry = new LinkedHashMap<>();
      entry.put("dtype", doubles ? "F64" : "F32");
      entry.put("shape", shapeOfAll(array, theta.rows()));
      entry.put("data_offsets", List.of(at, at + size));
      header.put(array.name(), entry);
      at += size;
    }
    byte[] text = JSON.writeValueAsString(header).getBytes(StandardCharsets.UTF_8);
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 20)) {
      out.write(ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(text.length).array());
      out.write(text);
      write(out, net.weights(), theta.rows(), theta::get, doubles);
      write(out, net.statistics(), theta.rows(), (m, j) -> statistics[m][j], doubles);
    } catch (IOException e) {
      throw new UncheckedIOException(
          "%s: cannot be written: %s".formatted(file, e.getMessage()), e);
    }
  }

  private interface Numbers {
    double at(int client, int column);
  }

  private static void write(
      OutputStream out, List<Weight> arrays, int clients, Numbers numbers, boolean doubles)
      throws IOException {
    int column = 0;
    for (Weight array : arrays) {
      for (int m = 0; m < clients; m++) {
        ByteBuffer row =
            ByteBuffer.allocate((doubles ? Double.BYTES : Float.BYTES) * array.size())
                .order(ByteOrder.LITTLE_ENDIAN);
        for (int j = column; j < column + array.size(); j++) {
          if (doubles) {
            row.putDouble(numbers.at(m, j));
          } else {
            row.putFloat((float) numbers.at(m, j));
          }
        }
        out.write(row.array());
      }
      column += array.size();
    }
  }
}
