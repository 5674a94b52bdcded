/** The programs that {@code docs/library.md} shows to JVM engineers. */
@NullMarked
package ngd.library;

import org.jspecify.annotations.NullMarked;
