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

  private static int placeBytes(int count, int width) {
    return count == width ? 0 : Math.ceilDiv(Integer.SIZE - Integer.numberOfLeadingZeros(width - 1), 8);
  }

  static byte[] encode(double[] row, int[] places) {
    int placeBytes = placeBytes(places.length, row.length);
    ByteBuffer bytes =
        ByteBuffer.allocate(Math.multiplyExact(places.length, placeBytes + Double.BYTES))
            .order(ByteOrder.LITTLE_ENDIAN);
    for (int place : places) {
      for (int b = 0; b < placeBytes; b++) {
        bytes.put((byte) (place >>> (Byte.SIZE * b)));
      }
    }
    for (int place : places) {
      bytes.putDouble(row[place]);
    }
    return bytes.array();
  }

  static double[] decode(byte[] message, int count, int width) throws Malformed {
    int placeBytes = placeBytes(count, width);
    Codec.requireLength(message, Math.multiplyExact(count, placeBytes + Double.BYTES));
    ByteBuffer numbers = ByteBuffer.wrap(message).order(ByteOrder.LITTLE_ENDIAN);
    numbers.position(count * placeBytes);
    double[] row = new double[width];
    int before = -1;
    for (int i = 0; i < count; i++) {
      int place = placeBytes == 0 ? i : place(message, i * placeBytes, placeBytes);
      if (place <= before || place >= width) {
        throw new Malformed(
            "places of a row's entries must ascend and lie below %d; got %d after %d"
                .formatted(width, place, before));
      }
      row[place] = numbers.getDouble();
      before = place;
    }
    return row;
  }

  private static int place(byte[] message, int at, int placeBytes) {
    int place = 0;
    for (int b = 0; b < placeBytes; b++) {
      place |= Byte.toUnsignedInt(message[at + b]) << (Byte.SIZE * b);
    }
    return place;
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
