package ngd.studies.figure;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Line2D;
import java.awt.geom.Path2D;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import ngd.core.network.Diagnosis;
import ngd.core.network.Network;

/**
 * A network drawn: an arrow for each link, in the direction in which parameters travel, and a disc
 * for each client, its area the client's share of the stationary distribution π.
 *
 * <p>Who is heard by nobody is a ring, who lies in no closed class is orange, and each closed class
 * has a colour of its own, as far as colours go.
 */
public final class NetworkFigure {
  private static final int SIDE = 560;
  private static final int MARGIN = 34;
  private static final int CAPTION = 58;

  /** With more clients than this, arrow heads and numbers are a blot. */
  private static final int MOST_WITH_DETAILS = 60;

  private static final Color LINK = new Color(0x8A94A0);
  private static final Color UNHEARD = new Color(0xC2410C);
  private static final Color PASSING = new Color(0xE69F00);
  private static final List<Color> CLASSES =
      List.of(new Color(0x0072B2), new Color(0x009E73), new Color(0xAA4499), new Color(0x5F5F5F));

  private final String title;
  private final Diagnosis diagnosis;
  private final NetworkLayout layout;
  private final double[] radius;
  private final boolean detailed;

  /**
   * A figure.
   *
   * @param title what network it is, in the words of the command line
   */
  public NetworkFigure(String title, Diagnosis diagnosis, NetworkLayout layout) {
    this.title = title;
    this.diagnosis = diagnosis;
    this.layout = layout;
    int clients = diagnosis.clients();
    detailed = clients <= MOST_WITH_DETAILS;
    radius = new double[clients];
    double even = detailed ? 10 : Math.clamp(90 / Math.sqrt(clients), 1.2, 9);
    Optional<double[]> pi = diagnosis.stationary().distribution();
    for (int m = 0; m < clients; m++) {
      double share = pi.isPresent() ? clients * pi.get()[m] : 1;
      radius[m] = even * Math.clamp(Math.sqrt(share), 0.55, 3);
    }
  }

  public Figure figure() {
    String description =
        "%d clients and %d links".formatted(diagnosis.clients(), diagnosis.edges());
    return new Figure(SIDE, SIDE + CAPTION, description, this::draw);
  }

  private double x(int client) {
    return SIDE / 2.0 + layout.x(client) * (SIDE / 2.0 - MARGIN);
  }

  private double y(int client) {
    return SIDE / 2.0 + layout.y(client) * (SIDE / 2.0 - MARGIN);
  }

  private void draw(Graphics2D g) {
    Network network = diagnosis.network();
    g.setColor(LINK);
    g.setStroke(new BasicStroke(detailed ? 1f : network.edges() > 4000 ? 0.15f : 0.4f));
    for (int m = 0; m < network.clients(); m++) {
      for (int e = network.offsets()[m]; e < network.offsets()[m + 1]; e++) {
        if (network.heard()[e] != m) {
          link(g, network.heard()[e], m);
        }
      }
    }
    boolean[] unheard = new boolean[network.clients()];
    for (int m : diagnosis.unheard()) {
      unheard[m] = true;
    }
    int[] closed = diagnosis.classes().closedClasses();
    for (int m = 0; m < network.clients(); m++) {
      int c = Arrays.binarySearch(closed, diagnosis.classes().classOf(m));
      Color colour = c >= 0 ? CLASSES.get(Math.min(c, CLASSES.size() - 1)) : PASSING;
      client(g, m, unheard[m], unheard[m] ? UNHEARD : colour);
    }
    caption(g);
  }

  /** From the client that is heard to the one that hears it. */
  private void link(Graphics2D g, int from, int to) {
    double dx = x(to) - x(from);
    double dy = y(to) - y(from);
    double length = Math.max(Math.hypot(dx, dy), 1e-9);
    double endX = x(to) - dx / length * (radius[to] + 1.5);
    double endY = y(to) - dy / length * (radius[to] + 1.5);
    g.draw(new Line2D.Double(x(from), y(from), endX, endY));
    if (detailed) {
      Path2D head = new Path2D.Double();
      head.moveTo(endX, endY);
      head.lineTo(
          endX - 7 * dx / length + 3 * dy / length, endY - 7 * dy / length - 3 * dx / length);
      head.lineTo(
          endX - 7 * dx / length - 3 * dy / length, endY - 7 * dy / length + 3 * dx / length);
      head.closePath();
      g.fill(head);
    }
  }

  private void client(Graphics2D g, int client, boolean hollow, Color colour) {
    double r = radius[client];
    Ellipse2D disc = new Ellipse2D.Double(x(client) - r, y(client) - r, 2 * r, 2 * r);
    g.setColor(hollow ? Color.WHITE : colour);
    g.fill(disc);
    g.setColor(hollow ? colour : Color.WHITE);
    g.setStroke(new BasicStroke(hollow ? (float) Math.max(0.8, r / 4) : detailed ? 1.2f : 0.3f));
    g.draw(disc);
    if (detailed) {
      g.setFont(Panels.TEXT.deriveFont(10f));
      g.setColor(hollow || r < 8 ? Color.BLACK : Color.WHITE);
      Panels.centred(g, Integer.toString(client), x(client), y(client) + (r < 8 ? -r - 3 : 3.5));
    }
  }

  private void caption(Graphics2D g) {
    g.setColor(Color.BLACK);
    g.setFont(Panels.HEADING);
    Panels.centred(g, title, SIDE / 2.0, SIDE + 14);
    g.setFont(Panels.TEXT);
    int unheard = diagnosis.unheard().length;
    int passing = diagnosis.transientClients().length;
    String gap =
        diagnosis.spectrum().secondEigenvalue().value().isPresent()
            ? String.format(
                Locale.ROOT, "%.3g", 1 - diagnosis.spectrum().secondEigenvalue().orNaN())
            : "not computed";
    Panels.centred(
        g,
        String.format(
            Locale.ROOT,
            "%d clients, %d links; SE(W) %.3g; spectral gap %s; period %d",
            diagnosis.clients(),
            diagnosis.edges(),
            diagnosis.se(),
            gap,
            diagnosis.period()),
        SIDE / 2.0,
        SIDE + 32);
    Panels.centred(
        g,
        "%d heard by nobody (rings), %d in no closed class (orange), closed classes: %d; area: share of π"
            .formatted(unheard, passing, diagnosis.classes().closedClasses().length),
        SIDE / 2.0,
        SIDE + 48);
  }
}
