package ngd.peer;

import java.io.IOException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import ngd.core.InvalidInput;
import ngd.core.WorkFailed;
import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.AlgorithmChoice;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.Local;
import ngd.core.answer.Answer;
import ngd.core.answer.CentralAnswer;
import ngd.core.answer.MethodAnswer;
import ngd.core.answer.ModelDescription;
import ngd.core.answer.PooledAnswer;
import ngd.core.answer.RowsUsed;
import ngd.core.data.Shards;
import ngd.core.data.ShardsHash;
import ngd.core.data.SiteTable;
import ngd.core.file.Sha256;
import ngd.core.formula.Formula;
import ngd.core.inference.FitProgress;
import ngd.core.inference.Inference;
import ngd.core.inference.PooledEstimate;
import ngd.core.inference.PooledFit;
import ngd.core.inference.StationaryWeights;
import ngd.core.linalg.ExactSum;
import ngd.core.model.Glm;
import ngd.core.model.Linear;
import ngd.core.model.Objective;
import ngd.core.network.Network;
import ngd.core.preparation.Missing;
import ngd.core.preparation.Preparation;
import ngd.core.preparation.Sites;
import ngd.core.privacy.CentralFit;
import ngd.core.privacy.NoiseSource;
import ngd.core.privacy.NoisedLocal;
import ngd.core.privacy.PairGraph;
import ngd.core.privacy.Privacy;
import ngd.core.question.ClientKeys;
import ngd.core.question.DataKeys;
import ngd.core.question.MethodKeys;
import ngd.core.question.ModelKeys;
import ngd.core.question.PooledKeys;
import ngd.core.question.Question;
import ngd.core.random.Streams;
import ngd.core.rows.Rows;
import ngd.core.world.Extrapolation;
import ngd.core.world.Hook;
import ngd.core.world.Mixing;
import ngd.core.world.ShardsLocal;
import ngd.core.world.Suitability;
import ngd.core.world.World;
import ngd.peer.durable.FileFailure;
import ngd.peer.identity.PeerIdentity;
import ngd.peer.plan.Plan;
import ngd.peer.plan.WirePrecision;
import ngd.peer.plan.WrittenPlan;
import ngd.peer.privacy.DataCommitment;
import ngd.peer.privacy.PairKeys;
import ngd.peer.privacy.PairwiseMasks;
import ngd.peer.privacy.PrivacyBudget;
import ngd.peer.privacy.PrivacyLog;
import ngd.peer.privacy.SecretNoise;
import ngd.peer.status.PeerStatus;
import ngd.peer.wire.Agreement;
import ngd.peer.wire.Credentials;
import ngd.peer.wire.NumberCodec;
import ngd.peer.wire.PeerAddress;
import ngd.peer.wire.TlsTransport;

/**
 * One site's part in a federation, from its kit and its table to its result: the same preparation,
 * algorithms and inference as in a rehearsal, over real links.
 */
public final class SiteRun {
  /** Sums of large models, and several sites' terms in one message, stay below this. */
  private static final int LARGEST_MESSAGE = 1 << 28;

  /** Digits of a hash that distinguish the runs of one site. */
  private static final int HASH_SHOWN = 16;

  private final PeerIdentity identity;
  private final WrittenPlan written;
  private final Plan plan;
  private final int self;
  private final Network network;
  private final Agreement agreement;
  private final Path state;
  private final String bind;
  private final SiteWatch watch;
  private final Streams streams;
  private final Optional<PrivacyBudget> budget;

  /**
   * @param state the folder that survives restarts
   * @param bind the address at which to listen, such as {@code 0.0.0.0}
   */
  public SiteRun(PeerIdentity identity, Path state, String bind) {
    this.identity = identity;
    written = identity.kit().plan();
    plan = written.plan();
    self = plan.client(identity.site());
    network = plan.network();
    this.bind = bind;
    agreement = agreement(identity, written);
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

  /** Does all the work; returns when every neighbour has what it needs. */
  public SiteAnswer run(SiteTable table) throws InterruptedException {
    Credentials credentials =
        new Credentials(identity.keyManager(), identity.trustManager(), PeerIdentity::siteOf);
    try (PeerNode node = new PeerNode(setup(), new TlsTransport(credentials, bind), watch)) {
      watch.linked(node);
      SiteAnswer answer = node.run(context -> work(context, table));
      watch.ended(null);
      return answer;
    } catch (IOException e) {
      InvalidInput wrong = new InvalidInput(startWords(e), e);
      watch.ended(String.valueOf(wrong.getMessage()));
      throw wrong;
    } catch (RuntimeException e) {
      watch.ended(String.valueOf(e.getMessage()));
      throw e;
    }
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
                bind,
                plan.sites().get(self).port(),
                cause instanceof UnresolvedAddressException
                    ? "the name does not resolve"
                    : cause.getMessage());
  }

