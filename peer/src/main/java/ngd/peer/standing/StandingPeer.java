package ngd.peer.standing;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.SequencedMap;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import ngd.core.InvalidInput;
import ngd.core.data.SiteTable;
import ngd.core.file.Sha256;
import ngd.core.file.WholeFile;
import ngd.core.run.RunFolder;
import ngd.peer.SiteAnswer;
import ngd.peer.SiteRun;
import ngd.peer.durable.FileFailure;
import ngd.peer.identity.PeerIdentity;
import ngd.peer.machine.Machine;
import ngd.peer.machine.Monitor;
import ngd.peer.plan.Plan;
import ngd.peer.plan.PlanReader;
import ngd.peer.plan.QuestionPolicy;
import ngd.peer.plan.Site;
import ngd.peer.plan.SitePolicy;
import ngd.peer.status.PeerStatus;
import ngd.peer.wire.Agreement;
import ngd.peer.wire.NewsLinks;
import ngd.peer.wire.PeerAddress;
import ngd.peer.wire.TlsTransport;
import ngd.peer.wire.Transport;

/**
 * A member of a standing federation: stays connected, decides about questions as its policy says,
 * answers those that every site takes part in, and goes on with them after a restart.
 *
 * <p>Questions are answered in the order in which they were asked, several at a time. Members may
 * learn of two questions in different orders; since each begins the first few of all that wait, and
 * all come to know the same ones, the first is always under way everywhere.
 */
