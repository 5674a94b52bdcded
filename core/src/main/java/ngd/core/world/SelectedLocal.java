package ngd.core.world;

import java.util.function.IntPredicate;
import ngd.core.algorithm.Local;
import ngd.core.rows.Rows;

/** Data that count what is asked of them for those clients alone that take part in a round. */
record SelectedLocal(Local all, GradientCount count, IntPredicate takesPart) implements Local {
  @Override
  public int rows(int row) {
    return all.rows(row);
  }

  @Override
  public Rows gradient(Rows at) {
    return count.among(takesPart, () -> all.gradient(at));
  }

  @Override
  public Local batch(int size, int round) {
    return new SelectedLocal(all.batch(size, round), count, takesPart);
  }

  @Override
  public Local part(int[] chosen, int of) {
    return new SelectedLocal(all.part(chosen, of), count, takesPart);
  }

  @Override
  public Local among(IntPredicate others) {
    return new SelectedLocal(this, count, others);
  }
}
