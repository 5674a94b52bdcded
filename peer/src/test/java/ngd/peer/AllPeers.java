package ngd.peer;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;
import ngd.core.algorithm.CodedRows;
import ngd.core.algorithm.Exchange;
import ngd.core.linalg.Kernels;
import ngd.core.network.Network;
import ngd.core.rows.Edges;
import ngd.core.rows.Host;
import ngd.core.rows.Rows;
import ngd.core.rows.Workers;
import ngd.core.world.Mixing;
import ngd.peer.bench.FreePorts;
import ngd.peer.plan.Policy;
import ngd.peer.wire.Agreement;
import ngd.peer.wire.Limits;
import ngd.peer.wire.LinkState;
import ngd.peer.wire.Links;
import ngd.peer.wire.PeerAddress;
import ngd.peer.wire.Transport;

/**
 * All peers of a network in one process as one exchange: every call is made by each peer in a
 * thread of its own.
 */
final class AllPeers implements Exchange, AutoCloseable {
  static final Agreement AGREEMENT = new Agreement("00ff", "plan: test\n");

  private static final Limits LIMITS = Limits.of(1 << 24);

  final Host host = new Host(Kernels.best(), new Workers(1));
  final List<Links> links;
  private final List<Host> hosts = new ArrayList<>();
  private final List<PeerExchange> peers = new ArrayList<>();
  private final Network network;
  private final PeerOptions options;
  private final int[] offsets;
  private final ExecutorService threads;

  AllPeers(
      Network network,
      List<PeerAddress> sites,
      IntFunction<Transport> transports,
      PeerOptions options) {
    this(
        network,
        links(network, sites, transports, options.policy()),
        options,
        Executors.newVirtualThreadPerTaskExecutor());
  }

  private AllPeers(
      Network network, List<Links> links, PeerOptions options, ExecutorService threads) {
    this.network = network;
    this.links = links;
    this.options = options;
    this.threads = threads;
    offsets = new int[network.clients() + 1];
    for (int m = 0; m < network.clients(); m++) {
      Neighbourhood neighbourhood = new Neighbourhood(network, m);
      offsets[m + 1] = offsets[m] + neighbourhood.heard.size();
      hosts.add(new Host(Kernels.best(), new Workers(1)));
      peers.add(
          new PeerExchange(
              network,
              neighbourhood,
              hosts.getLast(),
              links.get(m),
              LIMITS,
              options,
              PeerListener.NONE));
    }
  }

  private static List<Links> links(
      Network network, List<PeerAddress> sites, IntFunction<Transport> transports, Policy policy) {
    List<Links> links = new ArrayList<>();
    try {
      for (int m = 0; m < network.clients(); m++) {
        Neighbourhood neighbourhood = new Neighbourhood(network, m);
        links.add(
            new Links(
                new Links.Setup(
                    m,
                    sites,
                    neighbourhood.heard,
                    neighbourhood.listeners,
                    !(policy instanceof Policy.Wait)),
                AGREEMENT,
                transports.apply(m),
                LIMITS,
                LinkState.START));
      }
    } catch (IOException failed) {
      throw new IllegalStateException(failed);
    }
    return links;
  }

  /** The same peers over the same links, mixing by another rule. */
  AllPeers mixing(Mixing mixing) {
    return new AllPeers(
        network,
        links,
        new PeerOptions(
            mixing,
            options.policy(),
            options.numbers(),
            options.masks(),
            options.signatures(),
            options.linger()),
        threads);
  }

  /** Sites on this machine at ports that were free a moment ago. */
  static List<PeerAddress> sites(int clients) {
    List<PeerAddress> sites = new ArrayList<>();
    List<Integer> ports = FreePorts.take(clients);
    for (int m = 0; m < clients; m++) {
      sites.add(new PeerAddress(m, "site-" + m, "127.0.0.1", ports.get(m)));
    }
    return sites;
  }

  /** The bytes of messages that all peers have sent. */
  long bytesSent() {
    return links.stream()
        .flatMap(own -> own.watch().stream())
        .mapToLong(watched -> watched.meter().bytesOut())
        .sum();
  }

  private interface Call<T> {
    T by(int client, PeerExchange exchange);
  }

  /** For each peer, those whose digest is another than its own. */
  List<List<Integer>> dissenting(IntFunction<byte[]> digest) {
    return all((m, peer) -> peer.sums().dissenting(digest.apply(m)));
  }

