/**
 * What every world is made of, whoever carries the messages: the simulator, real peers and devices.
 *
 * <p>{@link ngd.core.world.World} is a place where algorithms run. {@link
 * ngd.core.world.ShardsLocal} shows data in this process as an algorithm sees them, {@link
 * ngd.core.world.Mixing} says how a client averages what it hears, {@link ngd.core.world.Batches}
 * which rows a round uses, and {@link ngd.core.world.Suitability} whether an algorithm can do its
 * work on a network with a loss.
 *
 * <p>Must not know simulated clients, connections or the command line.
 */
@NullMarked
package ngd.core.world;

import org.jspecify.annotations.NullMarked;
