package ngd.core.algorithm;

import java.util.List;
import ngd.core.codec.Codec;
import ngd.core.codec.Malformed;
import ngd.core.random.Draws;
import ngd.core.rows.Rows;

/**
 * Rows as they are sent in fewer bytes: for each client its message, and what everybody reads in
 * it.
 */
public final class CodedRows {
  private final Codec codec;
  private final List<byte[]> messages;
  private final Rows read;

  private CodedRows(Codec codec, List<byte[]> messages, Rows read) {
    this.codec = codec;
    this.messages = messages;
    this.read = read;
  }

  /**
   * Rows in a codec's messages.
   *
   * @param place of these messages among those of the round
   */
  public static CodedRows of(Codec codec, Rows x, Draws draws, int place) {
    byte[][] messages = new byte[x.rows()][];
    double[][] read = new double[x.rows()][];
    for (int m = 0; m < messages.length; m++) {
      messages[m] = codec.encode(x.row(m), draws.ofMessage(place, m));
      try {
        read[m] = codec.decode(messages[m], x.width());
      } catch (Malformed impossible) {
        throw new IllegalStateException(impossible);
      }
    }
    return new CodedRows(codec, List.of(messages), x.of(read));
  }

  /** One client's message alone, with its row as the process that holds no other has it. */
  public CodedRows only(int row, Rows own) {
    return new CodedRows(codec, List.of(messages.get(row)), own);
  }

  public Codec codec() {
    return codec;
  }

  /** The bytes that the client of a row sends; not to be written to. */
  public byte[] message(int row) {
    return messages.get(row);
  }

  /** Q(x): each client's row as everybody reads it. */
  public Rows read() {
    return read;
  }

  /**
   * What all clients have said, and heard of each other.
   *
   * @param read Q(x)
   * @param mixed W Q(x)
   */
  public record Said(Rows read, Rows mixed) {}

  /**
   * Sends rows, of which nothing but Q(x) counts: neither to others nor to oneself. With full
   * numbers that is x.
   *
   * @param place of these messages among those of the round
   */
  public static Said send(Codec codec, Rows x, Exchange exchange, Draws draws, int place) {
    if (codec instanceof Codec.Full) {
      return new Said(x, exchange.mix(x));
    }
    CodedRows coded = of(codec, x, draws, place);
    return new Said(coded.read(), exchange.mix(coded.read(), coded));
  }
}
