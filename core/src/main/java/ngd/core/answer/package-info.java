/**
 * What came of a question: the same files with the same keys, whoever computed it.
 *
 * <p>An {@link ngd.core.answer.Answer} is a {@link ngd.core.answer.PooledAnswer} or a {@link
 * ngd.core.answer.MethodAnswer}; a rehearsal, a simulation and a real peer make the same. {@link
 * ngd.core.answer.RowsUsed} says what it rests on, {@link ngd.core.answer.ModelDescription} how new
 * rows are to be read.
 *
 * <p>Must not know who computed it or where it is written.
 */
@NullMarked
package ngd.core.answer;

import org.jspecify.annotations.NullMarked;
