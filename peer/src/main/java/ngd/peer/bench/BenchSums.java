package ngd.peer.bench;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import ngd.core.WorkFailed;
import ngd.core.data.Shards;
import ngd.core.file.Sha256;
import ngd.core.inference.FitProgress;
import ngd.core.inference.PooledFit;
import ngd.core.linalg.ExactSum;
import ngd.core.model.Logistic;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.random.Streams;
import ngd.core.world.Mixing;
import ngd.core.world.ShardsLocal;
import ngd.peer.Masks;
import ngd.peer.PeerContext;
import ngd.peer.PeerNode;
import ngd.peer.PeerOptions;
import ngd.peer.PeerSetup;
import ngd.peer.Signatures;
import ngd.peer.identity.SiteSignatures;
import ngd.peer.plan.MaskGraph;
import ngd.peer.plan.Policy;
import ngd.peer.privacy.PairKeys;
import ngd.peer.privacy.PairwiseMasks;
import ngd.peer.wire.Agreement;
import ngd.peer.wire.InProcessTransport;
import ngd.peer.wire.Links;
import ngd.peer.wire.NumberCodec;
import ngd.peer.wire.PeerAddress;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * A pooled logistic answer by masked and signed sums, of many peers in one process.
 *
 * @param parameters the coefficients, the intercept among them
 * @param rows the rows of each site
 */
public record BenchSums(String topology, int clients, int parameters, int rows) {
  private static final Streams STREAMS = Streams.of(1);
  private static final Agreement AGREEMENT = new Agreement("00b5", "bench");

  /**
   * What it took.
   *
   * @param theta the estimate, the same bits at every site
   * @param seconds from the first commitment until the last site had its answer
   * @param processor seconds of processor time meanwhile, whatever else the machine did
   * @param starting seconds to draw keys and to make all peers
   * @param bytes that a site sent, in the mean, without frames and headers
   * @param mostBytes that any site sent
   * @param messages that a site sent, in the mean
   * @param calls each of which says something to all neighbours
   */
  public record Measure(
      List<Double> theta,
      double seconds,
      double processor,
      double starting,
      double bytes,
      long mostBytes,
      double messages,
      long calls) {}

  public Network network() {
    return Network.of(Topology.parse(topology, clients, STREAMS));
  }

  /** The rows of some clients. */
  public Shards shards(int... who) {
    Shards.Filler filler = Shards.sized(parameters, IntStream.of(who).map(_ -> rows).toArray());
    double[] x = new double[parameters];
    for (int place = 0; place < who.length; place++) {
      UniformRandomProvider draw = STREAMS.stream(Streams.Purpose.DATA, who[place]);
      for (int i = 0; i < rows; i++) {
        double eta = -0.5;
        x[0] = 1;
        for (int j = 1; j < parameters; j++) {
          x[j] = 2 * draw.nextDouble() - 1;
          eta += x[j] * (j % 3 - 1);
        }
        filler.put(place, i, x, draw.nextDouble() < 1 / (1 + Math.exp(-eta)) ? 1 : 0);
      }
    }
    return filler.done();
  }

  /** The fit that every site runs. */
  public PooledFit fit(List<Double> pi) {
    List<String> terms = new ArrayList<>(List.of("(Intercept)"));
    for (int j = 1; j < parameters; j++) {
      terms.add("x" + j);
    }
    return new PooledFit(new Logistic(), terms, pi, PooledFit.Settings.STANDARD);
  }

  /** Every site's keys. */
  private static final class Keys {
    final List<String> names;
    final List<KeyPair> proofs = new ArrayList<>();
    final List<KeyPair> masks = new ArrayList<>();
    final Map<String, PublicKey> maskKeys = new HashMap<>();
    final List<PublicKey> proofKeys;

    Keys(int sites) {
      names =
          IntStream.range(0, sites)
              .mapToObj(m -> "site-" + m)
              .collect(Collectors.toUnmodifiableList());
      try {
        KeyPairGenerator ec = KeyPairGenerator.getInstance("EC");
        ec.initialize(new ECGenParameterSpec("secp256r1"));
        KeyPairGenerator x25519 = KeyPairGenerator.getInstance("X25519");
        for (int m = 0; m < sites; m++) {
          proofs.add(ec.generateKeyPair());
          masks.add(x25519.generateKeyPair());
          maskKeys.put(names.get(m), masks.get(m).getPublic());
        }
      } catch (GeneralSecurityException absent) {
        throw new IllegalStateException("every Java has P-256 and X25519", absent);
      }
      // One list for all peers of this process, which copy only what may change.
      proofKeys = proofs.stream().map(KeyPair::getPublic).collect(Collectors.toUnmodifiableList());
    }

