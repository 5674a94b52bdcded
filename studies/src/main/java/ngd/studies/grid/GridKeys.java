package ngd.studies.grid;

import java.util.List;
import java.util.stream.Stream;
import ngd.core.question.ClientKeys;
import ngd.core.question.Key;
import ngd.core.question.MethodKeys;
import ngd.core.question.ModelKeys;

/** What a cell of a grid is asked: the keys of a fit of simulated data by an algorithm. */
public final class GridKeys {
  private GridKeys() {}

  /** Those that a study seldom varies. */
  static final List<Key<?>> FURTHER =
      List.of(
          MethodKeys.BATCH,
          MethodKeys.LOCAL_STEPS,
          MethodKeys.MIX,
          MethodKeys.CODEC,
          MethodKeys.ATTACK,
          MethodKeys.ATTACKERS,
          MethodKeys.CLOCKS,
          MethodKeys.DELAY,
          MethodKeys.LOSS,
          MethodKeys.CHURN);

  /** All of them. {@code trace-every} says how often to look at a run. */
  public static final List<Key<?>> ALL =
      Stream.of(
              List.<Key<?>>of(
                  ModelKeys.SIMULATE,
                  ModelKeys.ROWS,
                  ClientKeys.CLIENTS,
                  ClientKeys.PARTITION,
                  ClientKeys.PLACEMENT,
                  ClientKeys.NETWORK,
                  ClientKeys.WEIGHTS,
                  MethodKeys.ALGORITHM),
              FURTHER,
              List.<Key<?>>of(MethodKeys.ALPHA, MethodKeys.ROUNDS, MethodKeys.TRACE_EVERY))
          .flatMap(List::stream)
          .toList();
}
