package ngd.peer.standing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import ngd.core.InvalidInput;
import ngd.peer.identity.PeerIdentity;
import ngd.peer.wire.proto.Signed;

/** What becomes of one question, as the peer of a folder learns it; reads, and never writes. */
public final class QuestionWatch {
  private final PeerIdentity identity;
  private final MemberFolder folder;
  private final Path statements;
  private final AskedQuestion question;
  private final Set<Path> seen = new HashSet<>();

  public QuestionWatch(PeerIdentity identity, MemberFolder folder, SignedStatement asked) {
    this.identity = identity;
    this.folder = folder;
    statements = folder.statements();
    question =
        new AskedQuestion(
            asked.name(),
            asked.signer(),
            (Statement.Asked) asked.statement(),
            true,
            identity.kit().plan().plan().names());
  }

  /**
   * The question as it stands now.
   *
   * @throws InvalidInput where the peer of the folder did not take it
   */
  public AskedQuestion look() {
    folder
        .refusal(question.name())
        .ifPresent(
            why -> {
              throw new InvalidInput("the peer of this folder did not take it: " + why);
            });
    try (Stream<Path> files = Files.list(statements)) {
      List<Path> all = files.filter(file -> file.toString().endsWith(".json")).toList();
      for (Path file : all) {
        if (seen.add(file)) {
          hear(file);
        }
      }
    } catch (IOException e) {
      throw new InvalidInput(
          "%s: must be a member's folder; it cannot be read: %s"
              .formatted(statements, e.getMessage()),
          e);
    }
    return question;
  }

  private void hear(Path file) {
    try {
      Signed said = SignedStatement.read(file);
      // Signatures cost more than words, and most statements are about other questions.
      if (about(Statement.of(said.getStatement().toByteArray()))
          .filter(question.name()::equals)
          .isPresent()) {
        question.hear(SignedStatement.checked(identity, said));
      }
    } catch (InvalidInput gone) {
      // Deleted meanwhile, or damaged: the peer says so.
    }
  }

  private static Optional<String> about(Statement one) {
    return switch (one) {
      case Statement.Asked _, Statement.Changed _, Statement.Left _ -> Optional.empty();
      case Statement.Decided decided -> Optional.of(decided.question());
      case Statement.Ended ended -> Optional.of(ended.question());
    };
  }
}
