package ngd.core.training;

import java.util.ServiceLoader;
import ngd.core.InvalidInput;

/** Trains neural networks. */
public interface Trainer {
  /** Does what is asked; writes the folder that the plan names, if it names one. */
  TrainingResult train(TrainingQuestion plan, Watch watch);

  /** Receives the progress of a training. */
  interface Watch {
    /** Rounds done so far; called before the first round too, with those of earlier runs. */
    default void round(int done, int all) {}

    /** An evaluation. */
    default void evaluated(TrainingResult.Point point) {}

    /** A checkpoint after this many rounds was saved. */
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
