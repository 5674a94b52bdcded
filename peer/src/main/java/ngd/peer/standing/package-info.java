/**
 * A standing federation: its members stay connected, and questions come as often as somebody asks.
 * What members say to all others is a signed {@link ngd.peer.standing.Statement} on a {@link
 * ngd.peer.standing.StatementBoard}: a question, a site's decision about it, and how it ended
 * there. {@link ngd.peer.standing.StandingPeer} does what the statements ask for: every question is
 * a run of its own, with the plan, masks and snapshots that a plan for it alone would have.
 *
 * <p>Must not know the command line.
 */
@NullMarked
package ngd.peer.standing;

import org.jspecify.annotations.NullMarked;
