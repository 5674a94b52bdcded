package ngd.core.algorithm;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import ngd.core.InvalidInput;
import ngd.core.rows.Edges;
import ngd.core.rows.Place;
import ngd.core.rows.Rows;
import org.jspecify.annotations.Nullable;

/**
 * A state as bytes, and the state that these bytes were: what a run needs to go on with the same
 * bits after the process is gone.
 *
 * <p>A state is a record, so its components say all of it. They may be {@code int}, {@code long},
 * {@code double}, {@code boolean}, enums, {@link Rows}, {@link Edges}, records of these, lists of
 * these, and null; a state with anything else is refused by the component's name.
 */
public final class Snapshot {
  private Snapshot() {}

  // What stands before each value and says how to read it.
  private static final char NULL = '0';
  private static final char INT = 'i';
  private static final char LONG = 'l';
  private static final char DOUBLE = 'd';
  private static final char BOOLEAN = 'b';
  private static final char ENUM = 'e';
  private static final char ROWS = 'r';
  private static final char EDGES = 'k';
  private static final char LIST = '[';
  private static final char RECORD = '{';

  /** The bytes that are written or read at once. */
  private static final int CHUNK = 1 << 16;

  /** The bytes of a state. */
  public static byte[] of(Algorithm.State state) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      write(state, bytes);
    } catch (IOException impossible) {
      throw new IllegalStateException(impossible);
    }
    return bytes.toByteArray();
  }

  /** Writes the bytes of a state, however many; the stream stays open. */
  public static void write(Algorithm.State state, OutputStream to) throws IOException {
    DataOutputStream out = new DataOutputStream(to);
    write(out, state, state.getClass().getName(), state.theta().rows());
    out.flush();
  }

  /**
   * The state that these bytes were.
   *
   * @param start the algorithm's own start, whose kind of state it must be
   * @param place where its blocks shall live
   */
  public static <S extends Algorithm.State> S restore(byte[] bytes, S start, Place place) {
    ByteArrayInputStream rest = new ByteArrayInputStream(bytes);
    try {
      S state = read(rest, bytes.length, start, place);
      if (rest.available() > 0) {
        throw refused(
            "%d bytes are left over after %s".formatted(rest.available(), start.getClass()));
      }
      return state;
    } catch (IOException cut) {
      throw new InvalidInput("snapshot: must be whole; it ends too early", cut);
    }
  }

  /**
   * The state whose bytes come next; nothing after them is read.
   *
   * @param most the bytes that are left at most: no memory is asked for that these could not fill
   */
  public static <S extends Algorithm.State> S read(
      InputStream from, long most, S start, Place place) throws IOException {
    Object state = read(new Source(new Counted(from, most)), start.getClass(), start, place);
    @SuppressWarnings("unchecked") // It was made by the constructor of the start's own class.
    S restored = (S) java.util.Objects.requireNonNull(state);
    return restored;
  }

  /** A stream of which is known how much may be left. */
  private static final class Counted extends FilterInputStream {
    private long left;

    Counted(InputStream in, long most) {
      super(in);
      left = most;
    }

    @Override
    public int read() throws IOException {
      int next = super.read();
      left -= next < 0 ? 0 : 1;
      return next;
    }

    @Override
    public int read(byte[] into, int at, int length) throws IOException {
      int count = super.read(into, at, length);
      left -= Math.max(0, count);
      return count;
    }
  }

  private static final class Source extends DataInputStream {
    private final Counted counted;

    Source(Counted counted) {
      super(counted);
      this.counted = counted;
    }

    long left() {
      return counted.left;
    }
  }

  private static void write(DataOutputStream out, @Nullable Object value, String name, int clients)
      throws IOException {
    switch (value) {
      case null -> out.writeByte(NULL);
      case Integer number -> {
        out.writeByte(INT);
        out.writeInt(number);
      }
      case Long number -> {
        out.writeByte(LONG);
        out.writeLong(number);
      }
      case Double number -> {
        out.writeByte(DOUBLE);
        out.writeLong(Double.doubleToRawLongBits(number));
      }
      case Boolean truth -> {
        out.writeByte(BOOLEAN);
        out.writeBoolean(truth);
      }
      case Enum<?> word -> {
        out.writeByte(ENUM);
        out.writeUTF(word.getDeclaringClass().getName());
        out.writeUTF(word.name());
      }
      case Rows rows -> {
        out.writeByte(ROWS);
        writeRows(out, rows);
      }
      case Edges edges -> {
        out.writeByte(EDGES);
        writeEdges(out, edges, clients);
      }
      case List<?> list -> {
        out.writeByte(LIST);
        out.writeInt(list.size());
        for (int i = 0; i < list.size(); i++) {
          write(out, list.get(i), "%s[%d]".formatted(name, i), clients);
        }
      }
      case Record whole -> {
        out.writeByte(RECORD);
        RecordComponent[] components = whole.getClass().getRecordComponents();
        out.writeInt(components.length);
        for (RecordComponent component : components) {
          out.writeUTF(component.getName());
          write(out, component(whole, component), name + "." + component.getName(), clients);
        }
      }
      default ->
          throw new InvalidInput(
              "state %s: must be a number, truth, enum, block of rows, links, record or list of these to be kept; it is a %s"
                  .formatted(name, value.getClass().getName()));
    }
  }

  /** As floats where that loses nothing, which it does not where a device computes in them. */
  private static void writeRows(DataOutputStream out, Rows rows) throws IOException {
    boolean floats = areFloats(rows);
    out.writeInt(rows.rows());
    out.writeInt(rows.width());
    out.writeByte(floats ? Float.BYTES : Double.BYTES);
    ByteBuffer bytes = ByteBuffer.allocate(CHUNK);
    for (int m = 0; m < rows.rows(); m++) {
      for (double value : rows.row(m)) {
        if (bytes.remaining() < Double.BYTES) {
          out.write(bytes.array(), 0, bytes.position());
          bytes.clear();
        }
        if (floats) {
          bytes.putFloat((float) value);
        } else {
          bytes.putDouble(value);
        }
      }
    }
    out.write(bytes.array(), 0, bytes.position());
  }

  private static boolean areFloats(Rows rows) {
    for (int m = 0; m < rows.rows(); m++) {
      for (double value : rows.row(m)) {
        long bits = Double.doubleToRawLongBits(value);
        if (Double.doubleToRawLongBits((float) value) != bits) {
          return false;
        }
      }
    }
    return true;
  }

  private static void writeEdges(DataOutputStream out, Edges edges, int clients)
      throws IOException {
    out.writeInt(clients + 1);
    for (int m = 0; m <= clients; m++) {
      out.writeInt(edges.first(m));
    }
    writeRows(out, edges.values());
  }

  /**
   * @param type what the component is declared to be
   * @param start what the algorithm's start has there: it gives the class where the type is open
   */
  private static @Nullable Object read(
      Source in, @Nullable Class<?> type, @Nullable Object start, Place place) throws IOException {
    char kind = (char) in.readUnsignedByte();
    return switch (kind) {
      case NULL -> null;
      case INT -> in.readInt();
      case LONG -> in.readLong();
      case DOUBLE -> Double.longBitsToDouble(in.readLong());
      case BOOLEAN -> in.readBoolean();
      case ENUM -> word(in.readUTF(), in.readUTF(), type);
      case ROWS -> readRows(in, place);
      case EDGES -> {
        int[] offsets = new int[size(in, Integer.BYTES)];
        for (int m = 0; m < offsets.length; m++) {
          offsets[m] = in.readInt();
        }
        yield place.edges(offsets, readRows(in, place));
      }
      case LIST -> {
        int size = size(in, 1);
        List<@Nullable Object> list = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
          list.add(read(in, null, null, place));
        }
        yield list;
      }
      case RECORD -> record(in, start != null ? start.getClass() : type, start, place);
      default -> throw refused("a value must be of a known kind; got " + (int) kind);
    };
  }

  private static Object word(String enumeration, String name, @Nullable Class<?> type) {
    if (type != null && type.isEnum() && type.getName().equals(enumeration)) {
      for (Object constant : type.getEnumConstants()) {
        if (((Enum<?>) constant).name().equals(name)) {
          return constant;
        }
      }
    }
    throw refused("must name a constant of %s; got %s.%s".formatted(type, enumeration, name));
  }

  private static Rows readRows(Source in, Place place) throws IOException {
    int rows = in.readInt();
    int width = in.readInt();
    int each = in.readUnsignedByte();
    long numbers = (long) rows * width;
    if (rows < 0
        || width < 0
        || (each != Float.BYTES && each != Double.BYTES)
        || numbers > Integer.MAX_VALUE
        || numbers * each > in.left()) {
      throw refused(
          "a block must fit the %d bytes left; got %d x %d of %d bytes each"
              .formatted(in.left(), rows, width, each));
    }
    double[] values = new double[(int) numbers];
    byte[] chunk = new byte[CHUNK];
    for (int at = 0; at < values.length; ) {
      int count = Math.min(values.length - at, CHUNK / each);
      in.readFully(chunk, 0, count * each);
      ByteBuffer bytes = ByteBuffer.wrap(chunk, 0, count * each);
      if (each == Double.BYTES) {
        bytes.asDoubleBuffer().get(values, at, count);
      } else {
        for (int i = at; i < at + count; i++) {
          values[i] = bytes.getFloat();
        }
      }
      at += count;
    }
    return place.rows(rows, width, values);
  }

  /** A count of things that take at least this many bytes each. */
  private static int size(Source in, int bytesEach) throws IOException {
    int size = in.readInt();
    if (size < 0 || (long) size * bytesEach > in.left()) {
      throw refused("a list must fit the %d bytes left; got %d".formatted(in.left(), size));
    }
    return size;
  }

  private static Object record(
      Source in, @Nullable Class<?> type, @Nullable Object start, Place place) throws IOException {
    if (type == null || !type.isRecord()) {
      throw refused("holds a record where the algorithm has " + type);
    }
    RecordComponent[] components = type.getRecordComponents();
    List<String> names = Arrays.stream(components).map(RecordComponent::getName).toList();
    int count = in.readInt();
    if (count != components.length) {
      throw refused("must have %s of %s; got %d".formatted(names, type.getName(), count));
    }
    @Nullable Object[] values = new Object[count];
    Class<?>[] types = new Class<?>[count];
    for (int i = 0; i < count; i++) {
      String name = in.readUTF();
      if (!name.equals(components[i].getName())) {
        throw refused("must have %s of %s; got `%s`".formatted(names, type.getName(), name));
      }
      types[i] = components[i].getType();
      @Nullable Object there = start == null ? null : component((Record) start, components[i]);
      values[i] = read(in, types[i], there, place);
    }
    return construct(type, types, values);
  }

  private static Object construct(Class<?> type, Class<?>[] types, @Nullable Object[] values) {
    try {
      Constructor<?> canonical = type.getDeclaredConstructor(types);
      canonical.setAccessible(true);
      return canonical.newInstance(values);
    } catch (IllegalArgumentException | NullPointerException wrong) {
      throw new InvalidInput(
          "snapshot: must hold what %s is made of".formatted(type.getName()), wrong);
    } catch (InvocationTargetException refused) {
      throw new InvalidInput(
          "snapshot: %s refuses what it holds".formatted(type.getName()), refused.getCause());
    } catch (ReflectiveOperationException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private static @Nullable Object component(Record whole, RecordComponent component) {
    try {
      Method accessor = component.getAccessor();
      accessor.setAccessible(true);
      return accessor.invoke(whole);
    } catch (ReflectiveOperationException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private static InvalidInput refused(String what) {
    return new InvalidInput("snapshot: " + what);
  }
}
