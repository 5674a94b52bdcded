package ngd.peer;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.file.Path;
import java.security.PublicKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import ngd.core.InvalidInput;
import ngd.core.Memory;
import ngd.core.answer.Answer;
import ngd.core.data.Shards;
import ngd.core.data.SiteTable;
import ngd.core.file.Sha256;
import ngd.core.formula.Design;
import ngd.core.formula.Formula;
import ngd.core.formula.Frame;
import ngd.core.inference.GapDraws;
import ngd.core.inference.TreatmentRows;
import ngd.core.linalg.ExactSum;
import ngd.core.network.NetworkSchedule;
import ngd.core.preparation.Disclosure;
import ngd.core.preparation.DisclosureRefusal;
import ngd.core.preparation.DisclosureRules;
import ngd.core.preparation.Missing;
import ngd.core.preparation.Preparation;
import ngd.core.preparation.SiteDisclosure;
import ngd.core.preparation.Sites;
import ngd.core.question.ClientKeys;
import ngd.core.question.DataKeys;
import ngd.core.question.MethodKeys;
import ngd.core.question.ModelKeys;
import ngd.core.question.Question;
import ngd.core.question.WeightingKeys;
import ngd.core.random.Streams;
import ngd.core.world.Mixing;
import ngd.peer.durable.DiskFailure;
import ngd.peer.durable.FileFailure;
import ngd.peer.identity.PeerIdentity;
import ngd.peer.identity.SiteSignatures;
import ngd.peer.plan.Exposure;
import ngd.peer.plan.MaskGraph;
import ngd.peer.plan.Plan;
import ngd.peer.plan.QuestionKind;
import ngd.peer.plan.SitePolicy;
import ngd.peer.plan.WirePrecision;
import ngd.peer.plan.WrittenPlan;
import ngd.peer.privacy.AnswerMemory;
import ngd.peer.privacy.DataCommitment;
import ngd.peer.privacy.PairKeys;
import ngd.peer.privacy.PairwiseMasks;
import ngd.peer.privacy.PrivacyBudget;
import ngd.peer.privacy.SecretDraws;
import ngd.peer.status.PeerStatus;
import ngd.peer.wire.Agreement;
import ngd.peer.wire.Credentials;
import ngd.peer.wire.NumberCodec;
import ngd.peer.wire.PeerAddress;
import ngd.peer.wire.TlsTransport;
import ngd.peer.wire.Transport;

/**
 * One site's part in a federation, from its kit and its table to its result: the same preparation,
 * algorithms and inference as in a rehearsal, over real links.
 */
public final class SiteRun {
  /** Beyond these, computing what each could learn takes longer than small questions. */
  private static final int MOST_EXPOSED = 20;

  /** What a row takes in the memory of answers while a question is compared with them. */
  private static final int BYTES_A_KNOWN_ROW = 300;

  private static final System.Logger LOG = System.getLogger("ngd.peer");

  /** Digits of a hash that distinguish the runs of one site. */
  private static final int HASH_SHOWN = 16;

  private final PeerIdentity identity;
  private final WrittenPlan written;
  private final Plan plan;
  private final int self;
  private final NetworkSchedule schedule;
  private final Agreement agreement;
  private final Path state;
  private final Function<Agreement, Transport> transport;
  private final String where;
  private final Duration linger;
  private final SiteWatch watch;
  private final Streams streams;
  private final Optional<PrivacyBudget> budget;
  private final Seams seams;
  private final DisclosureRules rules;
  private final Optional<Memory> allowed;
  private final AnswerMemory memory;

  /** Where somebody can look at what a site keeps to itself: what is put around each part. */
  public interface Seams {
    /** Nobody looks. */
    Seams NONE = new Seams() {};

    default Masks masks(Masks real) {
      return real;
    }

    /** What fills its gaps. */
    default GapDraws draws(GapDraws real) {
      return real;
    }

    default PeerListener listener(PeerListener real) {
      return real;
    }
  }

  /**
   * The one run of a plan that asks something.
   *
   * @param state the folder that survives restarts
   * @param bind the address at which to listen, as {@link TlsTransport} takes it
   */
  public SiteRun(PeerIdentity identity, Path state, String bind) {
    this(identity, state, bind, PeerOptions.LINGER);
  }

