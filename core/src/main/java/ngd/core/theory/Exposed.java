package ngd.core.theory;

import java.util.List;
import java.util.Locale;

/**
 * What some sites together learn of each other site.
 *
 * @param coalition the sites that put together what they hear and what they have
 * @param rounds the rounds after which accuracies hold; −1 where none were computed
 * @param findings for every site outside it, in order
 */
public record Exposed(List<Integer> coalition, int rounds, List<Finding> findings) {
  public Exposed {
    coalition = List.copyOf(coalition);
    findings = List.copyOf(findings);
  }

  /** How a site stands. */
  public enum Verdict {
    /** Its moments can be solved for, to a stated accuracy. */
    SOLVED,
    /** It must be assumed that they can: too ill-conditioned, too large or not computed. */
    ASSUMED,
    /** What is heard does not determine them, only combinations, also with other sites'. */
    MIXED,
    /** Nothing that is heard depends on them. */
    UNHEARD;

    /** The word in files. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * What is learned of one site.
   *
   * @param rounds the rounds after which its moments are determined; −1 where that is not known or
   *     never
   * @param accuracy the relative error to expect; not a number where it was not computed
   * @param known how many independent combinations of its moments alone are determined; −1 where
   *     that is not known
   * @param unknowns how many numbers they are
   */
  public record Finding(
      int site, Verdict verdict, int rounds, double accuracy, int known, int unknowns) {}

  /** The sites with a verdict. */
  public List<Integer> sites(Verdict verdict) {
    return findings.stream()
        .filter(finding -> finding.verdict() == verdict)
        .map(Finding::site)
        .toList();
  }
}
