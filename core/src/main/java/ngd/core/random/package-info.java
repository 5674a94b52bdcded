/**
 * Reproducible streams: a seed, a replicate, a purpose and a client give a generator, and nothing
 * else in the code makes one.
 */
@NullMarked
package ngd.core.random;

import org.jspecify.annotations.NullMarked;
