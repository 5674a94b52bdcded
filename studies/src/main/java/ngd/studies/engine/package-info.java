/**
 * What computes replicates: the cores of this machine, or a cluster behind an {@link
 * ngd.studies.engine.EngineProvider} of another module.
 *
 * <p>A replicate is a pure function of what is {@link ngd.studies.engine.Replicated}, the seed and
 * its index, and one thread's work; so where it is computed changes no bit of it. Work whose parts
 * must run at the same time and talk goes to the {@link ngd.studies.engine.Machines} of the same
 * place, a process for each part; they come together in a {@link ngd.studies.engine.Meeting}. Must
 * not know what the numbers mean, where they are stored or who reports on them.
 */
@NullMarked
package ngd.studies.engine;

import org.jspecify.annotations.NullMarked;
