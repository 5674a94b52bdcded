package ngd.peer.wire;

/** Why something that a neighbour sent was refused. */
public enum Reason {
  /** Its certificate is not, or no longer, one that this peer believes. */
  CERTIFICATE,
  /** It speaks before it greets, greets twice, or speaks another version. */
  GREETING,
  /** It holds another plan. */
  PLAN,
  /** It says that it is somebody else. */
  SENDER,
  /** This peer does not hear it. */
  UNHEARD,
  /** A call that was heard before. */
  REPLAYED,
  /** A call out of turn. */
  FUTURE,
  /** Calls are missing that it cannot repeat. */
  FORGOTTEN,
  /** A message, or a piece of one, that is too long or not as long as it says. */
  LENGTH,
  /** Another kind of call than this peer makes. */
  KIND,
  /** Another number of parameters. */
  DIMENSION,
  /** NaN or an infinity. */
  NOT_FINITE,
  /** Numbers beyond every bound. */
  NORM,
  /** A term of a sum that the site it is said to be of did not sign for this call. */
  SIGNATURE,
  /** It does not pass on what it must have. */
  OMITTED,
  /** This peer's own disk does not take it now. */
  DISK,
  /** Not what the protocol has. */
  PROTOCOL
}
