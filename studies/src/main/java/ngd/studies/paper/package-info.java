/**
 * The paper's simulations that are grids, with exactly its sizes: figures 2 to 5, and what
 * placement does to sorted data (docs/theory.md, 3), each with its claims.
 *
 * <p>Knows {@code ngd.studies.grid}; must not know other kinds of study.
 */
@NullMarked
package ngd.studies.paper;

import org.jspecify.annotations.NullMarked;
