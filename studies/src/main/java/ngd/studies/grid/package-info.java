/**
 * Grids: every combination of some choices, each replicate on common random numbers.
 *
 * <p>A {@link ngd.studies.grid.Grid} has {@link ngd.studies.grid.Cell}s, a {@link
 * ngd.studies.grid.GridStudy} runs all of them in every replicate, and its {@link
 * ngd.studies.grid.Medians} are what a {@link ngd.studies.grid.Presentation} shows. {@code
 * GridFile} reads a user's own from YAML. Must not know the paper's studies, which are grids too.
 */
@NullMarked
package ngd.studies.grid;

import org.jspecify.annotations.NullMarked;
