package ngd.peer.wire;

import java.util.Collection;
import java.util.Optional;

/** Those with whom a peer talks, and where it is said that somebody else tried to. */
interface Neighbours {
  Collection<PeerAddress> all();

  /** Says that a certificate was refused. */
  void refusedCertificate(String whose, String site, String why);

  default Optional<PeerAddress> named(String name) {
    return all().stream().filter(site -> site.name().equals(name)).findFirst();
  }
}