  /**
   * @param linger how long to stay, with the answer written, for neighbours that are out of reach
   */
  public SiteRun(PeerIdentity identity, Path state, String bind, Duration linger) {
    this(
        identity,
        identity.kit().plan(),
        state,
        state,
        _ -> new TlsTransport(credentials(identity), bind),
        bind,
        linger,
        Seams.NONE);
  }

  /** The same with somebody who sees what it masks, draws and hears. */
  SiteRun(PeerIdentity identity, Path state, String bind, Seams seams) {
    this(
        identity,
        identity.kit().plan(),
        state,
        state,
        _ -> new TlsTransport(credentials(identity), bind),
        bind,
        PeerOptions.LINGER,
        seams);
  }

  /**
   * A question's run, over connections that stand.
   *
   * @param state the folder that survives restarts, for this question alone
   * @param remembered the folder that knows of all questions that were answered
   */
  public SiteRun(
      PeerIdentity identity,
      Plan plan,
      Path state,
      Path remembered,
      Function<Agreement, Transport> transport) {
    this(identity, plan, state, remembered, transport, Seams.NONE);
  }

  /** The same with somebody who sees what it masks, draws and hears. */
  public SiteRun(
      PeerIdentity identity,
      Plan plan,
      Path state,
      Path remembered,
      Function<Agreement, Transport> transport,
      Seams seams) {
    this(
        identity,
        new WrittenPlan(plan, String.join("\n", plan.canonical()), Map.of()),
        state,
        remembered,
        transport,
        "",
        PeerOptions.LINGER,
        seams);
  }

  private SiteRun(
      PeerIdentity identity,
      WrittenPlan written,
      Path state,
      Path remembered,
      Function<Agreement, Transport> transport,
      String where,
      Duration linger,
      Seams seams) {
    this.linger = linger;
    this.seams = seams;
    this.identity = identity;
    this.written = written;
    plan = written.plan();
    self = plan.client(identity.site());
    schedule = plan.schedule();
    this.transport = transport;
    this.where = where;
    agreement = agreement(identity, written);
    SitePolicy policy = SitePolicy.in(identity.kit().folder());
    rules = policy.disclosure();
    allowed = policy.memory();
    memory = AnswerMemory.in(remembered);
    this.state = state.resolve(agreement.hash().substring(0, HASH_SHOWN));
    watch = new SiteWatch(identity.site(), written.shortHash());
    streams = ClientKeys.streams(plan.question());
    budget =
        plan.privacy().isEmpty()
            ? Optional.empty()
            : Optional.of(
                PrivacyBudget.of(
                    plan,
                    identity.kit().folder().resolve("privacy"),
                    HexFormat.of().formatHex(written.hash()).substring(0, HASH_SHOWN)));
    budget.ifPresent(spent -> watch.spends(spent::spent));
  }

  /** How it is, at any time. */
  public Supplier<PeerStatus> status() {
    return watch::read;
  }

  /** What it may spend of its privacy, where the plan has a budget. */
  public Optional<PrivacyBudget> budget() {
    return budget;
  }

  /** What this site shows of itself, and whom it believes. */
  public static Credentials credentials(PeerIdentity identity) {
    return new Credentials(identity.keyManager(), identity.trustManager(), PeerIdentity::siteOf);
  }

  /** The folder of this run's snapshots. */
  public Path state() {
    return state;
  }

  /** Does all the work; returns when every neighbour has what it needs. */
  public SiteAnswer run(SiteTable table) throws InterruptedException {
    return run(table, _ -> {});
  }

  /**
   * The same.
   *
   * @param found is handed the answer as soon as it cannot be lost any more, while neighbours may
   *     still need something
   */
  public SiteAnswer run(SiteTable table, Consumer<? super SiteAnswer> found)
      throws InterruptedException {
    Function<PeerContext, SiteAnswer> work = admitted(table);
    return over(
        setup(table),
        node ->
            node.run(
                work::apply,
                answer -> {
                  found.accept(answer);
                  watch.answered();
                }));
  }

  /** After a restart that found the work done: gives neighbours what they still need. */
  public void takeLeave() throws InterruptedException {
    over(
        setup(PeerSetup.LARGEST_MESSAGE),
        node -> {
          node.takeLeave();
          return true;
        });
  }

