package ngd.peer.standing;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A question and all that was said about it so far. */
public final class AskedQuestion {
  private final String name;
  private final String asker;
  private final Statement.Asked asked;
  private final boolean current;
  private final List<String> sites;
  private final Map<String, Statement.Decided> decisions = new LinkedHashMap<>();
  private final Map<String, Statement.Ended> ends = new LinkedHashMap<>();

  /**
   * @param current whether it was asked of the federation as it is now
   * @param sites of the federation as it is now
   */
  AskedQuestion(
      String name, String asker, Statement.Asked asked, boolean current, List<String> sites) {
    this.current = current;
    this.name = name;
    this.asker = asker;
    this.asked = asked;
    this.sites = List.copyOf(sites);
  }

  /** Where it stands. */
  public enum State {
    /** Some site has not decided. */
    WAITING,
    /** Every site takes part. */
    RUNNING,
    ANSWERED,
    /** Some site does not take part. */
    REFUSED,
    /** Some site found no answer. */
    FAILED;

    public String word() {
      return name().toLowerCase(java.util.Locale.ROOT);
    }

    /** A state's word with the sites it waits for, where it waits for any. */
    public static String words(String word, List<String> awaited) {
      return awaited.isEmpty()
          ? word
          : "%s %s %s"
              .formatted(
                  word, word.equals(RUNNING.word()) ? "at" : "for", String.join(", ", awaited));
    }
  }

  /** The first word of a site counts. */
  synchronized void hear(SignedStatement statement) {
    switch (statement.statement()) {
      case Statement.Decided decided -> decisions.putIfAbsent(statement.signer(), decided);
      case Statement.Ended ended -> ends.putIfAbsent(statement.signer(), ended);
      case Statement.Asked _, Statement.Changed _, Statement.Left _ -> {}
    }
  }

  /** Whether it was asked of the federation as it is now. */
  boolean current() {
    return current;
  }

  public String name() {
    return name;
  }

  public String asker() {
    return asker;
  }

  public Statement.Asked asked() {
    return asked;
  }

  public synchronized Optional<Statement.Decided> decision(String site) {
    return Optional.ofNullable(decisions.get(site));
  }

  public synchronized Optional<Statement.Ended> end(String site) {
    return Optional.ofNullable(ends.get(site));
  }

  public synchronized State state() {
    if (decisions.values().stream().anyMatch(one -> !one.accepted())) {
      return State.REFUSED;
    }
    if (ends.values().stream().anyMatch(one -> !one.answered())) {
      return State.FAILED;
    }
    // Of a federation that has changed since, those who took part are known by their word alone.
    if (current
        ? ends.keySet().containsAll(sites)
        : !decisions.isEmpty() && ends.keySet().containsAll(decisions.keySet())) {
      return State.ANSWERED;
    }
    if (!current) {
      return State.WAITING;
    }
    return decisions.keySet().containsAll(sites) ? State.RUNNING : State.WAITING;
  }

  /** Whether nothing more comes of it. */
  public boolean over() {
    return switch (state()) {
      case ANSWERED, REFUSED, FAILED -> true;
      case WAITING, RUNNING -> false;
    };
  }

  /** The sites that have not decided, or, once all have, not ended. */
  public synchronized List<String> awaited() {
    List<String> awaited = new ArrayList<>(sites);
    awaited.removeAll(decisions.keySet().containsAll(sites) ? ends.keySet() : decisions.keySet());
    return awaited;
  }

  /** Who refused or failed, and why: a sentence each. */
  public synchronized List<String> reasons() {
    List<String> reasons = new ArrayList<>();
    decisions.forEach(
        (site, decided) -> {
          if (!decided.accepted()) {
            reasons.add("%s refuses: %s".formatted(site, decided.reason()));
          }
        });
    ends.forEach(
        (site, ended) -> {
          if (!ended.answered()) {
            reasons.add("%s: %s".formatted(site, ended.detail()));
          }
        });
    return reasons;
  }

  /** The sites whose answer has another fingerprint than most; none where all agree. */
  public synchronized Map<String, List<String>> fingerprints() {
    Map<String, List<String>> found = new LinkedHashMap<>();
    ends.forEach(
        (site, ended) -> {
          if (ended.answered()) {
            found.computeIfAbsent(ended.detail(), _ -> new ArrayList<>()).add(site);
          }
        });
    return found;
  }

  /** What it asks, in one line. */
  public String summary() {
    Map<String, String> words = words();
    if (words.containsKey("kind")) {
      return "%s %s"
          .formatted(
              words.get("kind"),
              words.getOrDefault("formula", words.getOrDefault("columns", "every column")));
    }
    return "%s, %s, %s"
        .formatted(
            words.getOrDefault("formula", ""),
            words.getOrDefault("family", words.getOrDefault("loss", "")),
            words.getOrDefault("algorithm", ""));
  }

  /** Its keys with their words. */
  public Map<String, String> words() {
    Map<String, String> words = new LinkedHashMap<>();
    for (String line : asked.lines()) {
      int colon = line.indexOf(": ");
      if (colon > 0) {
        words.put(line.substring(0, colon), line.substring(colon + 2));
      }
    }
    return words;
  }
}
