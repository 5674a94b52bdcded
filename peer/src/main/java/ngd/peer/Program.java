package ngd.peer;

/**
 * What a peer does from beginning to end: sums over all clients, stages of rounds, more sums.
 *
 * <p>It must be deterministic. After a crash it is run again from the beginning, but what was done
 * before is not done again: sums and finished stages come from the disk, and the stage that was
 * under way goes on from its last snapshot.
 */
@FunctionalInterface
public interface Program<R> {
  R run(PeerContext context);
}