  /** What is done with a peer that talks to its neighbours. */
  @FunctionalInterface
  private interface Work<R> {
    R with(PeerNode node) throws InterruptedException;
  }

  private <R> R over(PeerSetup setup, Work<R> work) throws InterruptedException {
    try (PeerNode node = new PeerNode(setup, transport.apply(agreement), seams.listener(watch))) {
      watch.linked(node);
      R answer = work.with(node);
      watch.ended(null);
      return answer;
    } catch (IOException e) {
      InvalidInput wrong =
          e.getCause() == null
              ? new DiskFailure(startWords(e))
              : new InvalidInput(startWords(e), e);
      watch.ended(String.valueOf(wrong.getMessage()));
      throw wrong;
    } catch (DisclosureRefusal e) {
      // Why is for the site's own people.
      watch.ended(e.known());
      throw e;
    } catch (RuntimeException e) {
      watch.ended(String.valueOf(e.getMessage()));
      throw e;
    }
  }

  /**
   * What this site's own rules make of the question, before a link is opened.
   *
   * @param data what the run on these data is known by, to this site alone
   */
  private record Admission(ByteString data, SiteDisclosure disclosure, SiteMemory memory) {
    /** What the site commits to: all that decides what it will say. */
    byte[] commitment() {
      return new Sha256()
          .add(data.toByteArray())
          .add(String.join("\n", memory.rules().canonical()))
          .add(disclosure.objections().isEmpty() ? 0 : 1)
          .bytes();
    }
  }

  /** What is to be done, once this site's own rules have looked at the question. */
  private Function<PeerContext, SiteAnswer> admitted(SiteTable table) {
    table.requireFit(columns());
    return switch (plan.kind()) {
      case FIT, CHECK -> {
        Admission admission = admission(table);
        yield context -> work(context, table, admission);
      }
      case DESCRIBE -> {
        ByteString data = fingerprint(table);
        SiteDescription description =
            new SiteDescription(plan.question(), table, rules, memory, data);
        yield context -> describe(context, table, description, data);
      }
    };
  }

  /** The columns that the question reads; none where it reads all. */
  private Collection<String> columns() {
    if (plan.kind() == QuestionKind.DESCRIBE) {
      return SiteDescription.columns(plan.question());
    }
    Formula formula = ModelKeys.wholeFormula(plan.question());
    return formula.takesAllOthers() ? List.of() : formula.columns();
  }

  private SiteAnswer describe(
      PeerContext peer, SiteTable table, SiteDescription description, ByteString data) {
    watch.stage("counting and summing");
    var _ = peer.commit(description.commitment());
    Answer answer =
        description.answer(new Sites(plan.names(), self, List.of(table)), peer.totals());
    requireUnchanged(data, fingerprint(table));
    peer.requireAgreement();
    return new SiteAnswer(
        identity.site(),
        written.shortHash(),
        plan.question(),
        answer,
        table.source(),
        HexFormat.of().formatHex(data.toByteArray()));
  }

  private void requireUnchanged(ByteString before, ByteString now) {
    if (!before.equals(now)) {
      throw new InvalidInput(
          "site %s: its table must not change while it is read; it did. Give a copy, or a query whose rows do not change"
              .formatted(identity.site()));
    }
  }

  /** The fingerprint of the columns that a description reads. */
  private ByteString fingerprint(SiteTable table) {
    return ByteString.copyFrom(
        DataCommitment.of(
            SiteDescription.columns(plan.question()),
            table,
            identity.keys().mask(),
            agreement.hash()));
  }

  private Admission admission(SiteTable table) {
    Formula formula = ModelKeys.wholeFormula(plan.question());
    ByteString data = fingerprint(formula, table);
    SiteDisclosure disclosure = SiteDisclosure.of(formula, table, rules, digest());
    SiteMemory own = new SiteMemory(memory, rules, data.toByteArray());
    own.judge(disclosure);
    disclosure.objections().forEach(why -> LOG.log(WARNING, "disclosure-refusal {0}", why));
    return new Admission(data, disclosure, own);
  }

  /**
   * How rows are known again; not at all where the site does not compare answers and has less
   * memory than rows.
   */
  private Optional<SiteDisclosure.RowDigest> digest() {
    return allowed.isPresent() && rules.differencing() == DisclosureRules.Differencing.OFF
        ? Optional.empty()
        : Optional.of(limited(memory.digest()));
  }

