package ngd.studies.figure;

import ngd.core.network.ChangingTopology;
import ngd.core.network.Network;
import ngd.core.network.Topology;

/**
 * A place on the page for each client, in the square from −1 to 1; the same ones every time.
 *
 * <p>Kinds of networks that have a shape get it: circles, a centre, a torus as rings. All others
 * are laid out by {@link Forces}.
 */
public final class NetworkLayout {
  /** Beyond this, forces take longer than a person waits; a picture is a cloud in any case. */
  private static final int MOST_BY_FORCES = 20_000;

  private final double[] x;
  private final double[] y;

  private NetworkLayout(double[] x, double[] y) {
    this.x = x;
    this.y = y;
  }

  /** The layout of a kind of network. */
  public static NetworkLayout of(Topology topology, Network network) {
    return switch (topology) {
      case Topology.Circle _ -> circle(network.clients());
      case Topology.Ring _ -> circle(network.clients());
      case Topology.Complete _ -> circle(network.clients());
      case Topology.Exponential _ -> circle(network.clients());
      case Topology.SmallWorld _ -> circle(network.clients());
      case ChangingTopology _ -> circle(network.clients());
      case Topology.Central _ -> star(network.clients());
      case Topology.Torus _ -> rings(network.clients());
      case Topology.Fixed _ -> of(network);
      case Topology.Regular _ -> of(network);
      case Topology.ErdosRenyi _ -> of(network);
      case Topology.EdgeFile _ -> of(network);
    };
  }

  /** The layout of links of which nothing else is known. */
  public static NetworkLayout of(Network network) {
    int clients = network.clients();
    if (clients <= 3) {
      return circle(clients);
    }
    double[] x = new double[clients];
    double[] y = new double[clients];
    double golden = Math.PI * (3 - Math.sqrt(5));
    for (int m = 0; m < clients; m++) {
      double radius = Math.sqrt((m + 0.5) / clients);
      x[m] = radius * Math.cos(m * golden);
      y[m] = radius * Math.sin(m * golden);
    }
    if (clients <= MOST_BY_FORCES) {
      new Forces(network, x, y).settle();
    }
    return fitted(x, y);
  }

  /** The places that someone gave, x and y in turn. */
  public static NetworkLayout at(double[] places) {
    double[] x = new double[places.length / 2];
    double[] y = new double[places.length / 2];
    for (int m = 0; m < x.length; m++) {
      x[m] = places[2 * m];
      y[m] = places[2 * m + 1];
    }
    return fitted(x, y);
  }

  private static NetworkLayout circle(int clients) {
    double[] x = new double[clients];
    double[] y = new double[clients];
    for (int m = 0; m < clients && clients > 1; m++) {
      x[m] = Math.sin(2 * Math.PI * m / clients);
      y[m] = -Math.cos(2 * Math.PI * m / clients);
    }
    return new NetworkLayout(x, y);
  }

  private static NetworkLayout star(int clients) {
    double[] x = new double[clients];
    double[] y = new double[clients];
    for (int m = 1; m < clients; m++) {
      x[m] = Math.sin(2 * Math.PI * (m - 1) / (clients - 1));
      y[m] = -Math.cos(2 * Math.PI * (m - 1) / (clients - 1));
    }
    return new NetworkLayout(x, y);
  }

  /** The torus's rows as rings inside each other. */
  private static NetworkLayout rings(int clients) {
    int rows = (int) Math.sqrt(clients);
    while (clients % rows != 0) {
      rows--;
    }
    int columns = clients / rows;
    double[] x = new double[clients];
    double[] y = new double[clients];
    for (int m = 0; m < clients; m++) {
      int row = m / columns;
      double radius = 0.3 + 0.7 * row / Math.max(1, rows - 1);
      double angle = 2 * Math.PI * (m % columns) / columns;
      x[m] = radius * Math.sin(angle);
      y[m] = -radius * Math.cos(angle);
    }
    return new NetworkLayout(x, y);
  }

  /** Moved and scaled into the square, its shape kept. */
  private static NetworkLayout fitted(double[] x, double[] y) {
    double left = Double.POSITIVE_INFINITY;
    double right = Double.NEGATIVE_INFINITY;
    double top = Double.POSITIVE_INFINITY;
    double bottom = Double.NEGATIVE_INFINITY;
    for (int m = 0; m < x.length; m++) {
      left = Math.min(left, x[m]);
      right = Math.max(right, x[m]);
      top = Math.min(top, y[m]);
      bottom = Math.max(bottom, y[m]);
    }
    double half = Math.max(Math.max(right - left, bottom - top) / 2, 1e-9);
    for (int m = 0; m < x.length; m++) {
      x[m] = (x[m] - (left + right) / 2) / half;
      y[m] = (y[m] - (top + bottom) / 2) / half;
    }
    return new NetworkLayout(x, y);
  }

  public int clients() {
    return x.length;
  }

  /** From −1, left, to 1, right. */
  public double x(int client) {
    return x[client];
  }

  /** From −1, top, to 1, bottom. */
  public double y(int client) {
    return y[client];
  }
}
