package ngd.studies.engine;

import java.io.Serializable;
import ngd.core.random.Streams;

/**
 * Something that is computed over and over with new random numbers. It travels to other processes,
 * hence serializable.
 */
@FunctionalInterface
public interface Replicated extends Serializable {
  /** One replicate, on the calling thread: a pure function of this and of its streams. */
  double[] replicate(Streams streams);
}
