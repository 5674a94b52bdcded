/**
 * Where tensors live: a {@link ngd.deep.device.Device} is a processor or a GPU, and owns all native
 * memory that is made on it. {@link ngd.deep.device.DeviceRows} are the rows of all clients as one
 * tensor, {@link ngd.deep.device.DeviceExchange} is W times them. What touches libtorch or the CUDA
 * driver comes through here first.
 */
@NullMarked
package ngd.deep.device;

import org.jspecify.annotations.NullMarked;