  private PeerSetup setup() {
    List<PeerAddress> sites = new ArrayList<>();
    for (int m = 0; m < plan.sites().size(); m++) {
      ngd.peer.plan.Site site = plan.sites().get(m);
      sites.add(
          new PeerAddress(m, site.name(), site.host().replaceAll("[\\[\\]]", ""), site.port()));
    }
    return new PeerSetup(
        agreement, self, sites, network, streams, options(), LARGEST_MESSAGE, state);
  }

  /**
   * What all sites must hold alike: the plan, and the keys from which masks are agreed on. With
   * another key than the others hold for it, a site's masks would not cancel, and every sum would
   * be noise; so a site with a new key begins a run anew, and all others with it. A certificate
   * renewed for the same key changes nothing.
   */
  private static Agreement agreement(PeerIdentity identity, WrittenPlan written) {
    List<String> lines = new ArrayList<>(written.plan().canonical());
    List<Integer> places = new ArrayList<>(written.places());
    for (String site : written.plan().names()) {
      byte[] key = identity.maskKey(site).getEncoded();
      lines.add(
          "certificate of %s, key for masks: %s"
              .formatted(site, HexFormat.of().formatHex(Sha256.of(key))));
      places.add(0);
    }
    String text = String.join("\n", lines);
    return new Agreement(Sha256.hex(text), text, places);
  }

  private PeerOptions options() {
    return new PeerOptions(
        // The pooled answer averages as W says.
        plan.pooled() ? new Mixing.Mean() : plan.question().get(MethodKeys.MIX),
        plan.federation().policy(),
        plan.federation().precision() == WirePrecision.FLOAT32
            ? NumberCodec.FLOAT32
            : NumberCodec.FLOAT64,
        Masks.unbound(this::masks));
  }

