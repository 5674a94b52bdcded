package ngd.studies.figure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.StringReader;
import javax.xml.parsers.DocumentBuilderFactory;
import ngd.core.network.Diagnosis;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.network.Weights;
import ngd.core.random.Streams;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

/** The oracles are geometry: circles are round, parts that no link joins lie apart. */
class NetworkFigureTest {
  @Test
  void layout_ofACircle_isRound() {
    Topology circle = new Topology.Circle(12, 2);
    NetworkLayout layout = NetworkLayout.of(circle, Network.of(circle));
    for (int m = 0; m < 12; m++) {
      assertThat(Math.hypot(layout.x(m), layout.y(m))).isCloseTo(1, within(1e-12));
    }
  }

  @Test
  void layout_byForces_bringsNeighboursTogetherAndFillsTheSquare() {
    Network network = Network.of(new Topology.Torus(100));
    NetworkLayout layout = NetworkLayout.of(network);
    double linked = 0;
    double all = 0;
    double widest = 0;
    for (int m = 0; m < 100; m++) {
      for (int k = 0; k < 100; k++) {
        double distance = Math.hypot(layout.x(m) - layout.x(k), layout.y(m) - layout.y(k));
        all += distance / 1e4;
        linked += network.weight(m, k) > 0 ? distance / 400 : 0;
      }
      assertThat(Math.abs(layout.x(m))).isLessThanOrEqualTo(1 + 1e-12);
      assertThat(Math.abs(layout.y(m))).isLessThanOrEqualTo(1 + 1e-12);
      widest = Math.max(widest, Math.max(Math.abs(layout.x(m)), Math.abs(layout.y(m))));
    }
    assertThat(widest).isCloseTo(1, within(1e-12));
    assertThat(linked).isLessThan(0.5 * all);
  }

  @Test
  void layout_twoPartsWithoutALinkBetween_keepsThemApart() {
    double[][] w = new double[20][20];
    for (int m = 0; m < 20; m++) {
      for (int k = 0; k < 20; k++) {
        w[m][k] = m / 10 == k / 10 && m != k ? 1.0 / 9 : 0;
      }
    }
    NetworkLayout layout = NetworkLayout.of(Network.of(w));
    double[] x = new double[2];
    double[] y = new double[2];
    double spread = 0;
    for (int m = 0; m < 20; m++) {
      x[m / 10] += layout.x(m) / 10;
      y[m / 10] += layout.y(m) / 10;
    }
    for (int m = 0; m < 20; m++) {
      spread = Math.max(spread, Math.hypot(layout.x(m) - x[m / 10], layout.y(m) - y[m / 10]));
    }
    assertThat(Math.hypot(x[0] - x[1], y[0] - y[1])).isGreaterThan(spread);
  }

  @Test
  void svg_ofANetwork_isWellFormedAndHasADiscForEachClient() throws Exception {
    Topology fixed = new Topology.Fixed(30, 2, Streams.of(1));
    Diagnosis diagnosis = Diagnosis.of(fixed, new Weights.Uniform());
    String svg =
        new NetworkFigure("fixed:2", diagnosis, NetworkLayout.of(fixed, diagnosis.network()))
            .figure()
            .svg("network");
    Document parsed =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new InputSource(new StringReader(svg)));
    assertThat(parsed.getElementsByTagName("line").getLength()).isEqualTo(60);
    assertThat(parsed.getElementsByTagName("circle").getLength()).isEqualTo(60); // fill and rim
    assertThat(parsed.getDocumentElement().getTextContent())
        .contains(
            "30 clients, 60 links", "%d heard by nobody".formatted(diagnosis.unheard().length));
  }
}
