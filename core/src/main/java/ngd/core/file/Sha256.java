package ngd.core.file;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** A SHA-256 in the making, of bytes, texts and numbers. */
public final class Sha256 {
  private static final int CHUNK = 8192;

  private final MessageDigest digest;

  public Sha256() {
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException absent) {
      throw new IllegalStateException("every Java has SHA-256", absent);
    }
  }

  /** The digest of some bytes. */
  public static byte[] of(byte[] bytes) {
    return new Sha256().add(bytes).bytes();
  }

  /** The digest of a text, in hexadecimal digits. */
  public static String hex(String text) {
    return new Sha256().add(text).hex();
  }

  public Sha256 add(byte[] bytes) {
    digest.update(bytes);
    return this;
  }

  public Sha256 add(byte[] bytes, int from, int count) {
    digest.update(bytes, from, count);
    return this;
  }

  public Sha256 add(String text) {
    return add(text.getBytes(StandardCharsets.UTF_8));
  }

  public Sha256 add(long number) {
    digest.update(ByteBuffer.allocate(Long.BYTES).putLong(number).flip());
    return this;
  }

  /** Some numbers of an array, however long it is. */
  public Sha256 add(double[] values, int from, int count) {
    // Most digests are of a few bytes: room for numbers is made when there are some.
    ByteBuffer numbers = ByteBuffer.allocate(Math.min(CHUNK, count) * Double.BYTES);
    for (int at = from; at < from + count; at += CHUNK) {
      int length = Math.min(CHUNK, from + count - at);
      numbers.clear();
      numbers.asDoubleBuffer().put(values, at, length);
      digest.update(numbers.limit(length * Double.BYTES));
    }
    return this;
  }

  /** Ends the making. */
  public byte[] bytes() {
    return digest.digest();
  }

  /** Ends the making, in hexadecimal digits. */
  public String hex() {
    return HexFormat.of().formatHex(bytes());
  }
}
