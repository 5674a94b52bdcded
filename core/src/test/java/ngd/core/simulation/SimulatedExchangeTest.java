package ngd.core.simulation;

import ngd.core.algorithm.ExchangeContract;
import ngd.core.linalg.Kernels;
import ngd.core.network.Network;
import ngd.core.rows.Host;
import ngd.core.rows.Workers;

class SimulatedExchangeTest extends ExchangeContract {
  @Override
  protected World world(Network network) {
    Host host = new Host(Kernels.best(), new Workers(1));
    return new World(new SimulatedExchange(network, host), host::of);
  }
}
