package ngd.core.codec;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * Some entries of a row as bytes: all their places, ascending, each in as few bytes as any place of
 * the row needs, then their numbers. A row whose every entry is sent has no places.
 */
final class SparseRow {
  private SparseRow() {}

  /** The bytes of a place in a row of this width. */
  static int placeBytes(int width) {
    return Math.ceilDiv(Integer.SIZE - Integer.numberOfLeadingZeros(width - 1), Byte.SIZE);
  }

  private static int placeBytes(int count, int width) {
    return count == width ? 0 : placeBytes(width);
  }

  static byte[] encode(double[] row, int[] places) {
    int placeBytes = placeBytes(places.length, row.length);
    byte[] message = new byte[Math.multiplyExact(places.length, placeBytes + Double.BYTES)];
    put(places, placeBytes, message, 0);
    ByteBuffer numbers = numbers(message, places.length * placeBytes);
    for (int place : places) {
      numbers.putDouble(row[place]);
    }
    return message;
  }

  static double[] decode(byte[] message, int count, int width) throws Malformed {
    int placeBytes = placeBytes(count, width);
    Codec.requireLength(message, Math.multiplyExact(count, placeBytes + Double.BYTES));
    int[] places = take(message, 0, count, placeBytes, width);
    ByteBuffer numbers = numbers(message, count * placeBytes);
    double[] row = new double[width];
    for (int place : places) {
      row[place] = numbers.getDouble();
    }
    return row;
  }

  private static ByteBuffer numbers(byte[] message, int from) {
    return ByteBuffer.wrap(message, from, message.length - from).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Writes places, each in this many bytes. */
  static void put(int[] places, int placeBytes, byte[] message, int from) {
    int at = from;
    for (int place : places) {
      for (int b = 0; b < placeBytes; b++) {
        message[at++] = (byte) (place >>> (Byte.SIZE * b));
      }
    }
  }

  /** Reads places of a row, which must ascend; those in no bytes are all places. */
  static int[] take(byte[] message, int from, int count, int placeBytes, int width)
      throws Malformed {
    int[] places = new int[count];
    int before = -1;
    for (int i = 0; i < count; i++) {
      int place = placeBytes == 0 ? i : 0;
      for (int b = 0; b < placeBytes; b++) {
        place |= Byte.toUnsignedInt(message[from + i * placeBytes + b]) << (Byte.SIZE * b);
      }
      if (place <= before || place >= width) {
        throw new Malformed(
            "places in a row must ascend and lie below %d; got %d after %d"
                .formatted(width, place, before));
      }
      places[i] = place;
      before = place;
    }
    return places;
  }

  /** The places of the largest magnitudes, ascending; of equal ones the first. */
  static int[] largest(double[] row, int count) {
    double[] sorted = new double[row.length];
    Arrays.setAll(sorted, j -> Math.abs(row[j]));
    Arrays.sort(sorted);
    double least = sorted[row.length - count];
    int equal = count;
    for (int j = row.length - 1; j >= 0 && sorted[j] > least; j--) {
      equal--;
    }
    int[] places = new int[count];
    int found = 0;
    for (int j = 0; found < count; j++) {
      double size = Math.abs(row[j]);
      if (size > least || (size == least && equal-- > 0)) {
        places[found++] = j;
      }
    }
    return places;
  }

  /** As many places, ascending; every set of them is as likely (Knuth's algorithm S). */
  static int[] random(int width, int count, UniformRandomProvider draw) {
    int[] places = new int[count];
    int found = 0;
    for (int j = 0; found < count; j++) {
      if (draw.nextInt(width - j) < count - found) {
        places[found++] = j;
      }
    }
    return places;
  }
}
