/**
 * Studies on a Spark cluster, for those who outgrow one machine: a replicate is a task, and each
 * result is stored when its task ends.
 *
 * <p>A replicate is the same function everywhere, so the files are those of a local run; a task
 * that is lost with its worker is run again elsewhere. The only room that knows Spark, apart so
 * that nobody else downloads it; {@code ngd.studies.engine.EngineProvider} finds it on the class
 * path.
 */
@NullMarked
package ngd.spark;

import org.jspecify.annotations.NullMarked;
