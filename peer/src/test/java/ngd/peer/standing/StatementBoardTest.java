package ngd.peer.standing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import ngd.core.InvalidInput;
import ngd.peer.identity.Authority;
import ngd.peer.identity.Kit;
import ngd.peer.identity.Packing;
import ngd.peer.identity.PeerIdentity;
import ngd.peer.plan.PlanEdit;
import ngd.peer.plan.PlanReader;
import ngd.peer.plan.PlanTemplate;
import ngd.peer.plan.Site;
import ngd.peer.plan.WrittenPlan;
import ngd.peer.wire.Refused;
import ngd.peer.wire.proto.Signed;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Statements as an enemy would send them, under real keys; the oracle is what the board then holds.
 */
class StatementBoardTest {
  private final Instant now = Instant.now();
  private static final List<String> LINES = List.of("formula: y ~ x", "family: gaussian");

  @TempDir Path dir;
  private WrittenPlan plan;
  private Authority authority;
  private final List<SignedStatement> news = new ArrayList<>();

  @BeforeEach
  void found() throws Exception {
    plan =
        PlanReader.parse(
            new PlanTemplate()
                .with("network", "complete")
                .with("askers", "a")
                .with("analysts", "ann")
                .with("quorum", "2")
                .text(
                    List.of(
                        new Site("a", "localhost", 1),
                        new Site("b", "localhost", 2),
                        new Site("c", "localhost", 3))));
    Path file = Files.writeString(dir.resolve("plan.yaml"), plan.text());
    authority = Authority.create(dir.resolve("authority"), "test", InstantSource.system());
    Packing.allLocal(authority, plan, file, dir);
  }

  private PeerIdentity identity(String member) {
    return PeerIdentity.open(Kit.open(dir.resolve(member)), member, InstantSource.system());
  }

  private StatementBoard board(String member, Instant now) {
    return new StatementBoard(
        identity(member),
        new MemberFolder(dir.resolve(member)).statements(),
        InstantSource.fixed(now),
        news::add);
  }

  private SignedStatement asked(String member, Instant at) {
    return SignedStatement.by(
        identity(member),
        new Statement.Asked(at, HexFormat.of().formatHex(plan.hash()), "word", LINES));
  }

  @Test
  void words_ofAState_nameTheSitesThatAreAwaited() {
    List<String> sites = List.of("a", "b");
    assertThat(AskedQuestion.State.words("waiting", sites)).isEqualTo("waiting for a, b");
    assertThat(AskedQuestion.State.words("running", sites)).isEqualTo("running at a, b");
    assertThat(AskedQuestion.State.words("answered", List.of())).isEqualTo("answered");
  }

  @Test
  void take_aQuestion_isKeptOverARestartAndTakenOnce() throws Exception {
    SignedStatement question = asked("a", now);
    StatementBoard board = board("b", now);
    board.take(question.signed());
    board.take(question.signed());
    assertThat(news).hasSize(1);
    assertThat(board("b", now).questions()).hasSize(1);
    assertThat(board("b", now).question(question.name()).asker()).isEqualTo("a");
  }

  private SignedStatement left(String member, String site, String federation) {
    return SignedStatement.by(identity(member), new Statement.Left(site, "", federation));
  }

  /** Two of three may end the third's part: not one, not one twice, not an analyst, not itself. */
  @Test
  void departure_ofAQuorumOfOthers_andOfNobodyElse() throws Exception {
    String held = HexFormat.of().formatHex(plan.hash());
    StatementBoard board = board("b", now);
    board.take(left("b", "c", held).signed());
    board.take(left("b", "c", held).signed());
    assertThat(board.departure()).as("one site, twice").isEmpty();
    for (String stranger : List.of("ann", "c")) {
      assertThatThrownBy(() -> board.take(left(stranger, "c", held).signed()))
          .isInstanceOf(Refused.class)
          .hasMessageContaining("only other sites may sign that c leaves");
    }
    board.take(left("a", "c", "0".repeat(64)).signed());
    board.take(left("a", "b", held).signed());
    assertThat(board.departure()).as("of another plan, or about another site").isEmpty();
    board.take(left("a", "c", held).signed());
    assertThat(board.departure()).hasSize(2);

    Kit kit = Kit.open(dir.resolve("b"));
    kit.letGo(StatementBoard.texts(board.departure()));
    WrittenPlan after = Kit.open(dir.resolve("b")).plan();
    assertThat(after.plan().names()).containsExactly("a", "b");
    assertThat(after.plan().federation().amendment()).isEqualTo(1);
    assertThat(after.plan().run()).isNotEqualTo(plan.plan().run());
    assertThat(board("b", now).departure()).as("it has left").isEmpty();
    // Every site comes to the same plan, whoever signed in which order.
    Kit other = Kit.open(dir.resolve("a"));
    other.letGo(StatementBoard.texts(List.of(left("a", "c", held), left("b", "c", held))));
    assertThat(Kit.open(dir.resolve("a")).plan().hash()).isEqualTo(after.hash());
  }

