/**
 * Figure 6 of the paper: {@link ngd.studies.training.Figure6} is made of trainings of neural
 * networks, {@link ngd.studies.training.Experiment} is a column of it.
 */
@NullMarked
package ngd.studies.training;

import org.jspecify.annotations.NullMarked;
