package ngd.core.algorithm.compressed;

import ngd.core.algorithm.CodedRows;
import ngd.core.algorithm.Exchange;
import ngd.core.codec.Codec;
import ngd.core.random.Draws;
import ngd.core.rows.Rows;

/**
 * What all clients know of each other's rows by compressed differences, and its average, which
 * follows from the averages of the differences alone.
 *
 * @param rows x̂
 * @param mixed W x̂
 */
public record Known(Rows rows, Rows mixed) {
  /** All clients at 0, before anybody has said anything. */
  static Known nothing(Rows like) {
    Rows zeros = like.everywhere(new double[like.width()]);
    return new Known(zeros, zeros);
  }

  /**
   * Sends Q(x − x̂).
   *
   * @param place of the message among those of the round
   */
  CodedRows.Said send(Rows x, Codec codec, Exchange exchange, Draws draws, int place) {
    return CodedRows.send(codec, x.minus(rows), exchange, draws, place);
  }

  /** x̂ + share · Q(x − x̂). */
  Known plus(double share, CodedRows.Said difference) {
    return new Known(rows.plus(share, difference.read()), mixed.plus(share, difference.mixed()));
  }

  /** x + γ (W x̂ − x̂): a share of the way towards the average of what is known. */
  Rows pull(double gamma, Rows x) {
    return x.plus(gamma, mixed, -gamma, rows);
  }
}
