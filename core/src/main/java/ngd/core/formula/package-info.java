/**
 * Formulas: what is to be explained by what, in the notation that R users know.
 *
 * <p>{@link ngd.core.formula.Formula#parse} reads {@code visits ~ age + factor(health) +
 * log(income)} into {@link ngd.core.formula.Variable}s, each an {@link ngd.core.formula.Expression}
 * over the columns of a table, and {@link ngd.core.formula.Term}s, the sets of variables that are
 * multiplied. When the columns' types and the factors' levels are known everywhere, a {@link
 * ngd.core.formula.Design} says which coefficients there are and turns a row's values into the row
 * of the design matrix.
 *
 * <p>A formula comes from someone else's plan and is evaluated where the data are, so it is data:
 * an expression can name columns, operators and the functions of {@link ngd.core.formula.Function},
 * and nothing else. How an engine is asked for the values is not known here.
 */
@NullMarked
package ngd.core.formula;

import org.jspecify.annotations.NullMarked;
