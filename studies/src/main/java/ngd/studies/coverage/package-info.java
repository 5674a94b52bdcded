/**
 * Whether the intervals of the pooled answer, and those around averages over rounds, cover the
 * truth as often as they say. Must not know other kinds of study.
 */
@NullMarked
package ngd.studies.coverage;

import org.jspecify.annotations.NullMarked;
