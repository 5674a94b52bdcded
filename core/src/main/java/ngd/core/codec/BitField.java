package ngd.core.codec;

/** Small whole numbers side by side in bytes, the lowest bit first. */
final class BitField {
  private final byte[] bytes;
  private final int from;
  private long at;

  BitField(byte[] bytes, int from) {
    this.bytes = bytes;
    this.from = from;
  }

  /** The bytes of this many numbers of this many bits each. */
  static int bytes(int count, int bits) {
    return Math.toIntExact(Math.ceilDiv((long) count * bits, Byte.SIZE));
  }

  void put(int value, int bits) {
    for (int b = 0; b < bits; b++, at++) {
      bytes[place()] |= (byte) (((value >>> b) & 1) << (at % Byte.SIZE));
    }
  }

  int take(int bits) {
    int value = 0;
    for (int b = 0; b < bits; b++, at++) {
      value |= ((bytes[place()] >>> (at % Byte.SIZE)) & 1) << b;
    }
    return value;
  }

  private int place() {
    return from + (int) (at / Byte.SIZE);
  }

  /** Refuses bits after the last number that are not 0: a row is written in one way only. */
  void requireEnd() throws Malformed {
    while (at % Byte.SIZE != 0) {
      if (take(1) != 0) {
        throw new Malformed("bits after the last number must be 0; one is not");
      }
    }
  }
}
