package ngd.core.codec;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import ngd.core.InvalidInput;
import ngd.core.NumberText;
import ngd.core.Vocabulary;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;

/**
 * What a message keeps of a row, and as which bytes, little-endian. Who reads a message learns
 * Q(x), which is a row again; what is random in Q is drawn by whoever writes.
 */
public sealed interface Codec {
  /** The words on the command line. */
  String spec();

  /**
   * A row as bytes.
   *
   * @param draw what is random in it
   * @throws ArithmeticException if a number is not finite
   */
  byte[] encode(double[] row, UniformRandomProvider draw);

  /**
   * The row of this width that these bytes are, whoever wrote them; its numbers may be anything.
   *
   * @throws Malformed if no row of this width is written as these bytes
   */
  double[] decode(byte[] message, int width) throws Malformed;

  /** All numbers as they are: Q(x) = x. */
  record Full() implements Codec {
    @Override
    public String spec() {
      return "none";
    }

    @Override
    public byte[] encode(double[] row, UniformRandomProvider draw) {
      byte[] message = new byte[Math.multiplyExact(Double.BYTES, row.length)];
      buffer(message).asDoubleBuffer().put(row);
      return message;
    }

    @Override
    public double[] decode(byte[] message, int width) throws Malformed {
      requireLength(message, Math.multiplyExact(Double.BYTES, width));
      double[] row = new double[width];
      buffer(message).asDoubleBuffer().get(row);
      return row;
    }
  }

  /** Some entries of a row with their places, all others being 0. */
  sealed interface Entries extends Codec {
    int entries();

    /** The places to send, ascending. */
    int[] places(double[] row, int count, UniformRandomProvider draw);

    @Override
    default byte[] encode(double[] row, UniformRandomProvider draw) {
      requireFinite(row);
      int count = Math.min(entries(), row.length);
      return SparseRow.encode(row, places(row, count, draw));
    }

    @Override
    default double[] decode(byte[] message, int width) throws Malformed {
      return SparseRow.decode(message, Math.min(entries(), width), width);
    }
  }

  /** The entries largest in magnitude; of equal ones those that stand first. */
  record Top(int entries) implements Entries {
    public Top {
      requireEntries("top:K", entries);
    }

    @Override
    public String spec() {
      return "top:" + entries;
    }

    @Override
    public int[] places(double[] row, int count, UniformRandomProvider draw) {
      return SparseRow.largest(row, count);
    }
  }

  /** Entries at random places, each as likely, as they are: not scaled up, so Q shrinks. */
  record RandomEntries(int entries) implements Entries {
    public RandomEntries {
      requireEntries("random:K", entries);
    }

    @Override
    public String spec() {
      return "random:" + entries;
    }

    @Override
    public int[] places(double[] row, int count, UniformRandomProvider draw) {
      return SparseRow.random(row.length, count, draw);
    }
  }

  /**
   * The mean magnitude with each entry's sign, ‖x‖₁/p · sign(x): a bit an entry, and the places of
   * entries that are 0, of which there are few or none.
   */
  record Sign() implements Codec {
    @Override
    public String spec() {
      return "sign";
    }

    @Override
    public byte[] encode(double[] row, UniformRandomProvider draw) {
      double sum = 0;
      for (double entry : row) {
        sum += Math.abs(entry);
      }
      double scale = finite(sum / row.length);
      int[] zeros =
          scale == 0
              ? new int[0]
              : IntStream.range(0, row.length).filter(j -> row[j] == 0).toArray();
      int signBytes = Double.BYTES + BitField.bytes(row.length, 1);
      int placeBytes = SparseRow.placeBytes(row.length);
      byte[] message = new byte[signBytes + zeros.length * placeBytes];
      buffer(message).putDouble(scale);
      BitField signs = new BitField(message, Double.BYTES);
      for (double entry : row) {
        signs.put(entry < 0 ? 1 : 0, 1);
      }
      SparseRow.put(zeros, placeBytes, message, signBytes);
      return message;
    }

    @Override
    public double[] decode(byte[] message, int width) throws Malformed {
      int signBytes = Double.BYTES + BitField.bytes(width, 1);
      int placeBytes = SparseRow.placeBytes(width);
      int zeros = placeBytes == 0 ? 0 : Math.max(0, message.length - signBytes) / placeBytes;
      requireLength(message, signBytes + zeros * placeBytes);
      double scale = scale(message);
      BitField signs = new BitField(message, Double.BYTES);
      double[] row = new double[width];
      for (int j = 0; j < width; j++) {
        row[j] = signs.take(1) == 1 ? -scale : scale;
      }
      signs.requireEnd();
      for (int place : SparseRow.take(message, signBytes, zeros, placeBytes, width)) {
        row[place] = 0;
      }
      return row;
    }
  }

