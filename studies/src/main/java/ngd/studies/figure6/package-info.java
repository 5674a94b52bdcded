/**
 * Figure 6 of the paper, whose units of work are trainings of neural networks: {@link
 * ngd.studies.figure6.Experiment} is a column of it. Knows the trainer by its interface alone, and
 * must not know other kinds of study.
 */
@NullMarked
package ngd.studies.figure6;

import org.jspecify.annotations.NullMarked;
