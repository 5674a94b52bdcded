package ngd.peer.faults;

import java.util.List;

/**
 * What one seed came to.
 *
 * @param violations what must not happen and did; none where all is well
 * @param answers how many sites had their answer
 * @param refusals how many refused to go on, with a reason
 * @param crashes how often a machine ended
 * @param steps of all threads together
 * @param seconds of simulated time
 * @param log line by line, the same for the same seed
 */
public record FaultOutcome(
    long seed,
    List<String> violations,
    int peers,
    int answers,
    int refusals,
    int crashes,
    long steps,
    double seconds,
    List<String> log) {
  public FaultOutcome {
    violations = List.copyOf(violations);
    log = List.copyOf(log);
  }
}