  /**
   * Quantised at random without bias (Alistarh, Grubic, Li, Tomioka and Vojnovic 2017): ‖x‖₂ times
   * a sign and one of s + 1 levels 0, 1/s, …, 1, one of the two next to |x_j|/‖x‖₂.
   *
   * @param bits of an entry, one of them its sign, so that s = 2^(bits − 1) − 1
   */
  record Qsgd(int bits) implements Codec {
    private static final int MOST_BITS = 32;

    public Qsgd {
      if (bits < 2 || bits > MOST_BITS) {
        throw new InvalidInput(
            "codec qsgd:B: B, the bits of an entry, must lie in [2, %d]; got %d"
                .formatted(MOST_BITS, bits));
      }
    }

    private int levels() {
      return (int) ((1L << (bits - 1)) - 1);
    }

    @Override
    public String spec() {
      return "qsgd:" + bits;
    }

    @Override
    public byte[] encode(double[] row, UniformRandomProvider draw) {
      double squares = 0;
      for (double entry : row) {
        squares += entry * entry;
      }
      double norm = finite(Math.sqrt(squares));
      byte[] message = new byte[Double.BYTES + BitField.bytes(row.length, bits)];
      buffer(message).putDouble(norm);
      BitField entries = new BitField(message, Double.BYTES);
      for (double entry : row) {
        // A norm that is 0 by underflow has no levels, and a rounded one may give one too many.
        double exact = norm > 0 ? Math.min(Math.abs(entry) / norm, 1) * levels() : 0;
        int below = (int) exact;
        int level = below + (draw.nextDouble() < exact - below ? 1 : 0);
        entries.put(entry < 0 && level > 0 ? 1 : 0, 1);
        entries.put(level, bits - 1);
      }
      return message;
    }

    @Override
    public double[] decode(byte[] message, int width) throws Malformed {
      requireLength(message, Double.BYTES + BitField.bytes(width, bits));
      double norm = scale(message);
      BitField entries = new BitField(message, Double.BYTES);
      double[] row = new double[width];
      for (int j = 0; j < width; j++) {
        int sign = entries.take(1);
        double magnitude = norm * entries.take(bits - 1) / levels();
        row[j] = sign == 1 ? -magnitude : magnitude;
      }
      entries.requireEnd();
      return row;
    }
  }

  /**
   * Rounded to whole multiples of a step: step · round(x_j / step), halves to even multiples. A
   * multiple is sent as its zigzag code, seven bits a byte, the least significant first, so that
   * small ones take one byte.
   */
  record Rounded(double step) implements Codec {
    /** Beyond this, doubles are no longer all whole numbers. */
    private static final double MOST = 0x1p53;

    private static final int SEVEN = 7;

    public Rounded {
      if (!(step > 0) || Double.isInfinite(step)) {
        throw new InvalidInput(
            "codec round:STEP: STEP, the distance of two values, must be positive; got " + step);
      }
    }

    @Override
    public String spec() {
      return "round:" + step;
    }

    @Override
    public byte[] encode(double[] row, UniformRandomProvider draw) {
      ByteBuffer message = ByteBuffer.allocate(Math.multiplyExact(row.length, 8));
      for (double entry : row) {
        double multiple = Math.rint(finite(entry) / step);
        if (!(Math.abs(multiple) <= MOST)) {
          throw new ArithmeticException(
              "codec round: numbers to send must be at most 2^53 steps; got " + entry);
        }
        long whole = (long) multiple;
        long code = (whole << 1) ^ (whole >> 63);
        while (code >= 1 << SEVEN) {
          message.put((byte) ((code & 0x7f) | 0x80));
          code >>>= SEVEN;
        }
        message.put((byte) code);
      }
      return Arrays.copyOf(message.array(), message.position());
    }

    @Override
    public double[] decode(byte[] message, int width) throws Malformed {
      double[] row = new double[width];
      int at = 0;
      for (int j = 0; j < width; j++) {
        long code = 0;
        int bits = 0;
        boolean more = true;
        while (more) {
          if (at == message.length || bits > 7 * SEVEN) {
            throw new Malformed("a row must have %d multiples of a step".formatted(width));
          }
          byte next = message[at++];
          code |= (long) (next & 0x7f) << bits;
          more = next < 0;
          if (!more && next == 0 && bits > 0) {
            throw new Malformed("a multiple of a step must not begin with zeros");
          }
          bits += SEVEN;
        }
        row[j] = step * ((code >>> 1) ^ -(code & 1));
      }
      requireLength(message, at);
      return row;
    }
  }

