package ngd.core.world;

import ngd.core.algorithm.Algorithm;

/** Looks on while rounds are done: traces, checkpoints, status. */
@FunctionalInterface
public interface Hook<S extends Algorithm.State> {
  /** A round is done; the state's blocks are overwritten when the next one ends. */
  void after(S state);

  /** A round is about to begin, after this many rounds. */
  default void before(int round) {}

  /**
   * Whether the state after this many rounds will be shown to somebody: then it is checked that no
   * estimate in it is lost.
   */
  default boolean shows(int round) {
    return false;
  }

  /** Looks at nothing. */
  static <S extends Algorithm.State> Hook<S> none() {
    return _ -> {};
  }
}
