package ngd.peer.wire;

/**
 * What a neighbour may make this peer hold, whatever it sends.
 *
 * @param messageBytes the longest message of any call
 * @param pieceBytes the longest piece of a message, a multiple of 8
 * @param aheadBytes how much of a neighbour's messages may wait for this peer to need them; beyond
 *     that the neighbour is held back
 */
public record Limits(int messageBytes, int pieceBytes, int aheadBytes) {
  /** Pieces of 128 KiB: beyond that larger ones gain nothing. */
  private static final int PIECE = 1 << 17;

  private static final int AHEAD = 1 << 23;

  public Limits {
    if (messageBytes < 0 || pieceBytes < 8 || pieceBytes % 8 != 0) {
      throw new IllegalArgumentException(
          "limits: messages must not be negative, pieces a multiple of 8; got %d and %d"
              .formatted(messageBytes, pieceBytes));
    }
  }

  public static Limits of(int messageBytes) {
    return new Limits(messageBytes, PIECE, AHEAD);
  }
}
