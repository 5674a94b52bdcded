package ngd.peer.standing;

import static java.lang.System.Logger.Level.WARNING;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import ngd.core.InvalidInput;
import ngd.core.file.WholeFile;
import ngd.peer.identity.PeerIdentity;
import ngd.peer.machine.Monitor;
import ngd.peer.wire.NewsLinks;
import ngd.peer.wire.Reason;
import ngd.peer.wire.Refused;
import ngd.peer.wire.proto.Signed;
import org.jspecify.annotations.Nullable;

/**
 * All statements that a member has, on its disk: they only become more, so that members who hear
 * them in another order come to hold the same.
 */
public final class StatementBoard implements NewsLinks.Board {
  /** Questions wait this long for sites that are away. */
  public static final Duration PATIENCE = Duration.ofDays(7);

  /** What is over is forgotten after this time; the log keeps it. */
  static final Duration KEPT = Duration.ofDays(30);

  /** Clocks of members may be this far apart. */
  private static final Duration SLACK = Duration.ofMinutes(10);

  /** What one asker may have waiting, so that nobody fills the others' disks. */
  static final int MOST_WAITING = 200;

  private static final System.Logger LOG = System.getLogger("ngd.peer");

  private final PeerIdentity identity;
  private final Path folder;
  private final InstantSource clock;
  private final Consumer<SignedStatement> news;
  private final Map<ByteString, SignedStatement> statements = new HashMap<>();
  private final Monitor lock = new Monitor();
  private final Map<String, AskedQuestion> questions = new LinkedHashMap<>();

  private final List<Statement.Changed> changes = new ArrayList<>();

  /** Statements about questions that are not known yet. */
  private final Map<String, List<SignedStatement>> early = new HashMap<>();

  /**
   * Reads what is there.
   *
   * @param news is handed every new statement, once
   */
  public StatementBoard(
      PeerIdentity identity, Path folder, InstantSource clock, Consumer<SignedStatement> news) {
    this.identity = identity;
    this.folder = folder;
    this.clock = clock;
    this.news = news;
    for (Path file : files()) {
      try {
        Signed signed = SignedStatement.read(file);
        // Those who have left stay in the folder with what they said, and are no longer believed.
        if (SignedStatement.isOfMember(identity, signed)) {
          enter(SignedStatement.checked(identity, signed));
        }
      } catch (InvalidInput damaged) {
        LOG.log(WARNING, "statement-left-out file={0} detail={1}", file, damaged.getMessage());
      }
    }
    forget();
  }

