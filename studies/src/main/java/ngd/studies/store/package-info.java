/**
 * What a study leaves on the disk: its {@link ngd.studies.store.StudyFolder}, which says whose it
 * is and is held by one process at a time, and in it a {@link ngd.studies.store.ReplicateStore} of
 * the finished replicates, which are never computed again and are read back as {@link
 * ngd.studies.store.Results}.
 *
 * <p>Knows names, bytes and numbers. Must not know who computes them, what they mean or what is
 * said of them.
 */
@NullMarked
package ngd.studies.store;

import org.jspecify.annotations.NullMarked;
