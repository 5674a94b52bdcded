package ngd.peer.plan;

import java.util.Arrays;
import java.util.List;

/** Where two plans part, told from one side's text and the other side's line hashes. */
public final class PlanDifference {
  private PlanDifference() {}

  /**
   * The first line in which they differ, in words; that there is none where they agree.
   *
   * @param theirs the other side's {@link WrittenPlan#lineHashes}
   */
  public static String firstLine(WrittenPlan own, byte[] theirs) {
    List<String> lines = own.plan().canonical();
    byte[] hashes = own.lineHashes();
    int size = WrittenPlan.LINE_HASH_BYTES;
    for (int i = 0; i < lines.size(); i++) {
      int from = i * size;
      if (from + size > theirs.length) {
        return "their plan ends where ours says `%s`".formatted(lines.get(i));
      }
      if (!Arrays.equals(hashes, from, from + size, theirs, from, from + size)) {
        int place = own.place(lines.get(i));
        return place == 0
            ? "`%s`, the default in our plan, is not in theirs".formatted(lines.get(i))
            : "line %d of our plan, `%s`, is not in theirs".formatted(place, lines.get(i));
      }
    }
    return theirs.length > hashes.length
        ? "their plan says more than ours, which ends with `%s`".formatted(lines.getLast())
        : "none: the plans agree";
  }
}
