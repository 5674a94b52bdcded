/**
 * Tables and how they are cut among clients: sources, partitions, placement, shards.
 *
 * <p>A {@link ngd.core.data.Table} comes from a CSV file or from the generators of the paper's
 * section 3; a {@link ngd.core.data.Partition} and a {@link ngd.core.data.Placement} say which
 * client holds which row; {@link ngd.core.data.Shards} hold the rows as the kernels want them.
 * Knows nothing of losses or networks.
 */
@NullMarked
package ngd.core.data;

import org.jspecify.annotations.NullMarked;
