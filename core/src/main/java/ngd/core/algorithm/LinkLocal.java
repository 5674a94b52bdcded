package ngd.core.algorithm;

import ngd.core.rows.Edges;

/**
 * Data that also show their gradients at other clients' points; see {@link Need#LINK_GRADIENTS}.
 */
public interface LinkLocal extends LossLocal {
  /** For each link, the gradient of the hearing client's loss at that link's row. */
  Edges gradient(Edges at);

  @Override
  LinkLocal batch(int size, int round);

  /** These data, of which a {@link Need} said before the run that they can do so. */
  static LinkLocal in(Local local) {
    return Need.LINK_GRADIENTS.in(local, LinkLocal.class);
  }
}
