/**
 * Replicated experiments: what a study is, and how one is run.
 *
 * <p>A {@link ngd.studies.StudyRequest} names one or more {@link ngd.studies.Study studies}, which
 * their {@link ngd.studies.StudyKind kinds} make. A {@link ngd.studies.StudyRunner} has their units
 * of work done, each kept in the study's folder as it finishes, and when all are there writes
 * tables, figures and the report. What is there is never done again, so a study can be stopped and
 * continued, and more replicates can be asked for later; the files are a function of the request,
 * the seed and R alone. All randomness comes from (seed, replicate, purpose): two studies with the
 * same seed see the same data.
 *
 * <p>The rooms below: {@code engine} computes replicates, {@code store} keeps them, {@code figure}
 * draws and {@code report} says what they show; this package knows these. The rooms above are the
 * kinds of study, a package each, which know this one. It must not know any of them: they are found
 * through {@link java.util.ServiceLoader}. Nothing in this module prints.
 */
@NullMarked
package ngd.studies;

import org.jspecify.annotations.NullMarked;
