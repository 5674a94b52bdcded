/**
 * What it takes to train neural networks, asked for and answered without knowing how it is done:
 * the module that does it is heavy and is there only for the commands that need it.
 *
 * <p>A {@link ngd.studies.training.TrainingPlan} says what is asked, {@link
 * ngd.studies.training.TrainingData} of what, a {@link ngd.studies.training.Trainer}, found through
 * {@link java.util.ServiceLoader}, does it, and a {@link ngd.studies.training.TrainingResult} says
 * what came of it. {@link ngd.studies.training.Figure6} is the paper's figure made of such
 * trainings, {@link ngd.studies.training.Experiment} a column of it.
 */
@NullMarked
package ngd.studies.training;

import org.jspecify.annotations.NullMarked;