  /**
   * A noisy channel: all numbers, each with normal noise of its own, of this standard deviation.
   * All who hear a message hear the same noise.
   */
  record Noisy(double deviation) implements Codec {
    public Noisy {
      if (!(deviation > 0) || Double.isInfinite(deviation)) {
        throw new InvalidInput(
            "codec noise:SD: SD, the noise's standard deviation, must be positive; got "
                + deviation);
      }
    }

    @Override
    public String spec() {
      return "noise:" + deviation;
    }

    @Override
    public byte[] encode(double[] row, UniformRandomProvider draw) {
      ZigguratSampler.NormalizedGaussian normal = ZigguratSampler.NormalizedGaussian.of(draw);
      double[] noisy = new double[row.length];
      Arrays.setAll(noisy, j -> finite(row[j] + deviation * normal.sample()));
      return new Full().encode(noisy, draw);
    }

    @Override
    public double[] decode(byte[] message, int width) throws Malformed {
      return new Full().decode(message, width);
    }
  }

  /**
   * Another codec with error feedback (Seide, Fu, Droppo, Li and Yu 2014): what it left out of a
   * row is added to the next one that is sent in the same place. Who sends has to keep that.
   */
  record ErrorFeedback(Codec codec) implements Codec {
    public ErrorFeedback {
      if (codec instanceof Full || codec instanceof Noisy || codec instanceof ErrorFeedback) {
        throw new InvalidInput(
            "codec error-feedback:CODEC: CODEC must leave something out, such as top:10; got `%s`"
                .formatted(codec.spec()));
      }
    }

    @Override
    public String spec() {
      return "error-feedback:" + codec.spec();
    }

    @Override
    public byte[] encode(double[] row, UniformRandomProvider draw) {
      return codec.encode(row, draw);
    }

    @Override
    public double[] decode(byte[] message, int width) throws Malformed {
      return codec.decode(message, width);
    }
  }

  static Codec parse(String spec) {
    String word = spec.strip();
    String feedback = "error-feedback:";
    if (word.startsWith(feedback)) {
      return new ErrorFeedback(parse(word.substring(feedback.length())));
    }
    List<String> given =
        new Vocabulary(
                "codec",
                List.of(
                    "none",
                    "top:K",
                    "random:K",
                    "sign",
                    "qsgd:B",
                    "round:STEP",
                    "noise:SD",
                    "error-feedback:CODEC"))
            .parameters(word);
    return switch (word.split(":", 2)[0]) {
      case "none" -> new Full();
      case "sign" -> new Sign();
      case "round" -> new Rounded(number("round:STEP", given.getFirst()));
      case "noise" -> new Noisy(number("noise:SD", given.getFirst()));
      case "top" -> new Top(whole("top:K", given.getFirst()));
      case "random" -> new RandomEntries(whole("random:K", given.getFirst()));
      default -> new Qsgd(whole("qsgd:B", given.getFirst()));
    };
  }

  private static double number(String form, String text) {
    return NumberText.read(
        text,
        Double::parseDouble,
        () -> "codec %s: must have a number; got `%s`".formatted(form, text));
  }

  private static int whole(String form, String text) {
    return NumberText.read(
        text,
        Integer::parseInt,
        () -> "codec %s: must have a whole number; got `%s`".formatted(form, text));
  }

  private static void requireEntries(String form, int entries) {
    if (entries < 1) {
      throw new InvalidInput(
          "codec %s: K, the entries to send, must be at least 1; got %d".formatted(form, entries));
    }
  }

  private static ByteBuffer buffer(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static double finite(double scale) {
    if (!Double.isFinite(scale)) {
      throw new ArithmeticException("codec: numbers to send must be finite; they are not");
    }
    return scale;
  }

  private static void requireFinite(double[] row) {
    for (double entry : row) {
      double _ = finite(entry);
    }
  }

  private static double scale(byte[] message) throws Malformed {
    double scale = buffer(message).getDouble();
    if (!(scale >= 0)) {
      throw new Malformed("the scale of a row must not be negative; got " + scale);
    }
    return scale;
  }

  /** Refuses another length than a row's. */
  static void requireLength(byte[] message, int length) throws Malformed {
    if (message.length != length) {
      throw new Malformed(
          "a row must have %d bytes; got %d bytes".formatted(length, message.length));
    }
  }
}
