/**
 * Replicated experiments: the paper's section 3, what docs/theory.md adds to it, and a user's own
 * grids.
 *
 * <p>A {@link ngd.studies.StudyPlan} names one or more {@link ngd.studies.Study studies}. A {@link
 * ngd.studies.StudyRunner} has an {@link ngd.studies.Engine} compute their replicates, stores each
 * one as it finishes in the study's folder, and when all are there writes tables, figures and the
 * report. What is stored is never computed again, so a study can be stopped and continued, and more
 * replicates can be asked for later; the files are a function of the plan, the seed and R alone.
 *
 * <p>All randomness comes from (seed, replicate, purpose): two studies with the same seed see the
 * same data. One replicate is one thread's work, and replicates are what an engine spreads. Nothing
 * here prints; figures are drawn in {@code ngd.studies.figure}.
 */
@NullMarked
package ngd.studies;

import org.jspecify.annotations.NullMarked;
