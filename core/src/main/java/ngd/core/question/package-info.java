/**
 * What is asked, in canonical words, made from flags, files, the window, a study's grid or a
 * federation's plan alike.
 *
 * <p>A {@link ngd.core.question.Key} is one thing that may be said, with its words on the command
 * line, how they are read and what holds where nothing is said; every option of {@code ngd fit} is
 * one, declared once in {@link ngd.core.question.DataKeys}, {@link ngd.core.question.ModelKeys},
 * {@link ngd.core.question.ClientKeys}, {@link ngd.core.question.MethodKeys} or {@link
 * ngd.core.question.PooledKeys}. {@link ngd.core.question.Words} are what somebody said, and a
 * {@link ngd.core.question.Question} is what that means. Its own words are its provenance: the
 * manifest, the check that a folder may be resumed, the hash of a plan and the command line that
 * repeats it.
 *
 * <p>Must not open data, and knows nobody who answers.
 */
@NullMarked
package ngd.core.question;

import org.jspecify.annotations.NullMarked;