  /** Plan and signature are two files: a crash between them leaves a kit that opens. */
  @Test
  void replaceBy_interruptedAnywhere_leavesAPlanWithItsSignature() throws Exception {
    WrittenPlan changed = PlanEdit.without(plan, "c", "");
    Map<String, String> files = Kit.texts(authority, changed);
    Path folder = dir.resolve("b");
    String before = Files.readString(folder.resolve("plan.yaml.sig"));
    Files.writeString(folder.resolve("plan.yaml.sig"), files.get("plan.yaml.sig") + before);
    assertThat(Kit.open(folder).plan().hash()).isEqualTo(plan.hash());
    Kit.open(folder).replaceBy(files);
    assertThat(Kit.open(folder).plan().hash()).isEqualTo(changed.hash());
    assertThat(Files.readString(folder.resolve("plan.yaml.sig")))
        .isEqualTo(files.get("plan.yaml.sig"));
    Files.writeString(folder.resolve("plan.yaml.sig"), before);
    assertThatThrownBy(() -> Kit.open(folder))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("must be signed by the authority");
  }

  /** The file beside the plan says only what was signed. */
  @Test
  void departure_fileThatWasChanged_isRefused() throws Exception {
    String held = HexFormat.of().formatHex(plan.hash());
    Kit kit = Kit.open(dir.resolve("b"));
    assertThatThrownBy(() -> kit.letGo(StatementBoard.texts(List.of(left("b", "c", held)))))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("site c leaves when 2 sites sign it; signed by b");
    assertThat(dir.resolve("b/left.json")).doesNotExist();
    kit.letGo(StatementBoard.texts(List.of(left("a", "c", held), left("b", "c", held))));
    Path file = dir.resolve("b/left.json");
    String whole = Files.readString(file);
    for (String changed :
        List.of(
            whole.replace("\"signer\":\"a\"", "\"signer\":\"b\""),
            whole.replace("\\\"c\\\"", "\\\"a\\\""),
            "[[]]",
            "[")) {
      assertThat(changed).isNotEqualTo(whole);
      Files.writeString(file, changed);
      assertThatThrownBy(() -> Kit.open(dir.resolve("b")))
          .isInstanceOf(InvalidInput.class)
          .hasMessageContaining("left.json");
    }
  }

  /** Altered on its way: a word of it, its signer, its signature. */
  @Test
  void take_anAlteredQuestion_isRefusedAndNotKept() {
    Signed question = asked("a", now).signed();
    String text = question.getStatement().toStringUtf8();
    byte[] signature = question.getSignature().toByteArray();
    signature[signature.length - 1] ^= 1;
    List<Signed> altered =
        List.of(
            question.toBuilder()
                .setStatement(ByteString.copyFromUtf8(text.replace("y ~ x", "y ~ z")))
                .build(),
            question.toBuilder().setSigner("b").build(),
            question.toBuilder().setSignature(ByteString.copyFrom(signature)).build());
    StatementBoard board = board("c", now);
    for (Signed one : altered) {
      assertThatThrownBy(() -> board.take(one))
          .isInstanceOf(Refused.class)
          .hasMessageContaining("must be signed by");
    }
    Signed ofNobody = question.toBuilder().setSigner("no\nbody").build();
    assertThatThrownBy(() -> board.take(ofNobody))
        .isInstanceOf(Refused.class)
        .hasMessageContaining("must be of a member; `no?body` is none now");
    assertThat(board.questions()).isEmpty();
    assertThat(news).isEmpty();
  }

  @Test
  void take_anOldQuestionAgain_isRefused() {
    SignedStatement old = asked("a", now.minus(Duration.ofDays(8)));
    assertThatThrownBy(() -> board("b", now).take(old.signed()))
        .isInstanceOf(Refused.class)
        .hasMessageContaining("must be asked within the last 7 days");
    SignedStatement later = asked("a", now.plus(Duration.ofDays(1)));
    assertThatThrownBy(() -> board("b", now).take(later.signed())).isInstanceOf(Refused.class);
  }