  /** Refuses to know more rows than the memory that the site allows. */
  private SiteDisclosure.RowDigest limited(SiteDisclosure.RowDigest digest) {
    if (allowed.isEmpty()) {
      return digest;
    }
    long most = allowed.get().bytes() / BYTES_A_KNOWN_ROW;
    LongAdder known = new LongAdder();
    return values -> {
      known.increment();
      if (known.sum() > most) {
        throw new InvalidInput(
            "site %s: its memory of answers knows every row, in about %d bytes, so that at most %d fit memory: %s of %s; allow more, or do not compare answers (differencing: off)"
                .formatted(
                    identity.site(),
                    BYTES_A_KNOWN_ROW,
                    most,
                    allowed.get().word(),
                    SitePolicy.FILE));
      }
      return digest.of(values);
    };
  }

  /** What kept a peer from its port or its folder; only the transport's failures have a cause. */
  private String startWords(IOException e) {
    Throwable cause = e.getCause();
    return cause == null
        ? "site %s: cannot write to its folder %s: %s"
            .formatted(identity.site(), state, FileFailure.reason(e))
        : "site %s: cannot listen on %s:%d, its port in the plan (--listen sets another address): %s"
            .formatted(
                identity.site(),
                where,
                plan.sites().get(self).port(),
                cause instanceof UnresolvedAddressException
                    ? "the name does not resolve"
                    : cause.getMessage());
  }

  /**
   * The longest message that the plan needs, by the columns of this site's table. Where a formula
   * has factors or a dot, how many coefficients there are is found out together, by messages that
   * may be long.
   */
  static int messageBytes(Plan plan, SiteTable table) {
    if (plan.kind() != QuestionKind.FIT) {
      return PeerSetup.LARGEST_MESSAGE;
    }
    int clients = plan.sites().size();
    Formula formula = ModelKeys.wholeFormula(plan.question());
    try {
      Frame frame = Frame.of(formula, table.columns());
      if (formula.takesAllOthers()
          || !frame.factors().isEmpty()
          || !frame.bases().isEmpty()
          || formula.survival().isPresent()
          || !formula.random().isEmpty()) {
        return PeerSetup.LARGEST_MESSAGE;
      }
      int coefficients = Design.of(frame, Map.of(), Map.of(), plan.names()).coefficients().size();
      return PeerSetup.messageBytes(clients, coefficients, formula.columns().size());
    } catch (InvalidInput unfit) {
      // All sites find it out together, and say it alike.
      return PeerSetup.LARGEST_MESSAGE;
    }
  }

  private PeerSetup setup(SiteTable table) {
    return setup(messageBytes(plan, table));
  }

  private PeerSetup setup(int messageBytes) {
    List<PeerAddress> sites = new ArrayList<>();
    for (int m = 0; m < plan.sites().size(); m++) {
      ngd.peer.plan.Site site = plan.sites().get(m);
      sites.add(
          new PeerAddress(m, site.name(), site.host().replaceAll("[\\[\\]]", ""), site.port()));
    }
    return new PeerSetup(agreement, self, sites, schedule, streams, options(), messageBytes, state);
  }

  /**
   * What all sites must hold alike: the plan, and the keys from which masks are agreed on and under
   * which terms are signed. With another key than the others hold for it, a site's masks would not
   * cancel, and every sum would be noise; so a site with a new key begins a run anew, and all
   * others with it. A certificate renewed for the same key changes nothing.
   */
  private static Agreement agreement(PeerIdentity identity, WrittenPlan written) {
    List<String> lines = new ArrayList<>(written.plan().canonical());
    List<Integer> places = new ArrayList<>(written.places());
    for (String site : written.plan().names()) {
      lines.add(
          "certificate of %s, key for masks: %s, for signatures: %s"
              .formatted(site, shown(identity.maskKey(site)), shown(identity.proofKey(site))));
      places.add(0);
    }
    String text = String.join("\n", lines);
    return new Agreement(Sha256.hex(text), text, places);
  }

  private static String shown(PublicKey key) {
    return HexFormat.of().formatHex(Sha256.of(key.getEncoded()));
  }

