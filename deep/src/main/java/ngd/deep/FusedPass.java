package ngd.deep;

import org.bytedeco.pytorch.Tensor;

/** All clients' gradients over all their samples by kernels of our own. */
interface FusedPass extends AutoCloseable {
  /** The gradient of each row of theta, in the current scope. */
  Tensor gradient(Tensor theta);

  @Override
  void close();
}
