package ngd.deep;

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
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import ngd.core.InvalidInput;
import ngd.core.linalg.Rows;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Weights in the safetensors format: eight bytes with the length of a JSON header, the header with
 * name, type, shape and place of each array, then the numbers. Little-endian throughout.
 */
final class Safetensors {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final long LONGEST_HEADER = 100_000_000;

  private Safetensors() {}

  /** One array of a file. */
  private record Entry(String type, List<Integer> shape, long from, long to) {
    long count() {
      return shape.stream().mapToLong(Integer::longValue).reduce(1, Math::multiplyExact);
    }
  }

  /**
   * Sets the weights that the file holds in rows of θ: for all clients alike where the file has a
   * weight's own shape, client by client where it has a row for each. Weights that it does not hold
   * stay as they are; arrays that the model does not know are refused.
   *
   * @return how many of the weights it holds
   */
  static int read(Path file, Net net, double[][] theta) {
    try (FileChannel channel = FileChannel.open(file)) {
      Map<String, Entry> entries = header(file, channel);
      for (String name : entries.keySet()) {
        if (net.weights().stream().noneMatch(weight -> weight.name().equals(name))) {
          throw new InvalidInput(
              "%s: holds `%s`, which model %s does not have; its weights are %s"
                  .formatted(
                      file,
                      name,
                      net.model().name(),
                      net.weights().stream().map(w -> w.name() + w.shape()).toList()));
        }
      }
      int found = 0;
      int at = 0;
      double[][] copies = new double[theta.length][];
      Arrays.setAll(copies, m -> theta[m].clone());
      for (Weight weight : net.weights()) {
        Entry entry = entries.get(weight.name());
        if (entry != null) {
          set(file, weight, entry, values(file, channel, weight.name(), entry), copies, at);
          found++;
        }
        at += weight.size();
      }
      System.arraycopy(copies, 0, theta, 0, theta.length);
      return found;
    } catch (NoSuchFileException e) {
      throw new InvalidInput("%s: no such file".formatted(file), e);
    } catch (IOException e) {
      throw new InvalidInput("%s: cannot be read: %s".formatted(file, e.getMessage()), e);
    }
  }

  private static void set(
      Path file, Weight weight, Entry entry, double[] values, double[][] theta, int at) {
    List<Integer> each = new ArrayList<>(List.of(theta.length));
    each.addAll(weight.shape());
    boolean alike = entry.shape().equals(weight.shape());
    if (!alike && !entry.shape().equals(each)) {
      throw new InvalidInput(
          "%s: `%s` must have the shape %s, or %s for each client its own; got %s"
              .formatted(file, weight.name(), weight.shape(), each, entry.shape()));
    }
    for (int m = 0; m < theta.length; m++) {
      System.arraycopy(values, alike ? 0 : m * weight.size(), theta[m], at, weight.size());
    }
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
      if (!property.getKey().equals("__metadata__")) {
        entries.put(
            property.getKey(),
            entry(file, channel, 8 + size, property.getKey(), property.getValue()));
      }
    }
    return entries;
  }

  private static Entry entry(Path file, FileChannel channel, long start, String name, JsonNode json)
      throws IOException {
    JsonNode offsets = json.path("data_offsets");
    List<Integer> shape = new ArrayList<>();
    json.path("shape").forEach(size -> shape.add(size.asInt(-1)));
    String type = json.path("dtype").asString("");
    int each =
        switch (type) {
          case "F64" -> 8;
          case "F32" -> 4;
          case "F16", "BF16" -> 2;
          default ->
              throw new InvalidInput(
                  "%s: `%s` must be F64, F32, F16 or BF16; got `%s`".formatted(file, name, type));
        };
    Entry entry =
        new Entry(
            type, shape, start + offsets.path(0).asLong(-1), start + offsets.path(1).asLong(-1));
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

  private static double[] values(Path file, FileChannel channel, String name, Entry entry)
      throws IOException {
    int count = Math.toIntExact(entry.count());
    ByteBuffer bytes =
        bytes(file, channel, entry.from(), Math.toIntExact(entry.to() - entry.from()), name);
    double[] values = new double[count];
    for (int i = 0; i < count; i++) {
      values[i] =
          switch (entry.type()) {
            case "F64" -> bytes.getDouble();
            case "F32" -> bytes.getFloat();
            case "F16" -> Float.float16ToFloat(bytes.getShort());
            default -> Float.intBitsToFloat(bytes.getShort() << 16);
          };
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

  /** Every client's weights, each array with the clients as its first size. */
  static void write(Path file, Net net, Rows theta, boolean doubles) {
    int each = doubles ? Double.BYTES : Float.BYTES;
    Map<String, Object> header = new LinkedHashMap<>();
    long at = 0;
    for (Weight weight : net.weights()) {
      List<Integer> shape = new ArrayList<>(List.of(theta.rows()));
      shape.addAll(weight.shape());
      long size = (long) each * theta.rows() * weight.size();
      Map<String, Object> entry = new LinkedHashMap<>();
      entry.put("dtype", doubles ? "F64" : "F32");
      entry.put("shape", shape);
      entry.put("data_offsets", List.of(at, at + size));
      header.put(weight.name(), entry);
      at += size;
    }
    byte[] text = JSON.writeValueAsString(header).getBytes(StandardCharsets.UTF_8);
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 20)) {
      out.write(ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(text.length).array());
      out.write(text);
      int column = 0;
      for (Weight weight : net.weights()) {
        for (int m = 0; m < theta.rows(); m++) {
          ByteBuffer row = ByteBuffer.allocate(each * weight.size()).order(ByteOrder.LITTLE_ENDIAN);
          for (int j = column; j < column + weight.size(); j++) {
            if (doubles) {
              row.putDouble(theta.get(m, j));
            } else {
              row.putFloat((float) theta.get(m, j));
            }
          }
          out.write(row.array());
        }
        column += weight.size();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(
          "%s: cannot be written: %s".formatted(file, e.getMessage()), e);
    }
  }
}