  /** The masks of this plan, these keys and these data. */
  private Masks masks(byte[] commitments) {
    PairwiseMasks masks = PairwiseMasks.of(pairKeys(commitments));
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

  private SiteAnswer work(PeerContext peer, SiteTable table) {
    watch.stage("agreeing on columns, levels and rows");
    Question question = plan.question();
    Formula formula = Formula.parse(question.get(ModelKeys.FORMULA));
    Missing missing = budget.isPresent() ? Missing.FAIL : question.get(DataKeys.MISSING);
    budget.ifPresent(_ -> PrivacyRules.requireNoFactors(formula, table));
    byte[] commitment = commitment(formula, table);
    byte[] commitments = peer.commit(commitment);
    Preparation prepared =
        Preparation.of(
            formula, new Sites(plan.names(), self, List.of(table)), peer.totals(), missing);
    Shards shards = prepared.shards();
    if (!Arrays.equals(commitment, commitment(formula, table))) {
      throw new InvalidInput(
          "site %s: its table must not change while it is read; it did. Give a copy, or a query whose rows do not change"
              .formatted(identity.site()));
    }
    String hash = ShardsHash.of(prepared.design().coefficients(), shards);
    Glm glm = ModelKeys.glm(question);
    Objective objective = glm.over(shards);
    RowsUsed rows = new RowsUsed(prepared.totalRows(), prepared.totalDropped(), prepared.rows());
    Answer answer =
        MethodKeys.central(question).isPresent()
            ? central(peer, objective, glm, prepared, rows)
            : answer(peer, objective, glm, commitments, prepared, rows);
    peer.requireAgreement();
    return new SiteAnswer(
        identity.site(), written.shortHash(), question, answer, table.source(), hash);
  }

  /** A pooled fit whose sums have noise, to which every site adds a share. */
  private Answer central(
      PeerContext peer, Objective objective, Glm glm, Preparation prepared, RowsUsed rows) {
    watch.stage("sums with noise");
    PrivacyBudget spending = budget.orElseThrow();
    try (PrivacyLog log = spending.log(CentralFit.width(objective.parameters()))) {
      CentralFit fit =
          new CentralFit(
              objective,
              glm,
              spending.privacy(),
              spending.gradients(),
              List.of(SecretNoise.alone()),
              List.of(log),
              plan.sites().size());
      return new CentralAnswer(
          ModelDescription.of(prepared.design()),
          glm,
          fit.run(peer.totals()),
          spending.privacy(),
          plan.sites().size(),
          rows);
    }
  }

  private Answer answer(
      PeerContext peer,
      Objective objective,
      Glm glm,
      byte[] commitments,
      Preparation prepared,
      RowsUsed rows) {
    List<String> terms = prepared.design().coefficients();
    Local local =
        budget.isPresent()
            ? noised(objective, budget.get(), commitments)
            : ShardsLocal.of(objective, peer.host(), streams, self);
    World world = peer.world(local);
    return plan.pooled()
        ? pooled(world, glm, terms, prepared, rows)
        : method(peer, world, glm, terms, rows);
  }

  private byte[] commitment(Formula formula, SiteTable table) {
    // A log that was lost took the count of used noise with it: another word, other noise.
    String run = agreement.hash() + (correlated() ? budget.orElseThrow().word() : "");
    return DataCommitment.of(formula, table, identity.keys().mask(), run);
  }

  private boolean correlated() {
    return plan.privacy().filter(p -> p.noise() instanceof Privacy.Noise.Correlated).isPresent();
  }

  private Local noised(Objective objective, PrivacyBudget spending, byte[] commitments) {
    NoiseSource source =
        correlated()
            ? SecretNoise.with(PairGraph.of(network).neighbours(self), pairKeys(commitments))
            : SecretNoise.alone();
    return NoisedLocal.of(
        objective,
        spending.gradients(),
        source,
        spending.log(objective.parameters()),
        streams,
        self);
  }

  private Answer pooled(
      World world, Glm glm, List<String> terms, Preparation prepared, RowsUsed rows) {
    PooledFit fit =
        new PooledFit(
            glm,
            terms,
            List.of(StationaryWeights.of(network).get(self)),
            PooledKeys.settings(plan.question()));
    PooledEstimate estimate = fit.run(world, watch.fitProgress());
    watch.stage(FitProgress.Stage.INFERENCE.words());
    Inference inference = Inference.of(estimate, PooledKeys.inference(plan.question()));
    return new PooledAnswer(ModelDescription.of(prepared.design()), inference, rows);
  }

  private Answer method(PeerContext peer, World world, Glm glm, List<String> terms, RowsUsed used) {
    Question question = plan.question();
    AlgorithmChoice choice = MethodKeys.choice(question);
    Suitability suitability =
        new Suitability(network, world.local().getClass(), question.get(MethodKeys.MIX));
    suitability.require(choice);
    int rounds = question.get(MethodKeys.ROUNDS);
    GradientScales scales =
        suitability.scaleOf(
            choice.descriptor(), self, used.sites().getFirst().complete(), used.rows());
    boolean linear = glm instanceof Linear;
    watch.stage("rounds of " + choice.descriptor().name());
    watch.rounds(0, rounds);
    int width = terms.size();
    MethodAnswer.RunDetails course = MethodAnswer.RunDetails.UNKNOWN;
    Rows theta;
    if (question.get(MethodKeys.EXTRAPOLATE)) {
      Extrapolation.Outcome found =
          Extrapolation.run(
              world,
              choice.family(scales, linear),
              choice.step().given().largest(),
              rounds,
              width,
              _ -> Hook.none());
      if (!found.summary().sound()) {
        throw new WorkFailed(found.summary().problem());
      }
      theta = found.theta();
      course = course.extrapolated(found.summary());
    } else {
      theta =
          switch (choice.algorithm(scales, linear, suitability.limit(choice.descriptor()))) {
            case Algorithm.Events<?> events ->
                peer.advance(events, world.local(), new double[width], rounds).theta();
            case Algorithm.Rounds<?> inRounds -> advanced(world, inRounds, width, rounds);
          };
    }
    return new MethodAnswer(choice, terms, theta, self, plan.sites().size(), rounds, used, course);
  }

  private static <S extends Algorithm.State> Rows advanced(
      World world, Algorithm.Rounds<S> algorithm, int width, int rounds) {
    S start = algorithm.start(world.block(new double[1][width]));
    return world.advance(algorithm, start, rounds).theta();
  }
}