public final class StandingPeer implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger("ngd.peer");

  /** How many questions are begun at a time. */
  private static final int AT_ONCE = 4;

  /** How long a hand-in waits at most until it is looked at. */
  private static final long GLANCE_NS = 50_000_000;

  /** How long it takes at most until a file that a person changed is looked at again. */
  private static final long LOOK_NANOS = 500_000_000;

  private static final String UNREADABLE =
      "its rules, site.yaml, cannot be read; its own log says why";

  private static final String CHANGED =
      "the federation has changed since it was asked; it must be asked again";

  /** One stream of news and one for each question that may be under way. */
  private static final int STREAMS = 64;

  private final PeerIdentity identity;
  private final MemberFolder folder;
  private final Tables tables;
  private final String version;
  private final InstantSource clock;
  private final Plan federation;
  private final boolean site;
  private final String planHash;
  private final AuditLog log;
  private final StatementBoard board;
  private final NewsLinks links;
  private final FileChannel lock;
  private final Map<String, QuestionRun> runs = new ConcurrentSkipListMap<>();
  private final Map<String, String> undecided = new LinkedHashMap<>();

  /** The questions that were known when it began. */
  private final Set<String> knownBefore;

  private final Monitor news = new Monitor();
  private final long begun = Machine.here().nanoTime();
  private String diskTrouble = "";
  private boolean changed;
  private boolean stopped;

  /** Opens this site's table, for one question. */
  @FunctionalInterface
  public interface Tables {
    /**
     * @param plan the question with its federation
     */
    SiteTable open(Plan plan);
  }

  /**
   * Begins to listen and to dial.
   *
   * @param bind the address at which to listen
   * @param tables this site's data; not asked for at a member without
   * @param version what is written into manifests
   */
  public StandingPeer(
      PeerIdentity identity, String bind, Tables tables, String version, InstantSource clock) {
    this(
        identity,
        bind,
        new TlsTransport(SiteRun.credentials(identity), bind, STREAMS),
        tables,
        version,
        clock);
  }

  /**
   * The same over something else than the network of this machine.
   *
   * @param where the address at which it listens, in words
   */
  public StandingPeer(
      PeerIdentity identity,
      String where,
      Transport transport,
      Tables tables,
      String version,
      InstantSource clock) {
    this.identity = identity;
    this.tables = tables;
    this.version = version;
    this.clock = clock;
    folder = new MemberFolder(identity.kit().folder());
    federation = identity.kit().plan().plan();
    planHash = HexFormat.of().formatHex(identity.kit().plan().hash());
    site = federation.names().contains(identity.site());
    folder.make();
    log = AuditLog.open(folder.log());
    board = new StatementBoard(identity, folder.statements(), clock, this::heard);
    knownBefore =
        board.questions().stream().map(AskedQuestion::name).collect(Collectors.toUnmodifiableSet());
    policy();
    QuestionList.requireWhole(identity, folder, AuditLog.read(folder.log()), board);
    lock = folder.lock();
    folder.sweep();
    try {
      links = new NewsLinks(transport, self(), neighbours(), board);
    } catch (IOException e) {
      throw new InvalidInput(
          "site %s: cannot listen on %s:%d, its port in the plan (--listen sets another address): %s"
              .formatted(
                  identity.site(),
                  where,
                  self().port(),
                  e.getCause() == null ? e.getMessage() : e.getCause().getMessage()),
          e);
    }
  }

  private PeerAddress self() {
    return address(identity.site());
  }

  private PeerAddress address(String member) {
    int number = federation.federation().members().indexOf(member);
    if (number >= federation.sites().size()) {
      return new PeerAddress(number, member, "", 0);
    }
    Site place = federation.sites().get(number);
    return new PeerAddress(number, member, place.host().replaceAll("[\\[\\]]", ""), place.port());
  }

  /** A site talks with those whom the network links to it and with analysts; those with all. */
  private List<PeerAddress> neighbours() {
    List<String> names =
        new ArrayList<>(
            site ? federation.neighbours(identity.site()) : List.copyOf(federation.names()));
    if (site) {
      names.addAll(federation.federation().analysts());
    }
    return names.stream().map(this::address).toList();
  }

  // ---- The loop

  /**
   * Works until it is closed or interrupted, or until its members have changed.
   *
   * @return whether they have, and this member's folder holds the new kit
   */
  public boolean run() throws InterruptedException {
    LOG.log(INFO, "standing member={0} plan={1}", identity.site(), planHash.substring(0, 8));
    long looked = Machine.here().nanoTime() - LOOK_NANOS;
    while (true) {
      boolean fresh;
      try (var _ = news.hold()) {
        if (stopped) {
          return false;
        }
        fresh = changed;
        changed = false;
      }
      try {
        fresh |= takeHandIns();
        if (fresh || Machine.here().nanoTime() - looked >= LOOK_NANOS) {
          looked = Machine.here().nanoTime();
          if (changeMembers()) {
            return true;
          }
          lookAtAll();
          diskTrouble = "";
        }
      } catch (UncheckedIOException full) {
        sayDiskTrouble(full);
      }
      try (var _ = news.hold()) {
        if (!changed && !stopped) {
          news.await(GLANCE_NS);
        }
      }
    }
  }

  /** A disk that is full now may not be later: what is due is done then. */
  private void sayDiskTrouble(UncheckedIOException full) {
    String why = FileFailure.reason(full.getCause());
    if (!why.equals(diskTrouble)) {
      LOG.log(WARNING, "disk detail={0}", why);
      diskTrouble = why;
    }
  }

  private void stir() {
    try (var _ = news.hold()) {
      changed = true;
      news.signalAll();
    }
  }

  /** A statement is new here: others may not have it. */
  private void heard(SignedStatement statement) {
    try {
      if (statement.statement() instanceof Statement.Asked asked) {
        log.add(
            clock.instant(),
            "asked",
            "question",
            statement.name(),
            "by",
            statement.signer(),
            "words",
            String.join("; ", asked.lines()));
      }
    } finally {
      // Others need it, whatever this site's disk does.
      NewsLinks there = links;
      if (there != null) {
        there.spread(statement.hash());
      }
      stir();
    }
  }

  private void say(Statement statement) {
    board.add(SignedStatement.by(identity, statement));
  }

  /** What commands on this machine have put into the folder; whether there was anything. */
  private boolean takeHandIns() {
    List<Path> handIns = folder.handIns();
    for (Path file : handIns) {
      try {
        if (file.toString().endsWith(MemberFolder.QUESTION)) {
          board.take(SignedStatement.read(file));
        } else if (file.toString().endsWith(MemberFolder.KIT)) {
          Map<String, String> files = MemberFolder.kit(file);
          identity.kit().checked(files);
          say(new Statement.Changed(files));
        } else {
          decided(HandDecision.read(file));
        }
      } catch (InvalidInput | ngd.peer.wire.Refused wrong) {
        LOG.log(
            WARNING, "hand-in-refused file={0} detail={1}", file.getFileName(), wrong.getMessage());
        folder.refuse(file, String.valueOf(wrong.getMessage()));
      }
      try {
        Files.deleteIfExists(file);
      } catch (IOException e) {
        throw new UncheckedIOException("%s: cannot be deleted".formatted(file), e);
      }
    }
    return !handIns.isEmpty();
  }

  /** Takes over a change of members; one that adds somebody waits for a person, by default. */
  private boolean changeMembers() {
    List<SignedStatement> departure = board.departure();
    if (!departure.isEmpty()) {
      Statement.Left left = (Statement.Left) departure.getFirst().statement();
      log.add(
          clock.instant(),
          "members changed",
          "left",
          left.site(),
          "by",
          String.join(" ", departure.stream().map(SignedStatement::signer).sorted().toList()));
      identity.kit().letGo(StatementBoard.texts(departure));
      return true;
    }
    Optional<Statement.Changed> change = board.change();
    if (change.isEmpty()) {
      return false;
    }
    Plan next = identity.kit().checked(change.get().files()).plan();
    List<String> joining = new ArrayList<>(next.federation().members());
    joining.removeAll(federation.federation().members());
    if (!joining.isEmpty()
        && !policy().takesMembers()
        && !folder.confirmed(next.federation().amendment())) {
      if (undecided.put("amendment " + next.federation().amendment(), "") == null) {
        LOG.log(
            INFO, "members-wait joining={0} detail=ngd peer confirm", String.join(", ", joining));
      }
      return false;
    }
    log.add(
        clock.instant(),
        "members changed",
        "amendment",
        Integer.toString(next.federation().amendment()),
        "members",
        String.join(" ", next.federation().members()));
    identity.kit().replaceBy(change.get().files());
    return true;
  }

  private void lookAtAll() {
    int begun = 0;
    for (AskedQuestion question : board.questions()) {
      QuestionRun run = runs.get(question.name());
      if (run != null && run.ended()) {
        runs.remove(question.name());
        run = null;
      }
      if (!site) {
        continue;
      }
      if (run == null && question.over() && question.end(identity.site()).isPresent()) {
        folder.forgetState(question.name());
      }
      AskedQuestion.State state = question.state();
      switch (state) {
        case WAITING -> decide(question);
        case RUNNING -> {
          if (run == null && begun < AT_ONCE) {
            begin(question);
          }
          begun++;
        }
        case REFUSED, FAILED -> {
          undecided.remove(question.name());
          if (run != null) {
            run.cancel();
          }
          if (state == AskedQuestion.State.FAILED
              && question.end(identity.site()).isEmpty()
              && question.decision(identity.site()).isPresent()
              && run == null) {
            ended(question, false, "it ended because another site could not answer", Map.of());
          }
        }
        case ANSWERED -> {
          if (run != null) {
            run.cancel();
          }
        }
      }
    }
  }

  // ---- Deciding

  /** This site's policy as its file says it now. */
  private QuestionPolicy policy() {
    return SitePolicy.in(identity.kit().folder()).questions();
  }

  private Plan planOf(AskedQuestion question) {
    if (!question.asked().federation().equals(planHash)) {
      throw new InvalidInput(CHANGED);
    }
    return PlanReader.asking(federation, question.name(), question.asked().lines());
  }

  private void decide(AskedQuestion question) {
    if (!question.current()) {
      decideOutdated(question);
      return;
    }
    if (question.decision(identity.site()).isPresent()) {
      return;
    }
    QuestionPolicy policy;
    try {
      policy = policy();
    } catch (InvalidInput wrong) {
      // Where the file lies and what it says is for the site's own people.
      LOG.log(WARNING, "rules-not-readable detail={0}", wrong.getMessage());
      decided(question, UNREADABLE, "policy");
      return;
    }
    Optional<String> objection;
    try {
      objection = policy.objection(question.asker(), planOf(question));
    } catch (InvalidInput wrong) {
      objection = Optional.of(String.valueOf(wrong.getMessage()));
    }
    if (objection.isPresent()) {
      decided(question, objection.get(), "policy");
    } else if (!policy.byHand()) {
      decided(question, "", "policy");
    } else if (clock.instant().isAfter(question.asked().at().plus(StatementBoard.PATIENCE))) {
      decided(question, "nobody at the site has decided in time", "time");
    } else if (undecided.put(question.name(), "") == null) {
      LOG.log(
          INFO,
          "question-waits question={0} by={1} detail=ngd peer approve or refuse",
          question.name(),
          question.asker());
    }
  }

  /** Ends a question to the federation as it was; whoever joined since has no say in it. */
  private void decideOutdated(AskedQuestion question) {
    if (!knownBefore.contains(question.name())) {
      return;
    }
    if (question.decision(identity.site()).isEmpty()) {
      decided(question, CHANGED, "policy");
    } else if (question.end(identity.site()).isEmpty()) {
      ended(question, false, CHANGED, Map.of());
    }
  }

  /** What a person at this site has decided. */
  private void decided(HandDecision decision) {
    AskedQuestion question = board.question(decision.question());
    if (question == null || question.decision(identity.site()).isPresent()) {
      LOG.log(WARNING, "decision-too-late question={0}", decision.question());
      return;
    }
    if (decision.accepted()) {
      Optional<String> objection = policy().objection(question.asker(), planOf(question));
      decided(question, objection.orElse(""), decision.by());
    } else {
      decided(question, decision.why(), decision.by());
    }
  }

  private void decided(AskedQuestion question, String refusal, String by) {
    undecided.remove(question.name());
    log.add(
        clock.instant(),
        refusal.isEmpty() ? "accepted" : "refused",
        "question",
        question.name(),
        "by",
        by,
        "reason",
        refusal);
    LOG.log(
        INFO,
        "question-{0} question={1} asker={2} detail={3}",
        refusal.isEmpty() ? "accepted" : "refused",
        question.name(),
        question.asker(),
        refusal);
    say(new Statement.Decided(question.name(), refusal.isEmpty(), refusal, log.last()));
  }

  // ---- Answering

  private void begin(AskedQuestion question) {
    boolean answered = question.end(identity.site()).isPresent();
    Plan plan;
    try {
      plan = planOf(question);
    } catch (InvalidInput wrong) {
      if (!answered) {
        ended(question, false, String.valueOf(wrong.getMessage()), Map.of());
      }
      return;
    }
    SiteRun run;
    try {
      run = new SiteRun(identity, plan, folder.state(question.name()), folder.state(), this::line);
    } catch (InvalidInput wrong) {
      // Its memory of answers was damaged, say: others may be asked without this site.
      if (!answered) {
        failedHere(
            question,
            String.valueOf(wrong.getMessage()),
            "its own files do not let it answer; its own log says why");
      }
      return;
    }
    QuestionRun started =
        new QuestionRun(
            question.name(),
            run,
            () -> tables.open(plan),
            new QuestionRun.Outcome() {
              @Override
              public void found(SiteAnswer answer) {
                answered(question, answer);
              }

              @Override
              public void failed(String here, String elsewhere) {
                failedHere(question, here, elsewhere);
              }
            },
            this::stir);
    if (!answered) {
      log.add(clock.instant(), "begun", "question", question.name());
    }
    // Not before: where the disk does not take the line, it is begun later.
    runs.put(question.name(), started);
    started.start(answered);
  }

  private Transport line(Agreement agreement) {
    return links.line(agreement.hash());
  }

  private void answered(AskedQuestion question, SiteAnswer answer) {
    Path out = folder.answer(question.name());
    SequencedMap<String, RunFolder.Content> files = new LinkedHashMap<>(answer.answer().tables());
    files.put(answer.answer().document(), RunFolder.text(answer.json()));
    try {
      WholeFile.Access.USUAL.createFolders(out);
    } catch (IOException e) {
      throw new UncheckedIOException("%s: cannot be made".formatted(out), e);
    }
    SequencedMap<String, RunFolder.Content> written = new LinkedHashMap<>(files);
    written.putAll(answer.answer().own());
    RunFolder.writeOver(out, answer.manifest(version), written);
    String fingerprint = fingerprint(out, answer.answer().tables().sequencedKeySet());
    boolean asksFromOutside = !federation.names().contains(question.asker());
    log.add(
        clock.instant(),
        "answered",
        "question",
        question.name(),
        "fingerprint",
        fingerprint,
        "rows",
        Long.toString(answer.answer().rowsUsed().rows()),
        "data",
        answer.dataHash());
    say(
        new Statement.Ended(
            question.name(),
            true,
            fingerprint,
            asksFromOutside ? texts(out, files.sequencedKeySet()) : Map.of(),
            log.last()));
  }

  /** What tells two answers apart: the tables, which are the same at every site. */
  private static String fingerprint(Path out, Iterable<String> names) {
    Sha256 hash = new Sha256();
    for (String name : names) {
      try {
        hash.add(name).add(Files.readAllBytes(out.resolve(name)));
      } catch (IOException e) {
        throw new UncheckedIOException("%s: cannot be read".formatted(out), e);
      }
    }
    return hash.hex();
  }

  private static Map<String, String> texts(Path out, Iterable<String> names) {
    Map<String, String> texts = new LinkedHashMap<>();
    long length = 0;
    for (String name : names) {
      try {
        String text = Files.readString(out.resolve(name));
        length += text.length();
        texts.put(name, text);
      } catch (IOException e) {
        throw new UncheckedIOException("%s: cannot be read".formatted(out), e);
      }
    }
    // A large covariance matrix does not fit into a statement; the sites have it.
    if (length > NewsLinks.LONGEST / 2) {
      texts.remove("vcov.csv");
    }
    return texts;
  }

  private void failedHere(AskedQuestion question, String here, String elsewhere) {
    if (question.end(identity.site()).isEmpty()) {
      LOG.log(WARNING, "question-failed question={0} detail={1}", question.name(), here);
      log.add(clock.instant(), "failed", "question", question.name(), "reason", here);
      ended(question, false, elsewhere, Map.of());
    }
  }

  private void ended(
      AskedQuestion question, boolean answered, String detail, Map<String, String> files) {
    say(new Statement.Ended(question.name(), answered, detail, files, log.last()));
  }

  // ---- Watching

  /** How it is, at any time. */
  public Supplier<PeerStatus> status() {
    return this::now;
  }

  private PeerStatus now() {
    List<AskedQuestion> line = board.questions().stream().filter(one -> !one.over()).toList();
    Optional<QuestionRun> first = runs.values().stream().filter(run -> !run.ended()).findFirst();
    List<PeerStatus.Neighbour> neighbours = new ArrayList<>();
    var connected = links.connected();
    for (PeerAddress other : neighbours()) {
      neighbours.add(
          new PeerStatus.Neighbour(
              other.name(),
              connected.contains(other.name()),
              0,
              0,
              0,
              0,
              Map.of(),
              Optional.empty()));
    }
    List<PeerStatus.InLine> waiting =
        line.stream()
            .map(
                one ->
                    new PeerStatus.InLine(
                        one.name(), one.asker(), one.summary(), one.state().word(), one.awaited()))
            .toList();
    return first.map(QuestionRun::status).orElseGet(this::idle).among(waiting, neighbours);
  }

  private PeerStatus idle() {
    return new PeerStatus(
        identity.site(),
        planHash.substring(0, 8),
        PeerStatus.State.READY,
        "ready for questions",
        0,
        OptionalInt.empty(),
        List.of(),
        Optional.empty(),
        OptionalDouble.empty(),
        (Machine.here().nanoTime() - begun) / 1e9,
        OptionalDouble.empty(),
        OptionalDouble.empty(),
        List.of(),
        Optional.empty(),
        Optional.empty(),
        List.of());
  }

  @Override
  public void close() {
    try (var _ = news.hold()) {
      stopped = true;
      news.signalAll();
    }
    List.copyOf(runs.values()).forEach(QuestionRun::cancel);
    links.close();
    try {
      lock.close();
    } catch (IOException e) {
      throw new UncheckedIOException("the folder cannot be given back", e);
    }
  }
}