  private PeerOptions options() {
    return new PeerOptions(
        // Sums need no averages, and the pooled answer averages as W says.
        plan.sameEverywhere() ? new Mixing.Mean() : plan.question().get(MethodKeys.MIX),
        plan.federation().policy(),
        plan.federation().precision() == WirePrecision.FLOAT32
            ? NumberCodec.FLOAT32
            : NumberCodec.FLOAT64,
        seams.masks(Masks.unbound(this::masks)),
        signatures(),
        linger);
  }

  /** The signatures of this plan and these keys. */
  private Signatures signatures() {
    return Signatures.of(
        new SiteSignatures(
            identity.keys().proof(),
            plan.names().stream().map(identity::proofKey).toList(),
            agreement.hash()));
  }

  /** The masks of this plan, these keys and these data. */
  private Masks masks(byte[] commitments) {
    byte[] run = new Sha256().add(agreement.hash()).add(commitments).bytes();
    PairwiseMasks masks =
        PairwiseMasks.of(
            pairKeys(commitments), MaskGraph.partnersOf(self, plan.sites().size(), run));
    return (call, terms) -> masks.mask(call, terms, ExactSum.WORDS);
  }

  private PairKeys pairKeys(byte[] commitments) {
    return new PairKeys(
        identity.site(),
        plan.names(),
        identity.keys().mask(),
        identity::maskKey,
        new PairKeys.Run(new Sha256().add(agreement.hash()).add(commitments).bytes()));
  }

  private SiteAnswer work(PeerContext peer, SiteTable table, Admission admission) {
    watch.stage("agreeing on columns, levels and rows");
    Question question = plan.question();
    Formula formula = ModelKeys.wholeFormula(question);
    Missing missing = budget.isPresent() ? Missing.FAIL : question.get(DataKeys.MISSING);
    budget.ifPresent(_ -> PrivacyRules.requireNoFactors(formula, table));
    byte[] commitments = peer.commit(admission.commitment());
    Preparation whole =
        Preparation.of(
            formula,
            new Sites(plan.names(), self, List.of(table)),
            peer.totals(),
            missing,
            Disclosure.refusing(
                admission.disclosure(),
                () -> admission.memory().remember(admission.disclosure()),
                admission.memory()));
    Optional<Formula> treatment = WeightingKeys.treatment(question);
    Preparation prepared =
        treatment.isPresent() || formula.isImputed()
            ? whole.under(ModelKeys.formulaOf(question))
            : whole;
    Optional<TreatmentRows> treated = treatment.map(of -> treated(whole.under(of)));
    try (Shards read = shards(prepared, treated.isPresent())) {
      requireUnchanged(admission.data(), fingerprint(formula, table));
      PairKeys pairs = pairKeys(commitments);
      SiteFit fit =
          new SiteFit(
              new SiteFit.Site(plan, self, schedule, streams, rules, budget),
              new SiteFit.Secrets(pairs, seams.draws(new SecretDraws(pairs))),
              prepared,
              treated,
              watch);
      SiteFit.Found found = fit.of(read, peer);
      peer.requireAgreement();
      return new SiteAnswer(
              identity.site(),
              written.shortHash(),
              question,
              found.answer(),
              table.source(),
              found.data())
          .exposing(exposure());
    }
  }

  private Shards shards(Preparation prepared, boolean treated) {
    Memory memory = allowed.orElseGet(Memory::ofProcess);
    Shards read = treated ? prepared.treatedShards(memory) : prepared.shards(memory, state);
    read.passes(state).ifPresent(words -> LOG.log(INFO, "{0}", words));
    return read;
  }

  private static TreatmentRows treated(Preparation treatment) {
    return new TreatmentRows(treatment.design().columns(), treatment.shards());
  }

  /** What an answer's page says of disclosure; of many sites the documents say it. */
  private List<String> exposure() {
    return plan.sites().size() > 1 && plan.sites().size() <= MOST_EXPOSED
        ? Exposure.statements(plan)
        : List.of();
  }

  private ByteString fingerprint(Formula formula, SiteTable table) {
    // A log that was lost took the count of used noise with it: another word, other noise.
    String run = agreement.hash() + (SiteFit.correlated(plan) ? budget.orElseThrow().word() : "");
    return ByteString.copyFrom(DataCommitment.of(formula, table, identity.keys().mask(), run));
  }
}
