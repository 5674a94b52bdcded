package ngd.deep.device;

import ngd.core.algorithm.ExchangeContract;
import ngd.core.network.Network;
import ngd.core.world.Mixing;
import org.junit.jupiter.api.AfterEach;

/** The contract of every exchange, on libtorch in float64. */
final class DeviceExchangeTest extends ExchangeContract {
  private final Device device = Device.of("cpu", Precision.FLOAT64, 1);

  @AfterEach
  void close() {
    device.close();
  }

  @Override
  protected World world(Network network, Mixing mixing) {
    return new World(new DeviceExchange(network, device, mixing), device::of);
  }
}
