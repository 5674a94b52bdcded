/**
 * What a shell has of the program: completion, manual pages, and the commands that the launcher
 * carries out itself. All of it comes from the same descriptions as the help, so that it cannot
 * drift. Knows {@code terminal} and no other command.
 */
@NullMarked
package ngd.app.shell;

import org.jspecify.annotations.NullMarked;
