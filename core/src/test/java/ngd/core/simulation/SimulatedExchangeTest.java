package ngd.core.simulation;

import ngd.core.algorithm.ExchangeContract;
import ngd.core.linalg.Host;
import ngd.core.linalg.Kernels;
import ngd.core.linalg.Workers;
import ngd.core.network.Network;

class SimulatedExchangeTest extends ExchangeContract {
  @Override
  protected World world(Network network) {
    Host host = new Host(Kernels.best(), new Workers(1));
    return new World(new SimulatedExchange(network, host), host::of);
  }
}
