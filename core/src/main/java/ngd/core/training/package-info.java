/**
 * Training of neural networks, asked for and answered independently of the implementation: the
 * module that does it is heavy and is there only for the commands that need it.
 *
 * <p>A {@link ngd.core.training.TrainingQuestion} says what is asked, {@link
 * ngd.core.training.TrainingData} of what, a {@link ngd.core.training.Trainer}, found through
 * {@link java.util.ServiceLoader}, does it, and a {@link ngd.core.training.TrainingResult} says
 * what came of it.
 */
@NullMarked
package ngd.core.training;

import org.jspecify.annotations.NullMarked;
