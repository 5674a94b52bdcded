/**
 * Rows as fewer bytes than their numbers take: what a {@link ngd.core.codec.Codec} keeps of a row,
 * and how a stranger's bytes are read without believing them. It does not know who sends them, or
 * why.
 */
@NullMarked
package ngd.core.codec;

import org.jspecify.annotations.NullMarked;
