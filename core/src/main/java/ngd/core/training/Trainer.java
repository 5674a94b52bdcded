package ngd.core.training;

import java.util.ServiceLoader;
import ngd.core.InvalidInput;

/** Trains neural networks. */
public interface Trainer {
  /** Does what is asked; writes the folder that the plan names, if it names one. */
  TrainingResult train(TrainingQuestion plan, Watch watch);

  /** Who is told how a training goes. */
  interface Watch {
    /** So many rounds are done; told before the first too, and there all that were done before. */
    default void round(int done, int all) {}

    /** An evaluation. */
    default void evaluated(TrainingResult.Point point) {}

    /** A checkpoint after so many rounds is there to go on from. */
    default void kept(int round) {}

    /** Something that the person should know. */
    default void warning(String text) {}
  }

  /** The trainer of this process. */
  static Trainer find() {
    return ServiceLoader.load(Trainer.class)
        .findFirst()
        .orElseThrow(
            () ->
                new InvalidInput(
                    "training: needs the module `deep` and libtorch, which are not on the class path; ./ngd train fetches them"));
  }
}
