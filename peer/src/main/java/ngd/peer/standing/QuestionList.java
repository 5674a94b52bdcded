package ngd.peer.standing;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import ngd.core.InvalidInput;
import ngd.peer.identity.PeerIdentity;
import ngd.peer.plan.WrittenPlan;

/** The questions that a site knows, numbered in the order in which it learned of them. */
public final class QuestionList {
  private QuestionList() {}

  /**
   * One of them.
   *
   * @param reasons why it was refused or failed; of this site's own failure, what its log says
   */
  public record Numbered(int number, AskedQuestion question, List<String> reasons) {
    public Numbered {
      reasons = List.copyOf(reasons);
    }
  }

  private static StatementBoard board(PeerIdentity identity) {
    return new StatementBoard(
        identity,
        new MemberFolder(identity.kit().folder()).statements(),
        InstantSource.system(),
        _ -> {});
  }

  /** The change of members that waits to be made, if any. */
  public static Optional<WrittenPlan> change(PeerIdentity identity) {
    return board(identity).change().map(change -> identity.kit().checked(change.files()));
  }

  /** All of them. */
  public static List<Numbered> read(PeerIdentity identity) {
    StatementBoard board = board(identity);
    List<AuditLog.Entry> log = AuditLog.read(new MemberFolder(identity.kit().folder()).log());
    List<Numbered> list = new ArrayList<>();
    int number = 0;
    for (AuditLog.Entry entry : log) {
      if (entry.event().equals("asked")) {
        number++;
        AskedQuestion question = board.question(entry.question());
        if (question != null) {
          list.add(new Numbered(number, question, reasons(question, log)));
        }
      }
    }
    return list;
  }

  private static List<String> reasons(AskedQuestion question, List<AuditLog.Entry> log) {
    List<String> reasons = new ArrayList<>(question.reasons());
    for (AuditLog.Entry entry : log) {
      if (entry.event().equals("failed") && entry.question().equals(question.name())) {
        reasons.add("here: " + entry.content().path("reason").asString());
      }
    }
    return reasons;
  }

  /** The one with a number, or whose name begins so. */
  public static Numbered find(PeerIdentity identity, String word) {
    List<Numbered> all = read(identity);
    List<Numbered> found =
        all.stream()
            .filter(
                one ->
                    Integer.toString(one.number()).equals(word)
                        || (word.length() >= 4 && one.question().name().startsWith(word)))
            .toList();
    if (found.size() != 1) {
      throw new InvalidInput(
          "question `%s`: must be the number or name of one question here; %s"
              .formatted(
                  word,
                  all.isEmpty()
                      ? "there is none"
                      : "there are %d to %d"
                          .formatted(all.getFirst().number(), all.getLast().number())));
    }
    return found.getFirst();
  }

  /** The site's log, every line checked; lines that it told others of must be there. */
  public static List<AuditLog.Entry> checkedLog(PeerIdentity identity) {
    MemberFolder folder = new MemberFolder(identity.kit().folder());
    // What is said refers to lines that are there by then; the other way round it might not.
    StatementBoard said = board(identity);
    List<AuditLog.Entry> entries = AuditLog.read(folder.log());
    requireWhole(identity, folder, entries, said);
    return entries;
  }

  static void requireWhole(
      PeerIdentity identity,
      MemberFolder folder,
      List<AuditLog.Entry> entries,
      StatementBoard board) {
    List<String> said = new ArrayList<>();
    for (AskedQuestion question : board.questions()) {
      question.decision(identity.site()).ifPresent(one -> said.add(one.log()));
      question.end(identity.site()).ifPresent(one -> said.add(one.log()));
    }
    if (!AuditLog.missing(entries, said).isEmpty()) {
      throw new InvalidInput(
          "%s: must hold every line that this site referred to; lines at its end are missing. Put the file back as it was"
              .formatted(folder.log()));
    }
  }
}
