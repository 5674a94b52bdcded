package ngd.peer;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import ngd.core.InvalidInput;
import ngd.core.algorithm.Algorithm;
import ngd.core.algorithm.Algorithms;
import ngd.core.algorithm.AutoStep;
import ngd.core.algorithm.GradientScales;
import ngd.core.algorithm.Local;
import ngd.core.algorithm.Method;
import ngd.core.algorithm.StepSize;
import ngd.core.data.Shards;
import ngd.core.data.SiteTable;
import ngd.core.formula.Formula;
import ngd.core.inference.FitProgress;
import ngd.core.inference.Inference;
import ngd.core.inference.PooledEstimate;
import ngd.core.inference.PooledFit;
import ngd.core.linalg.ExactSum;
import ngd.core.model.Families;
import ngd.core.model.Glm;
import ngd.core.model.Linear;
import ngd.core.model.Objective;
import ngd.core.network.CommunicatingClasses;
import ngd.core.network.Network;
import ngd.core.network.Stationary;
import ngd.core.preparation.Preparation;
import ngd.core.preparation.Sites;
import ngd.core.random.Streams;
import ngd.core.rows.Rows;
import ngd.core.world.Mixing;
import ngd.core.world.ShardsLocal;
import ngd.core.world.Suitability;
import ngd.core.world.World;
import ngd.peer.durable.Trouble;
import ngd.peer.identity.PeerIdentity;
import ngd.peer.plan.Plan;
import ngd.peer.plan.WirePrecision;
import ngd.peer.plan.WrittenPlan;
import ngd.peer.privacy.NoisedLocal;
import ngd.peer.privacy.PairwiseMasks;
import ngd.peer.privacy.PrivacyBudget;
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

  /** Digits of a hash that tell the runs of one site apart. */
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
    streams = Streams.of(plan.seed());
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
  public SiteResult run(SiteTable table) throws InterruptedException {
    Credentials credentials =
        new Credentials(identity.keyManager(), identity.trustManager(), PeerIdentity::siteOf);
    try (PeerNode node = new PeerNode(setup(), new TlsTransport(credentials, bind))) {
      watch.linked(node);
      SiteResult result = node.run(seat -> work(seat, table));
      watch.ended(null);
      return result;
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
        ? "site %s: must be able to write to its folder %s; it cannot: %s"
            .formatted(identity.site(), state, Trouble.with(e))
        : "site %s: must be able to listen at %s:%d, its port in the plan (--listen gives another address); it cannot: %s"
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
        agreement, self, sites, network, streams, manner(), LARGEST_MESSAGE, state);
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
              .formatted(site, HexFormat.of().formatHex(sha256().digest(key))));
      places.add(0);
    }
    String text = String.join("\n", lines);
    byte[] hash = sha256().digest(text.getBytes(StandardCharsets.UTF_8));
    return new Agreement(HexFormat.of().formatHex(hash), text, places);
  }

  private PeerOptions manner() {
    PairwiseMasks masks =
        PairwiseMasks.of(
            identity.site(),
            plan.names(),
            identity.keys().mask(),
            identity::maskKey,
            HexFormat.of().parseHex(agreement.hash()));
    return new PeerOptions(
        Mixing.parse(plan.mix()),
        plan.policy(),
        plan.precision() == WirePrecision.FLOAT32 ? NumberCodec.FLOAT32 : NumberCodec.FLOAT64,
        (call, terms) -> masks.mask(call, terms, ExactSum.WORDS));
  }

  private SiteResult work(Program.Seat peer, SiteTable table) {
    watch.stage("agreeing on columns, levels and rows");
    Formula formula = Formula.parse(plan.formula());
    ngd.core.preparation.Missing missing =
        budget.isPresent() ? ngd.core.preparation.Missing.FAIL : ngd.core.preparation.Missing.DROP;
    budget.ifPresent(_ -> Undisclosed.require(formula, table));
    Preparation prepared =
        Preparation.of(
            formula, new Sites(plan.names(), self, List.of(table)), peer.exchange(), missing);
    Shards shards = prepared.shards();
    requireSameData(shards);
    Glm glm = Families.parse(plan.family());
    Objective objective = glm.over(shards);
    Local local =
        budget.isPresent()
            ? NoisedLocal.of(objective, budget.get())
            : new ShardsLocal(objective, peer.host(), streams, self);
    World world = new WatchedWorld(peer.world(local), watch);
    List<String> terms = prepared.design().coefficients();
    return plan.pooled()
        ? pooled(world, glm, terms, prepared)
        : rounds(peer, world, glm, terms, prepared);
  }

  private SiteResult pooled(World world, Glm glm, List<String> terms, Preparation prepared) {
    PooledFit fit = new PooledFit(glm, terms, List.of(stationary()), PooledFit.Settings.STANDARD);
    PooledEstimate estimate = fit.run(world, new Told());
    watch.stage(FitProgress.Stage.INFERENCE.words());
    Inference inference = Inference.of(estimate, Inference.Options.STANDARD);
    return result(terms, estimate.theta(), Optional.of(inference), prepared, estimate.rounds());
  }

  /** Passes on what a fit says of itself. */
  private final class Told implements FitProgress {
    @Override
    public void begin(Stage stage) {
      watch.stage(stage.words());
    }

    @Override
    public void rounds(int done, int most) {
      watch.rounds(done, most);
    }
  }

  private SiteResult rounds(
      Program.Seat peer, World world, Glm glm, List<String> terms, Preparation prepared) {
    Algorithms.Named named = Algorithms.parse(plan.algorithm());
    Method method = named.method();
    new Suitability(network, glm).require(method);
    int rounds = plan.rounds().orElseThrow();
    String alpha = plan.alpha().orElse("");
    GradientScales scales = scales(method, prepared);
    Method.Request request =
        new Method.Request(
            alpha.isEmpty() || alpha.equals("auto") ? null : StepSize.parse(alpha),
            plan.batch(),
            plan.localSteps(),
            scales,
            glm instanceof Linear,
            named.parameters());
    watch.stage("rounds of " + method.name());
    watch.rounds(0, rounds);
    if (method.make(request) instanceof Algorithm.Events<?> events) {
      double[] ended = updated(peer, events, world.local(), terms.size(), rounds);
      return result(terms, ended, Optional.empty(), prepared, rounds);
    }
    Rows start = world.block(new double[1][terms.size()]);
    double[] theta =
        alpha.equals("auto")
            ? advanced(
                world,
                new AutoStep<>(
                    Algorithms.family(method, request), scales, method.shareOfSafeStep()),
                start,
                rounds)
            : advanced(world, Algorithms.rounds(method, request), start, rounds);
    return result(terms, theta, Optional.empty(), prepared, rounds);
  }

  private static <S extends Algorithm.State> double[] advanced(
      World world, Algorithm.Rounds<S> algorithm, Rows start, int rounds) {
    return world.advance(algorithm, algorithm.start(start), rounds).theta().row(0);
  }

  /** An asynchronous method, until this site has made so many updates. */
  private <S extends Algorithm.State> double[] updated(
      Program.Seat peer, Algorithm.Events<S> algorithm, Local local, int width, int updates) {
    Algorithm.Events<S> seen = WatchedWorld.seen(algorithm, watch);
    return peer.advance(seen, local, new double[width], updates).theta().row(0);
  }

  /** One factor for this site's row; asynchronous methods look it up by the site's number. */
  private GradientScales scales(Method method, Preparation prepared) {
    double share = prepared.rows().getFirst().complete() / (double) prepared.totalRows();
    double[] factors = new double[method.asynchronous() ? plan.sites().size() : 1];
    Arrays.fill(
        factors,
        switch (method.weighting()) {
          case NONE -> 1;
          case BY_SIZE -> plan.sites().size() * share;
          case BY_SIZE_AND_WEIGHT -> share / stationary();
        });
    return GradientScales.of(factors);
  }

  /** This site's share of the stationary distribution. */
  private double stationary() {
    CommunicatingClasses classes = CommunicatingClasses.of(network);
    if (classes.count() > 1) {
      throw new InvalidInput(
          "network: every site must reach every other, or some data would not count; use regular:D, ring:K or complete");
    }
    return Stationary.of(network, classes)
        .distribution()
        .orElseThrow(
            () -> new InvalidInput("network: its stationary distribution could not be computed"))[
        self];
  }

  private SiteResult result(
      List<String> terms,
      double[] theta,
      Optional<Inference> inference,
      Preparation prepared,
      int rounds) {
    return new SiteResult(
        identity.site(),
        written.shortHash(),
        terms,
        SiteResult.boxed(theta),
        inference,
        prepared.rows().getFirst().complete(),
        prepared.totalRows(),
        rounds);
  }

  /** Two messages under one mask show how their terms differ: a run is bound to its data. */
  private void requireSameData(Shards shards) {
    Path file = state.resolveSibling(state.getFileName() + ".data");
    String hash = hash(shards);
    try {
      if (Files.exists(file)) {
        if (!Files.readString(file).strip().equals(hash)) {
          throw new InvalidInput(
              "site %s: its data must be those with which this run began; they have changed. A new run (`run` in the plan) takes new data"
                  .formatted(identity.site()));
        }
      } else {
        Files.writeString(file, hash + "\n");
      }
    } catch (IOException e) {
      throw new InvalidInput(
          "site %s: must be able to write to %s; it cannot: %s"
              .formatted(identity.site(), file, Trouble.with(e)),
          e);
    }
  }

  private static String hash(Shards shards) {
    MessageDigest digest = sha256();
    for (double[] numbers : List.of(shards.xArray(), shards.yArray())) {
      ByteBuffer bytes = ByteBuffer.allocate(numbers.length * Double.BYTES);
      bytes.asDoubleBuffer().put(numbers);
      digest.update(bytes);
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException absent) {
      throw new IllegalStateException("every Java has SHA-256", absent);
    }
  }
}