  /** Every peer's answer; where one fails, all must, and alike. */
  private <T> List<T> all(Call<T> call) {
    List<Future<T>> answers = new ArrayList<>();
    for (int m = 0; m < peers.size(); m++) {
      int client = m;
      Callable<T> task = () -> call.by(client, peers.get(client));
      answers.add(threads.submit(task));
    }
    List<T> results = new ArrayList<>();
    List<RuntimeException> failures = new ArrayList<>();
    try {
      for (Future<T> answer : answers) {
        try {
          results.add(answer.get(30, TimeUnit.SECONDS));
        } catch (ExecutionException failed) {
          failures.add(
              failed.getCause() instanceof RuntimeException own
                  ? own
                  : new IllegalStateException(failed));
        }
      }
    } catch (InterruptedException | TimeoutException stuck) {
      answers.forEach(answer -> answer.cancel(true));
      throw new IllegalStateException("a peer waits while others failed: " + failures, stuck);
    }
    if (!failures.isEmpty()) {
      if (failures.size() < peers.size()
          || failures.stream().map(RuntimeException::getMessage).distinct().count() > 1) {
        throw new IllegalStateException("peers must fail alike; got " + failures);
      }
      throw failures.getFirst();
    }
    return results;
  }

  private void requireClients(int rows) {
    if (rows != network.clients()) {
      throw new IllegalArgumentException(
          "all peers: must be given a row for each of the %d clients; got %d"
              .formatted(network.clients(), rows));
    }
  }

  private Rows rows(Call<Rows> call) {
    return host.of(all((m, x) -> call.by(m, x).row(0)).toArray(double[][]::new));
  }

  private Rows own(int m, Rows x) {
    return hosts.get(m).of(new double[][] {x.row(m)});
  }

  @Override
  public Rows mix(Rows x) {
    requireClients(x.rows());
    return rows((m, peer) -> peer.mix(own(m, x)));
  }

  /** Each peer sends the bytes of its own row. */
  @Override
  public Rows mix(Rows own, CodedRows said) {
    requireClients(own.rows());
    return rows((m, peer) -> peer.mix(own(m, own), said.only(m, own(m, said.read()))));
  }

  @Override
  public Rows push(Rows x) {
    requireClients(x.rows());
    return rows((m, peer) -> peer.push(own(m, x)));
  }

  @Override
  public Edges hear(Rows x) {
    requireClients(x.rows());
    return edges(x.width(), (m, peer) -> peer.hear(own(m, x)));
  }

  @Override
  public Edges reply(Edges x) {
    int width = x.values().width();
    return edges(
        width,
        (m, peer) -> {
          int count = offsets[m + 1] - offsets[m];
          double[] values = new double[count * width];
          for (int e = 0; e < count; e++) {
            System.arraycopy(x.values().row(offsets[m] + e), 0, values, e * width, width);
          }
          Host place = hosts.get(m);
          return peer.reply(place.edges(new int[] {0, count}, place.rows(count, width, values)));
        });
  }

  @Override
  public double[] linkWeights() {
    return all((_, peer) -> peer.linkWeights()).stream().flatMapToDouble(Arrays::stream).toArray();
  }

  private Edges edges(int width, Call<Edges> call) {
    List<Edges> each = all(call);
    double[] values = new double[offsets[network.clients()] * width];
    for (int m = 0; m < each.size(); m++) {
      for (int e = offsets[m]; e < offsets[m + 1]; e++) {
        System.arraycopy(each.get(m).values().row(e - offsets[m]), 0, values, e * width, width);
      }
    }
    return host.edges(offsets, host.rows(offsets[network.clients()], width, values));
  }

  @Override
  public double[] total(double[]... perRow) {
    requireClients(perRow.length);
    if (Arrays.stream(perRow).anyMatch(own -> own.length != perRow[0].length)) {
      throw new IllegalArgumentException("all peers: vectors must be of one length");
    }
    List<double[]> each = all((m, peer) -> peer.total(perRow[m]));
    for (double[] one : each) {
      if (!Arrays.equals(one, each.getFirst())) {
        throw new IllegalStateException("total: must be the same at every client");
      }
    }
    return each.getFirst();
  }

  @Override
  public double[] total(Rows x) {
    requireClients(x.rows());
    return all((m, peer) -> peer.total(own(m, x))).getFirst();
  }

  @Override
  public double max(double... perRow) {
    requireClients(perRow.length);
    List<Double> each = all((m, peer) -> peer.max(perRow[m]));
    for (double one : each) {
      if (one != each.getFirst()) {
        throw new IllegalStateException("max: must be the same at every client");
      }
    }
    return each.getFirst();
  }

  @Override
  public void close() {
    threads.shutdownNow();
    links.forEach(Links::close);
  }
}
