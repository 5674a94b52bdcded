package ngd.peer.plan;

import java.util.ArrayList;
import java.util.List;
import ngd.core.question.ClientKeys;
import ngd.core.question.DataKeys;
import ngd.core.question.Key;
import ngd.core.question.MethodKeys;
import ngd.core.question.ModelKeys;
import ngd.core.question.PooledKeys;

/** What a plan may ask: a fit's question, but for what each site has of its own. */
public final class PlanKeys {
  private PlanKeys() {}

  public static final List<Key<?>> ALL = all();

  private static List<Key<?>> all() {
    List<Key<?>> all = new ArrayList<>(ModelKeys.AGREED);
    all.add(DataKeys.MISSING);
    all.addAll(DataKeys.READING);
    all.add(ClientKeys.SEED);
    all.addAll(MethodKeys.AGREED);
    all.addAll(PooledKeys.ALL);
    return List.copyOf(all);
  }
}
