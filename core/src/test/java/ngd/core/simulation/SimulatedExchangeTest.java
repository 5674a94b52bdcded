package ngd.core.simulation;

import ngd.core.algorithm.ExchangeContract;
import ngd.core.linalg.Kernels;
import ngd.core.network.Network;
import ngd.core.random.Streams;
import ngd.core.rows.Host;
import ngd.core.rows.Workers;
import ngd.core.world.Mixing;

class SimulatedExchangeTest extends ExchangeContract {
  @Override
  protected World world(Network network, Mixing mixing) {
    Host host = new Host(Kernels.best(), new Workers(1));
    return new World(
        new SimulatedExchange(network, host, new Trust(mixing), Streams.of(1)), host::of);
  }
}
