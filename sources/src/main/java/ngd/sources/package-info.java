/**
 * Tables from anywhere: files through embedded DuckDB, databases through their JDBC drivers.
 *
 * <p>{@link ngd.sources.EngineTables} opens what a {@link ngd.core.data.TableAddress} names as a
 * {@code SqlTable}, which asks its engine for the values of expressions and streams the rows. How
 * an expression is said to an engine is the business of {@code Sql} and its {@code Dialect}: names
 * are quoted, texts are bound, and nothing of a formula reaches an engine but what its grammar
 * knows. Messages never show a password.
 */
@NullMarked
package ngd.sources;

import org.jspecify.annotations.NullMarked;