  @Test
  void take_aRevokedMembersQuestion_isRefused() throws Exception {
    SignedStatement question = asked("a", now);
    Files.copy(authority.revoke("a"), dir.resolve("b").resolve(Kit.REVOKED));
    assertThatThrownBy(() -> board("b", now).take(question.signed()))
        .isInstanceOf(Refused.class)
        .hasMessageContaining("must be signed by");
  }

  /** Who has no data decides nothing; a site's second word does not count. */
  @Test
  void take_decisions_areOfSitesAndTheFirstCounts() throws Exception {
    SignedStatement question = asked("a", now);
    StatementBoard board = board("b", now);
    board.take(question.signed());
    String name = question.name();
    SignedStatement analyst =
        SignedStatement.by(identity("ann"), new Statement.Decided(name, true, "", ""));
    assertThatThrownBy(() -> board.take(analyst.signed()))
        .isInstanceOf(Refused.class)
        .hasMessageContaining("only sites answer");
    for (boolean accepted : new boolean[] {true, false}) {
      board.take(
          SignedStatement.by(identity("c"), new Statement.Decided(name, accepted, "why", ""))
              .signed());
    }
    assertThat(board.question(name).decision("c").orElseThrow().accepted()).isTrue();
    assertThat(board.question(name).awaited()).containsExactly("a", "b");
  }

  /** What comes before its question waits for it: statements spread in any order. */
  @Test
  void take_anEndBeforeItsQuestion_counts() throws Exception {
    SignedStatement question = asked("a", now);
    StatementBoard board = board("b", now);
    board.take(
        SignedStatement.by(
                identity("c"), new Statement.Ended(question.name(), false, "no rows", Map.of(), ""))
            .signed());
    board.take(question.signed());
    assertThat(board.question(question.name()).state()).isEqualTo(AskedQuestion.State.FAILED);
  }

  @Test
  void board_questionsOverForLong_areForgotten() throws Exception {
    board("b", now).take(asked("a", now).signed());
    assertThat(board("b", now.plus(Duration.ofDays(31))).questions()).isEmpty();
    assertThat(board("b", now).questions()).isEmpty();
  }

  /** Only the authority changes who takes part. */
  @Test
  void take_aChangeThatTheAuthorityDidNotSign_isRefused() throws Exception {
    WrittenPlan without = PlanEdit.without(plan, "c", "");
    Map<String, String> genuine = Kit.texts(authority, without);
    StatementBoard board = board("b", now);
    Map<String, String> forged = new java.util.HashMap<>(genuine);
    forged.put("plan.yaml", genuine.get("plan.yaml").replace("localhost:1", "localhost:9"));
    assertThatThrownBy(
            () ->
                board.take(
                    SignedStatement.by(identity("a"), new Statement.Changed(forged)).signed()))
        .isInstanceOf(Refused.class)
        .hasMessageContaining("must be signed by this federation's authority");
    Map<String, String> more = new java.util.HashMap<>(genuine);
    more.put("../b.key", "x");
    assertThatThrownBy(
            () ->
                board.take(SignedStatement.by(identity("a"), new Statement.Changed(more)).signed()))
        .isInstanceOf(Refused.class)
        .hasMessageContaining("not of a kit");
    assertThat(board.change()).isEmpty();
    board.take(SignedStatement.by(identity("a"), new Statement.Changed(genuine)).signed());
    assertThat(board.change()).isPresent();
  }

  @Test
  void open_aLineOfTheLogChangedOrRemoved_isRefused() throws Exception {
    Path file = dir.resolve("log.jsonl");
    AuditLog log = AuditLog.open(file);
    for (int i = 0; i < 5; i++) {
      log.add(now, "asked", "question", "q" + i);
    }
    List<String> lines = Files.readAllLines(file);
    assertThat(AuditLog.read(file)).hasSize(5);
    for (int i = 0; i < 4; i++) {
      List<String> cut = new ArrayList<>(lines);
      cut.remove(i);
      Files.write(file, cut);
      assertThatThrownBy(() -> AuditLog.open(file)).isInstanceOf(InvalidInput.class);
      List<String> changed = new ArrayList<>(lines);
      changed.set(i, lines.get(i).replace("\"q", "\"r"));
      Files.write(file, changed);
      assertThatThrownBy(() -> AuditLog.open(file)).isInstanceOf(InvalidInput.class);
    }
    Files.writeString(file, String.join("\n", lines) + "\n{\"half");
    AuditLog again = AuditLog.open(file);
    again.add(now, "asked", "question", "q5");
    assertThat(AuditLog.read(file)).hasSize(6);
  }
}
