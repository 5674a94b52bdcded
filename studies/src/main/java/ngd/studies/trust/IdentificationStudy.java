package ngd.studies.trust;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import ngd.core.algorithm.StepSize;
import ngd.core.algorithm.descent.Ngd;
import ngd.core.data.PaperModel;
import ngd.core.data.Partition;
import ngd.core.data.Placement;
import ngd.core.data.Shards;
import ngd.core.data.Table;
import ngd.core.inference.LiarIdentification;
import ngd.core.model.Linear;
import ngd.core.network.Network;
import ngd.core.random.Streams;
import ngd.core.rows.Edges;
import ngd.core.simulation.Attack;
import ngd.core.simulation.Run;
import ngd.core.simulation.Simulation;
import ngd.core.simulation.Trust;
import ngd.core.world.Diverged;
import ngd.core.world.Mixing;
import ngd.studies.ReplicatedStudy;
import ngd.studies.report.Output;
import ngd.studies.report.Section;
import ngd.studies.store.Results;

/**
 * Whether those whom clients suspect are liars: the share of honest ones among the suspects, and of
 * liars that are found, with nobody lying and under each attack, on the clients of {@link
 * TrustStudy}.
 *
 * @param rate the false-discovery rate that is asked for
 * @param attackers how many lie
 */
public record IdentificationStudy(double rate, int attackers, int defaultReplicates)
    implements ReplicatedStudy {
  private static final double ALPHA = 0.05;
  private static final int ROUNDS = 300;

  /** Liars side by side, of whom their neighbours hear more than their rule of mixing bears. */
  private static final List<Integer> SIDE_BY_SIDE = List.of(0, 1, 2, 3);

  /**
   * How clients mix, who lies how, and whether clients are alike.
   *
   * @param beyond whether so many lie that the rule does not stand, and nothing is promised
   */
  record Case(String mixing, Optional<String> attack, String partition, boolean beyond) {
    Case(String mixing, Optional<String> attack, String partition) {
      this(mixing, attack, partition, false);
    }

    String words() {
      return "%s, %s%s%s"
          .formatted(
              attack.orElse("nobody lies"),
              mixing,
              partition.equals("random") ? "" : ", rows " + partition,
              beyond ? ", %d liars side by side".formatted(SIDE_BY_SIDE.size()) : "");
    }
  }

  static final List<Case> CASES =
      List.of(
          new Case("mean", Optional.empty(), "random"),
          new Case("trimmed:2", Optional.empty(), "random"),
          new Case("mean", Optional.empty(), "sorted"),
          new Case("trimmed:2", Optional.of("sign-flip:4.0"), "random"),
          new Case("trimmed:2", Optional.of("constant:50.0"), "random"),
          new Case("trimmed:2", Optional.of("noise:0.5"), "random"),
          new Case("trimmed:2", Optional.of("drift:0.1"), "random"),
          new Case("trimmed:2", Optional.of("nan"), "random"),
          new Case("trimmed:2", Optional.of("inner-product:4.0"), "random"),
          new Case("trimmed:2", Optional.of("label-flip"), "random"),
          new Case("trimmed:2", Optional.of("alie"), "random"),
          new Case("trimmed:2", Optional.of("dissensus:1.0"), "random"),
          new Case("mean", Optional.of("constant:50.0"), "random"),
          new Case("mean", Optional.of("label-flip"), "random"),
          new Case("trimmed:2", Optional.of("drift:5.0E-4"), "random", true));

  /**
   * Of a case: the mean share of honest suspects, of liars found, and of clients that cannot tell.
   */
  static final int NUMBERS = 3;

  @Override
  public String name() {
    return "identification";
  }

  @Override
  public Map<String, Object> settings() {
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("model", PaperModel.LINEAR.spec());
    settings.put("rows", TrustStudy.ROWS);
    settings.put("clients", TrustStudy.CLIENTS);
    settings.put("network", TrustStudy.NETWORK);
    settings.put("weights", "metropolis");
    settings.put("alpha", ALPHA);
    settings.put("rounds", ROUNDS);
    settings.put("falseDiscoveryRate", rate);
    settings.put("attackers", attackers);
    settings.put("cases", CASES.stream().map(Case::words).toList());
    return settings;
  }

  @Override
  public int width() {
    return NUMBERS * CASES.size();
  }

  @Override
  public long rounds() {
    return (long) ROUNDS * CASES.size();
  }

  /** In microseconds, about. */
  @Override
  public double cost() {
    return 60.0 * rounds();
  }

  @Override
  public double[] replicate(Streams streams) {
    Table table = PaperModel.LINEAR.table(TrustStudy.ROWS, streams);
    double[] values = new double[width()];
    for (int c = 0; c < CASES.size(); c++) {
      Case one = CASES.get(c);
      Shards shards =
          Partition.parse(one.partition())
              .assign(table, OptionalInt.of(TrustStudy.CLIENTS), Placement.IN_ORDER, streams)
              .shards(table);
      Mixing rule = Mixing.parse(one.mixing());
      Trust trust =
          one.attack()
              .map(
                  kind ->
                      new Trust(
                          rule,
                          Attack.parse(kind),
                          one.beyond() ? SIDE_BY_SIDE : TrustStudy.liars(attackers)))
              .orElseGet(() -> new Trust(rule));
      Simulation simulation =
          new Simulation(TrustStudy.network(), new Linear().over(shards), streams, 1).with(trust);
      System.arraycopy(shares(simulation), 0, values, c * NUMBERS, NUMBERS);
    }
    return values;
  }

  /**
   * What honest clients say; nobody where they diverge, as then they have no estimate to judge by.
   */
  private double[] shares(Simulation simulation) {
    List<Integer> liars = simulation.trust().attackers();
    try (Run<Ngd.State> run = simulation.start(new Ngd(StepSize.constant(ALPHA)))) {
      run.advance(ROUNDS);
      Edges said = run.said();
      Network network = simulation.network();
      LiarIdentification found =
          simulation.within(
              world ->
                  LiarIdentification.of(
                      rate,
                      network,
                      0,
                      run.theta(),
                      said,
                      world.curved(),
                      new Linear(),
                      TrustStudy.ROWS));
      return shares(found, liars);
    } catch (Diverged diverged) {
      return new double[] {0, liars.isEmpty() ? Double.NaN : 0, 1};
    }
  }

  /** The means over honest clients of the three shares; of liars found, over those who hear any. */
  static double[] shares(LiarIdentification found, List<Integer> liars) {
    double honest = 0;
    double wrong = 0;
    double withheld = 0;
    double hearing = 0;
    double right = 0;
    for (LiarIdentification.Verdict one : found.clients()) {
      if (!liars.contains(one.client())) {
        List<Integer> suspects = one.suspects();
        long mistaken = suspects.stream().filter(k -> !liars.contains(k)).count();
        long heard = one.heard().stream().filter(k -> liars.contains(k.client())).count();
        honest++;
        wrong += suspects.isEmpty() ? 0 : (double) mistaken / suspects.size();
        withheld += one.withheld().isPresent() ? 1 : 0;
        hearing += heard > 0 ? 1 : 0;
        right += heard > 0 ? (double) (suspects.size() - mistaken) / heard : 0;
      }
    }
    return new double[] {
      wrong / honest, hearing == 0 ? Double.NaN : right / hearing, withheld / honest
    };
  }

  @Override
  public Section report(Results results, Output output) {
    return new IdentificationReport(this, results).write(output);
  }
}
