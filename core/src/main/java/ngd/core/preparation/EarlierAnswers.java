package ngd.core.preparation;

import java.util.Set;

/** What a site remembers of its answers, from which counts at times could be subtracted. */
public interface EarlierAnswers {
  /** Nothing was answered before. */
  EarlierAnswers NONE =
      new EarlierAnswers() {
        @Override
        public Set<String> isolating(UsedRows cut) {
          return Set.of();
        }

        @Override
        public void remember(UsedRows cut) {}
      };

  /** The cuts of the rows whose sums, together with earlier answers, would show too few rows. */
  Set<String> isolating(UsedRows cut);

  /** Remembers what is about to be answered. */
  void remember(UsedRows cut);
}