    PeerOptions options(int self) {
      return new PeerOptions(
          new Mixing.Mean(),
          new Policy.Wait(),
          NumberCodec.FLOAT64,
          Masks.unbound(commitments -> masks(self, commitments)),
          signatures(self),
          PeerOptions.LINGER);
    }

    private Masks masks(int self, byte[] run) {
      PairKeys keys =
          new PairKeys(
              names.get(self),
              names,
              masks.get(self).getPrivate(),
              maskKeys::get,
              new PairKeys.Run(run));
      PairwiseMasks own = PairwiseMasks.of(keys, MaskGraph.partnersOf(self, names.size(), run));
      return (call, terms) -> own.mask(call, terms, ExactSum.WORDS);
    }

    private Signatures signatures(int self) {
      return Signatures.of(
          new SiteSignatures(proofs.get(self).getPrivate(), proofKeys, AGREEMENT.hash()));
    }
  }

  /** Runs all peers to their ends. */
  public Measure run() throws IOException, InterruptedException {
    long begin = System.nanoTime();
    Network network = network();
    Keys keys = new Keys(clients);
    List<PeerAddress> sites =
        IntStream.range(0, clients)
            .mapToObj(m -> new PeerAddress(m, keys.names.get(m), "", 0))
            .collect(Collectors.toUnmodifiableList());
    ExecutorService wires =
        Executors.newFixedThreadPool(
            Runtime.getRuntime().availableProcessors(),
            Thread.ofPlatform().daemon().name("bench-sums-wire-", 0).factory());
    try (wires;
        ExecutorService programs = Executors.newVirtualThreadPerTaskExecutor()) {
      InProcessTransport transport =
          new InProcessTransport("bench-sums-" + System.identityHashCode(keys), wires);
      PeerNode[] nodes = new PeerNode[clients];
      // Whoever dials has the lower number: it finds the others there.
      for (int m = clients - 1; m >= 0; m--) {
        nodes[m] =
            new PeerNode(
                new PeerSetup(
                    AGREEMENT,
                    m,
                    sites,
                    network,
                    STREAMS,
                    keys.options(m),
                    PeerSetup.messageBytes(Math.min(clients, MaskGraph.ALL_PAIRS), parameters),
                    null),
                transport);
      }
      long started = System.nanoTime();
      double worked = processorSeconds();
      List<Future<List<Double>>> answers = new ArrayList<>();
      for (PeerNode node : nodes) {
        answers.add(programs.submit(() -> node.run(this::answer)));
      }
      List<Double> theta = same(answers);
      double seconds = (System.nanoTime() - started) / 1e9;
      Measure measure =
          measure(nodes, theta, seconds, processorSeconds() - worked, (started - begin) / 1e9);
      List<Future<?>> closing = new ArrayList<>();
      for (PeerNode node : nodes) {
        closing.add(
            programs.submit(
                () -> {
                  node.close();
                  return null;
                }));
      }
      for (Future<?> one : closing) {
        result(one);
      }
      return measure;
    }
  }

  private List<Double> answer(PeerContext context) {
    context.commit(new Sha256().add("bench").add(context.self()).bytes());
    Shards own = shards(context.self());
    double[] theta =
        fit(List.of(1.0 / clients))
            .run(
                context.world(
                    ShardsLocal.of(
                        new Logistic().over(own), context.host(), STREAMS, context.self())),
                FitProgress.NONE)
            .theta();
    context.requireAgreement();
    return Arrays.stream(theta).boxed().toList();
  }

  private static double processorSeconds() {
    return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO).toNanos() / 1e9;
  }

  private static List<Double> same(List<Future<List<Double>>> answers) throws InterruptedException {
    List<Double> first = result(answers.getFirst());
    for (Future<List<Double>> answer : answers) {
      if (!result(answer).equals(first)) {
        throw new WorkFailed("bench sums: every site must have the same answer; they have not");
      }
    }
    return first;
  }

  private static <T> T result(Future<T> answer) throws InterruptedException {
    try {
      return answer.get();
    } catch (ExecutionException failed) {
      throw new WorkFailed("bench sums: " + failed.getCause(), failed);
    }
  }

  private static Measure measure(
      PeerNode[] nodes, List<Double> theta, double seconds, double processor, double starting) {
    long bytes = 0;
    long most = 0;
    long messages = 0;
    for (PeerNode node : nodes) {
      long own = 0;
      for (Links.Watch link : node.status().links()) {
        own += link.meter().bytesOut();
        messages += link.meter().messagesOut();
      }
      bytes += own;
      most = Math.max(most, own);
    }
    return new Measure(
        theta,
        seconds,
        processor,
        starting,
        (double) bytes / nodes.length,
        most,
        (double) messages / nodes.length,
        nodes[0].status().call());
  }
}
