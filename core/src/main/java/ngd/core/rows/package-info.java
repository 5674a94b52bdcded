/**
 * Blocks of rows, a row for each client that a process holds, and who owns their memory.
 *
 * <p>{@link ngd.core.rows.Rows} and {@link ngd.core.rows.Edges} are what algorithms compute with; a
 * {@link ngd.core.rows.Place} is where they live. {@link ngd.core.rows.Host} is the place in this
 * process: it takes back the blocks that a round leaves behind, and its {@link
 * ngd.core.rows.Workers} cut long loops over rows among threads.
 *
 * <p>Must not know networks, data or algorithms.
 */
@NullMarked
package ngd.core.rows;

import org.jspecify.annotations.NullMarked;