  private List<Path> files() {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(".json")).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException("%s: cannot be read".formatted(folder), e);
    }
  }

  /** The questions in the order in which they were asked, the same at every member. */
  public List<AskedQuestion> questions() {
    try (var _ = lock.hold()) {
      List<AskedQuestion> sorted = new ArrayList<>(questions.values());
      sorted.sort(
          Comparator.comparing((AskedQuestion one) -> one.asked().at())
              .thenComparing(AskedQuestion::name));
      return sorted;
    }
  }

  public @Nullable AskedQuestion question(String name) {
    try (var _ = lock.hold()) {
      return questions.get(name);
    }
  }

  /** The newest change of members that is not made here yet, if any. */
  public Optional<Statement.Changed> change() {
    try (var _ = lock.hold()) {
      int present = identity.kit().plan().plan().federation().amendment();
      return changes.stream()
          .filter(change -> amendment(change) > present)
          .max(Comparator.comparingInt(this::amendment));
    }
  }

  /** What sites have said of another that is gone, enough of them; empty where there is none. */
  public List<SignedStatement> departure() {
    try (var _ = lock.hold()) {
      String present = HexFormat.of().formatHex(identity.kit().plan().hash());
      Map<Statement.Left, List<SignedStatement>> votes = new LinkedHashMap<>();
      for (SignedStatement statement : statements.values()) {
        if (statement.statement() instanceof Statement.Left left
            && left.federation().equals(present)) {
          votes.computeIfAbsent(left, _ -> new ArrayList<>()).add(statement);
        }
      }
      for (List<SignedStatement> one : votes.values()) {
        try {
          var _ = identity.kit().without(texts(one));
          return List.copyOf(one);
        } catch (InvalidInput tooFew) {
          // Others may still say so.
        }
      }
      return List.of();
    }
  }

  /** As a kit takes them. */
  static List<List<String>> texts(List<SignedStatement> votes) {
    return votes.stream()
        .sorted(Comparator.comparing(SignedStatement::signer))
        .map(
            vote ->
                List.of(
                    vote.signer(),
                    vote.signed().getStatement().toStringUtf8(),
                    Base64.getEncoder().encodeToString(vote.signed().getSignature().toByteArray())))
        .toList();
  }

  /** Whether a change is the last one, which members that were away still need. */
  private boolean current(Statement.Changed change) {
    return amendment(change) >= identity.kit().plan().plan().federation().amendment();
  }

  private int amendment(Statement.Changed change) {
    return identity.kit().checked(change.files()).plan().federation().amendment();
  }

  @Override
  public List<ByteString> held() {
    try (var _ = lock.hold()) {
      return List.copyOf(statements.keySet());
    }
  }

  @Override
  public @Nullable Signed find(ByteString hash) {
    try (var _ = lock.hold()) {
      SignedStatement found = statements.get(hash);
      return found == null ? null : found.signed();
    }
  }

  @Override
  public ByteString take(Signed signed) throws Refused {
    ByteString hash = SignedStatement.hash(signed);
    try (var _ = lock.hold()) {
      if (statements.containsKey(hash)) {
        return hash;
      }
    }
    try {
      SignedStatement statement = SignedStatement.checked(identity, signed);
      check(statement);
      add(statement);
      return hash;
    } catch (InvalidInput wrong) {
      throw new Refused(Reason.PROTOCOL, String.valueOf(wrong.getMessage()));
    }
  }

  /** Adds a statement of this member itself. */
  public void add(SignedStatement statement) {
    try (var _ = lock.hold()) {
      if (statements.containsKey(statement.hash())) {
        return;
      }
      write(statement);
      enter(statement);
    }
    news.accept(statement);
  }

  /** Refuses what no honest member says now. */
  private void check(SignedStatement statement) {
    try (var _ = lock.hold()) {
      Instant now = clock.instant();
      switch (statement.statement()) {
        case Statement.Asked asked -> {
          if (asked.at().isAfter(now.plus(SLACK)) || asked.at().isBefore(now.minus(PATIENCE))) {
            throw new InvalidInput(
                "question %s: must be asked within the last %d days by this machine's clock; it says %s"
                    .formatted(statement.name(), PATIENCE.toDays(), asked.at()));
          }
          long waiting =
              questions.values().stream()
                  .filter(one -> one.asker().equals(statement.signer()) && !one.over())
                  .count();
          if (waiting >= MOST_WAITING) {
            throw new InvalidInput(
                "question %s: `%s` may have %d questions waiting; it has them"
                    .formatted(statement.name(), statement.signer(), MOST_WAITING));
          }
        }
        case Statement.Changed change -> identity.kit().checked(change.files());
        case Statement.Left left -> {
          if (!identity.kit().plan().plan().names().contains(statement.signer())
              || statement.signer().equals(left.site())) {
            throw new InvalidInput(
                "leave: only other sites may sign that %s leaves; `%s` is none"
                    .formatted(left.site(), statement.signer()));
          }
        }
        case Statement.Decided decided -> requireSite(statement, decided.question());
        case Statement.Ended ended -> requireSite(statement, ended.question());
      }
    }
  }

  /** Only sites decide and answer, each once. */
  private void requireSite(SignedStatement statement, String question) {
    if (!identity.kit().plan().plan().names().contains(statement.signer())) {
      throw new InvalidInput(
          "question %s: only sites answer; `%s` is none".formatted(question, statement.signer()));
    }
    if (early.getOrDefault(question, List.of()).size() > MOST_WAITING) {
      throw new InvalidInput("question %s: is not known here".formatted(question));
    }
  }

  private void write(SignedStatement statement) {
    Path file = file(statement.hash());
    try {
      WholeFile.Access.PRIVATE.createFolders(folder);
      WholeFile.write(
          file,
          WholeFile.Access.PRIVATE,
          out -> out.write(statement.text().getBytes(StandardCharsets.UTF_8)));
    } catch (IOException e) {
      throw new UncheckedIOException("%s: cannot be written".formatted(file), e);
    }
  }

  private Path file(ByteString hash) {
    return folder.resolve(HexFormat.of().formatHex(hash.toByteArray()) + ".json");
  }

  private void enter(SignedStatement statement) {
    statements.put(statement.hash(), statement);
    switch (statement.statement()) {
      case Statement.Asked asked -> {
        AskedQuestion question =
            new AskedQuestion(
                statement.name(),
                statement.signer(),
                asked,
                asked.federation().equals(HexFormat.of().formatHex(identity.kit().plan().hash())),
                identity.kit().plan().plan().names());
        questions.put(question.name(), question);
        early.getOrDefault(question.name(), List.of()).forEach(question::hear);
        early.remove(question.name());
      }
      case Statement.Changed change -> changes.add(change);
      case Statement.Left _ -> {}
      case Statement.Decided decided -> hear(decided.question(), statement);
      case Statement.Ended ended -> hear(ended.question(), statement);
    }
  }

  private void hear(String name, SignedStatement statement) {
    AskedQuestion question = questions.get(name);
    if (question == null) {
      early.computeIfAbsent(name, _ -> new ArrayList<>()).add(statement);
    } else {
      question.hear(statement);
    }
  }

  /** Removes what is over for long; nobody can ask it again, because it is too old. */
  private void forget() {
    Instant before = clock.instant().minus(KEPT);
    List<String> old =
        questions.values().stream()
            .filter(one -> one.asked().at().isBefore(before))
            .map(AskedQuestion::name)
            .toList();
    statements
        .values()
        .removeIf(
            statement -> {
              boolean gone =
                  switch (statement.statement()) {
                    case Statement.Changed change -> !current(change);
                    // A member that was away still needs it, and there are few.
                    case Statement.Left _ -> false;
                    case Statement.Asked _ -> old.contains(statement.name());
                    case Statement.Decided decided ->
                        old.contains(decided.question())
                            || !questions.containsKey(decided.question());
                    case Statement.Ended ended ->
                        old.contains(ended.question()) || !questions.containsKey(ended.question());
                  };
              if (gone) {
                try {
                  Files.deleteIfExists(file(statement.hash()));
                } catch (IOException e) {
                  LOG.log(WARNING, "statement-not-deleted detail={0}", e.getMessage());
                }
              }
              return gone;
            });
    old.forEach(questions::remove);
  }
}
