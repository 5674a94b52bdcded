package ngd.peer.faults;

/** What is asked of a simulated federation. */
public enum FaultMode {
  /**
   * Anything may happen, to files and data too: what is answered is right, what is refused has a
   * reason.
   */
  SAFETY,
  /** Crashes, cuts and full disks that stop after a while: everybody must then finish. */
  LIVENESS;

  /** The one of a seed, where nobody asks for another: both are tried alike. */
  public static FaultMode of(long seed) {
    return seed % 2 == 0 ? SAFETY : LIVENESS;
  }
}
