package ngd.core.model;

import ngd.core.data.Shard;

/** A family's loss of which no more is known than its value and its derivatives. */
public record OwnCurved(Glm glm) implements CurvedLoss {
  @Override
  public String name() {
    return "own " + glm.name();
  }

  @Override
  public double value(Shard shard, double[] theta) {
    return glm.value(shard, theta);
  }

  @Override
  public void gradient(Shard shard, double[] theta, double[] gradient) {
    glm.gradient(shard, theta, gradient);
  }

  @Override
  public void hessian(Shard shard, double[] theta, double[] hessian) {
    glm.hessian(shard, theta, hessian);
  }
}
