package ngd.peer;

import ngd.core.rows.Rows;
import ngd.peer.wire.Message;

/** Receives the progress of a peer's rounds; for a status page. */
public interface PeerListener {
  /** This many rounds or updates of the stage under way are done. */
  void round(int done);

  /** This peer's row, and what it became with what was heard. */
  void mixed(Rows own, Rows mixed);

  /** A message of a client's was taken. */
  default void heard(int client, Message message) {}

  /** Tells nobody. */
  PeerListener NONE =
      new PeerListener() {
        @Override
        public void round(int done) {}

        @Override
        public void mixed(Rows own, Rows mixed) {}
      };
}
