/**
 * Files as this library wants them: written whole or not at all, hashed, and YAML read with the
 * line of everything in it.
 *
 * <p>Must not know what the files are for.
 */
@NullMarked
package ngd.core.file;

import org.jspecify.annotations.NullMarked;
