/**
 * Tables and how they are cut among clients: sources, partitions, placement, shards.
 *
 * <p>A {@link ngd.core.data.Table} comes from a CSV file ({@link ngd.core.data.CsvSource}) or from
 * the generators of the paper's section 3 ({@link ngd.core.data.PaperModel}). A {@link
 * ngd.core.data.Partition} cuts its rows into pieces and a {@link ngd.core.data.Placement} deals
 * them out; together they give an {@link ngd.core.data.Assignment} of rows to clients, from which
 * {@link ngd.core.data.Shards} hold the rows as the kernels want them. A {@link
 * ngd.core.data.SiteTable} is a table that stays where it is and evaluates expressions there. Knows
 * nothing of losses or networks; whether a response suits a family is the model's business.
 */
@NullMarked
package ngd.core.data;

import org.jspecify.annotations.NullMarked;
