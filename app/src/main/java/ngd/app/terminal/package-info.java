/**
 * What commands are made of: how a command line is read ({@link ngd.app.terminal.Syntax}, {@link
 * ngd.app.terminal.ConfigFile}, which says in YAML what flags say), how errors are reported ({@link
 * ngd.core.Problems}), where it prints ({@link ngd.app.terminal.Console}: results to standard
 * output, all else to standard error) and what its {@link ngd.app.terminal.Exit} code says. Knows
 * no command.
 */
@NullMarked
package ngd.app.terminal;

import org.jspecify.annotations.NullMarked;
