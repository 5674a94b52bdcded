package ngd.studies.grid;

import java.util.List;
import java.util.stream.Stream;
import ngd.core.question.ClientKeys;
import ngd.core.question.DataKeys;
import ngd.core.question.Key;
import ngd.core.question.MethodKeys;
import ngd.core.question.ModelKeys;

/** What a cell of a grid is asked: the keys of a fit by an algorithm, of simulated or own data. */
public final class GridKeys {
  private GridKeys() {}

  /** Where rows that are not simulated come from, and their model. */
  static final List<Key<?>> OWN_DATA =
      List.of(
          DataKeys.DATA,
          DataKeys.QUERY,
          DataKeys.MISSING,
          DataKeys.NA,
          DataKeys.DECIMAL,
          DataKeys.ENCODING,
          DataKeys.DICTIONARY,
          ModelKeys.FORMULA,
          ModelKeys.RESPONSE,
          ModelKeys.FEATURES,
          ModelKeys.NO_INTERCEPT,
          ModelKeys.FAMILY,
          ModelKeys.LINK);

  /** Those that a study seldom varies. */
  static final List<Key<?>> FURTHER =
      List.of(
          ModelKeys.LOSS,
          MethodKeys.BATCH,
          MethodKeys.LOCAL_STEPS,
          MethodKeys.SELECTION,
          MethodKeys.MIX,
          MethodKeys.CODEC,
          MethodKeys.WEIGHT_DECAY,
          MethodKeys.LINK_FAILURES,
          MethodKeys.ACTIVATION,
          MethodKeys.ATTACK,
          MethodKeys.ATTACKERS,
          MethodKeys.CLOCKS,
          MethodKeys.DELAY,
          MethodKeys.MESSAGE_LOSS,
          MethodKeys.CHURN);

  /** All of them. {@code trace-every} says how often to look at a run. */
  public static final List<Key<?>> ALL =
      Stream.of(
              OWN_DATA,
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
