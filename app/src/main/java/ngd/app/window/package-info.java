/**
 * The window: a page in the browser to design a network, watch a run, compare what is stored, look
 * at a federation, ask it questions and see who can learn what, served by this process to this
 * machine.
 *
 * <p>{@link ngd.app.window.Window} is the server. Every request passes the {@link
 * ngd.app.window.AccessControl}, which refuses other hosts, other pages and requests without the
 * token, and ends at one of the APIs ({@link ngd.app.window.NetworkApi}, {@link
 * ngd.app.window.TrialApi}, {@link ngd.app.window.RunApi}, {@link ngd.app.window.PeerApi}, {@link
 * ngd.app.window.MemberApi}) or at a file of the page itself ({@link ngd.app.window.PageFiles}).
 * Runs under way live in {@link ngd.app.window.TrialSession}s, few at a time.
 *
 * <p>Knows {@code ngd.core} and the figures of {@code ngd.studies}, and of the command line only
 * what {@link ngd.app.window.TrialFactory} and {@link ngd.app.window.Federations} say: how a run is
 * made from options, and what members may do, is decided there, so that the page and the command
 * line do the same. It prints nothing.
 */
@NullMarked
package ngd.app.window;

import org.jspecify.annotations.NullMarked;
