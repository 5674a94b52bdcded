///usr/bin/env jbang "$0" "$@" ; exit $?
//JAVA 25+
//DEPS org.ngd:ngd-core:0.1.0
//RUNTIME_OPTIONS --add-modules=jdk.incubator.vector

// A regression over ten sites with standard errors. With JBang, once `./ngd install-library` has run: `jbang docs/examples/pooled.java`;
// with a JDK alone: `java -cp CLASSPATH docs/examples/pooled.java`.

import java.util.List;
import ngd.core.data.PaperModel;
import ngd.core.data.Shards;
import ngd.core.inference.FitProgress;
import ngd.core.inference.Inference;
import ngd.core.inference.PooledFit;
import ngd.core.model.Logistic;
import ngd.core.network.Network;
import ngd.core.network.Topology;
import ngd.core.random.Streams;
import ngd.core.simulation.Simulation;

void main() {
  Network network = Network.of(new Topology.Circle(10, 1));
  Shards shards = PaperModel.LOGISTIC.shards(10, 200, Streams.of(7));
  List<String> terms = List.of("x1", "x2", "x3", "x4", "x5", "x6");
  PooledFit fit = PooledFit.on(network, new Logistic(), terms, PooledFit.Settings.STANDARD);
  Inference found =
      Simulation.of(network, new Logistic().over(shards))
          .within(
              world -> Inference.of(fit.run(world, FitProgress.NONE), Inference.Options.STANDARD));
  found
      .coefficients()
      .forEach(
          line ->
              IO.println(
                  "%s %.3f (%.3f)".formatted(line.term(), line.estimate(), line.standardError())));
}
