package ngd.deep.model;

import java.util.List;
import ngd.deep.device.Torch;
import org.bytedeco.pytorch.ScalarTypeOptional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptional;
import org.bytedeco.pytorch.global.torch;

/** The layers that normalise activations and then scale and shift each channel. */
public final class Norms {
  /** Added to a variance before it divides. */
  private static final double SMALL = 1e-5;

  private Norms() {}

  private static List<Weight> scaleAndShift(Shape in) {
    return List.of(
        new Weight("weight", List.of(in.channels()), new Weight.Constant(1)),
        new Weight("bias", List.of(in.channels()), new Weight.Constant(0)));
  }

  /** Channels of all clients beside each other, as those of images are: flat ones n × (M·C). */
  private static Tensor beside(Tensor x, Shape in, Pass pass) {
    return in.flat()
        ? x.transpose(0, 1).reshape(x.size(1), (long) pass.clients() * in.channels())
        : x;
  }

  /** Undoes {@link #beside}. */
  private static Tensor apart(Tensor x, Shape in, Pass pass) {
    return in.flat() ? x.view(x.size(0), pass.clients(), in.channels()).transpose(0, 1) : x;
  }

  /**
   * A number that each channel of each client is multiplied by, and one that is added then.
   *
   * @param scale M·C numbers
   * @param shift M·C numbers
   */
  record Affine(Tensor scale, Tensor shift) {}

  /**
   * Batch normalisation (Ioffe and Szegedy 2015) over a client's own samples. Its running mean and
   * variance are no parameters: they stay with the client, unless a run mixes them.
   */
  public record BatchNorm() implements Layer {
    private static final double MOMENTUM = 0.1;

    @Override
    public String name() {
      return "norm";
    }

    @Override
    public Shape after(Shape in) {
      return in;
    }

    @Override
    public List<Weight> weights(Shape in) {
      return scaleAndShift(in);
    }

    @Override
    public List<Weight> statistics(Shape in) {
      return List.of(
          new Weight("running_mean", List.of(in.channels()), new Weight.Constant(0)),
          new Weight("running_var", List.of(in.channels()), new Weight.Constant(1)));
    }

    @Override
    public Tensor forward(Tensor x, Shape in, List<Tensor> weights, Pass pass) {
      return apart(normalised(beside(x, in, pass), in, weights, pass), in, pass);
    }

    /** Whether it uses its statistics as they are: then it only scales and shifts channels. */
    boolean asGiven(Pass pass) {
      return !pass.training() || pass.frozen();
    }

    /** What it does to channels where statistics are used as they are. */
    Affine affine(List<Tensor> weights, Pass pass) {
      Tensor mean = pass.statistics().get(0);
      Tensor variance = pass.statistics().get(1);
      Tensor scale =
          variance.add(Torch.scalar(SMALL)).rsqrt().mul(channels(weights.get(0), variance));
      return new Affine(scale, channels(weights.get(1), mean).sub(mean.mul(scale)));
    }

    /** A weight like a statistic: one number a channel, and not below float32. */
    private static Tensor channels(Tensor weight, Tensor statistic) {
      return weight.reshape(statistic.size(0)).to(statistic.scalar_type());
    }

    /** Channels of all clients beside each other, so that each has statistics of its own. */
    private Tensor normalised(Tensor x, Shape in, List<Tensor> weights, Pass pass) {
      Tensor scale = channels(weights.get(0), pass.statistics().get(0));
      Tensor shift = channels(weights.get(1), pass.statistics().get(1));
      Tensor counted = pass.real();
      boolean byBatch = !asGiven(pass);
      if (byBatch && counted != null) {
        return masked(x, in, scale, shift, counted, pass);
      }
      return torch.batch_norm(
          x,
          new TensorOptional(scale),
          new TensorOptional(shift),
          new TensorOptional(pass.statistics().get(0)),
          new TensorOptional(pass.statistics().get(1)),
          byBatch,
          MOMENTUM,
          SMALL,
          true);
    }

    /** The same where clients have batches of different length: what fills up does not count. */
    private static Tensor masked(
        Tensor x, Shape in, Tensor scale, Tensor shift, Tensor counted, Pass pass) {
      long n = x.size(0);
      long clients = pass.clients();
      long pixels = (long) in.height() * in.width();
      long channels = clients * in.channels();
      Tensor wide = x.to(scale.scalar_type()).reshape(n, clients, in.channels(), pixels);
      Tensor mask = counted.to(wide.scalar_type()).transpose(0, 1).reshape(n, clients, 1, 1);
      Tensor count = total(mask).mul(Torch.scalar((double) pixels));
      Tensor mean = total(wide.mul(mask)).div(count);
      Tensor centred = wide.sub(mean);
      Tensor variance = total(centred.square().mul(mask)).div(count);
      update(pass.statistics().get(0), mean.reshape(channels));
      Tensor others = count.sub(Torch.scalar(1)).clamp_min(Torch.scalar(1));
      update(pass.statistics().get(1), variance.mul(count).div(others).reshape(channels));
      Tensor normal = centred.mul(variance.add(Torch.scalar(SMALL)).rsqrt());
      Tensor out =
          normal
              .mul(scale.view(1, clients, in.channels(), 1))
              .add(shift.view(1, clients, in.channels(), 1))
              .to(x.scalar_type());
      return x.dim() == 2 ? out.view(n, channels) : out.view(n, channels, in.height(), in.width());
    }

    private static Tensor total(Tensor x) {
      return x.sum(new long[] {0, 3}, true, new ScalarTypeOptional());
    }

    private static void update(Tensor running, Tensor now) {
      running.copy_(
          running
              .mul(Torch.scalar(1 - MOMENTUM))
              .add(now.detach().to(running.scalar_type()), Torch.scalar(MOMENTUM)));
    }
  }

  /**
   * Group normalisation (Wu and He 2018) with as many groups as divide the channels, 32 at most:
   * each sample is normalised by itself, so that nothing depends on what else is in a batch. It has
   * the parameters of {@link BatchNorm}, and no statistics.
   */
  public record GroupNorm() implements Layer {
    private static final int MOST_GROUPS = 32;

    @Override
    public String name() {
      return "norm";
    }

    @Override
    public Shape after(Shape in) {
      return in;
    }

    @Override
    public List<Weight> weights(Shape in) {
      return scaleAndShift(in);
    }

    /** The largest number of groups that divides the channels. */
    private static long groups(int channels) {
      long groups = Math.min(MOST_GROUPS, channels);
      while (channels % groups != 0) {
        groups--;
      }
      return groups;
    }

    @Override
    public Tensor forward(Tensor x, Shape in, List<Tensor> weights, Pass pass) {
      long channels = (long) pass.clients() * in.channels();
      // Groups do not reach over clients, whose channels lie beside each other.
      Tensor normal =
          torch.group_norm(
              beside(x, in, pass),
              pass.clients() * groups(in.channels()),
              new TensorOptional(weights.get(0).reshape(channels)),
              new TensorOptional(weights.get(1).reshape(channels)),
              SMALL,
              true);
      return apart(normal, in, pass);
    }
  }
}
