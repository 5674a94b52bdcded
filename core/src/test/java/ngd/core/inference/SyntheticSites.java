package ngd.core.inference;

import de.siegmar.fastcsv.reader.NamedCsvRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import ngd.core.data.Shards;
import ngd.core.data.Table;
import ngd.core.model.Families;
import ngd.core.model.Glm;
import ngd.core.model.Probit;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.random.Streams;
import ngd.core.simulation.Simulation;

/** The 24 unequal sites of {@code oracles/glm/synthetic.csv}, one response for each family. */
record SyntheticSites(Glm glm, Shards shards, List<String> terms) {

  /** The model of an oracle by its name, on the sites from {@code first} on. */
  static SyntheticSites of(String name, int first) {
    String response =
        switch (name.split("-", -1)[0]) {
          case "gaussian" -> "gaussian";
          case "logit", "probit" -> "binary";
          case "poisson" -> "count";
          case "gamma" -> "positive";
          default -> "over";
        };
    Glm glm =
        switch (name.split("-", -1)[0]) {
          case "logit" -> Families.parse("binomial");
          case "probit" -> new Probit();
          case "negative" -> Families.parse("negative-binomial:1.5");
          case String family -> Families.parse(family);
        };
    boolean intercept = !name.contains("no-intercept");
    List<List<NamedCsvRecord>> sites = new ArrayList<>();
    for (int m = first; m < 24; m++) {
      sites.add(new ArrayList<>());
    }
    for (NamedCsvRecord line : GlmOracle.lines(GlmOracle.folder().resolve("synthetic.csv"))) {
      int site = Integer.parseInt(line.getField("site"));
      if (site >= first) {
        sites.get(site - first).add(line);
      }
    }
    Shards.Filler filler =
        Shards.sized(intercept ? 3 : 2, sites.stream().mapToInt(List::size).toArray());
    for (int m = 0; m < sites.size(); m++) {
      for (int i = 0; i < sites.get(m).size(); i++) {
        NamedCsvRecord line = sites.get(m).get(i);
        double x1 = Double.parseDouble(line.getField("x1"));
        double x2 = Double.parseDouble(line.getField("x2"));
        double w = name.contains("weights") ? Double.parseDouble(line.getField("w")) : 1;
        double offset =
            name.contains("offset") ? Math.log(Double.parseDouble(line.getField("exposure"))) : 0;
        filler.put(
            m,
            i,
            intercept ? new double[] {1, x1, x2} : new double[] {x1, x2},
            Double.parseDouble(line.getField(response)),
            offset,
            name.startsWith("gaussian") && w == 0 ? 0.25 : w);
      }
    }
    return new SyntheticSites(
        glm, filler.done(), intercept ? List.of(Table.INTERCEPT, "x1", "x2") : List.of("x1", "x2"));
  }

  Inference fit(Network network, PooledFit.Settings settings, Inference.Options options) {
    return fit(glm, shards, terms, network, settings, options);
  }

  /** What follows from the fit while its sites can still be asked. */
  <T> T then(PooledFit.Settings settings, Inference.Options options, Function<Inference, T> next) {
    Network network = Network.of(Topology.parse("central", shards.clients(), Streams.of(1)));
    return new Simulation(network, glm.over(shards), Streams.of(1), 1)
        .within(
            world ->
                next.apply(
                    Inference.of(
                        PooledFit.on(network, glm, terms, settings).run(world, FitProgress.NONE),
                        options)));
  }

  static Inference fit(
      Glm glm,
      Shards shards,
      List<String> terms,
      Network network,
      PooledFit.Settings settings,
      Inference.Options options) {
    return new Simulation(network, glm.over(shards), Streams.of(1), 1)
        .within(
            world -> {
              Inference inference =
                  Inference.of(
                      PooledFit.on(network, glm, terms, settings).run(world, FitProgress.NONE),
                      options);
              // Whatever can be fitted can be summarised.
              var _ = Diagnostics.of(inference, SmallCells.MINIMUM);
              return inference;
            });
  }
}
