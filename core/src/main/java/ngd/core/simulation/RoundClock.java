package ngd.core.simulation;

import ngd.core.random.Streams;
import ngd.core.world.GradientCount;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;

/**
 * The simulated time of an algorithm in rounds under the same impairments as an asynchronous one: a
 * round ends when the slowest client has computed and the last message has arrived. Clients have
 * the paces of {@link EventRun} under the same seed. A client that is down makes everybody wait,
 * and a lost message is sent again, which takes as long again.
 */
final class RoundClock {
  private final Impairments impairments;
  private final UniformRandomProvider messages;
  private final UniformRandomProvider[] draws;
  private final double[] paces;
  private final double[] awayFrom;
  private final double[] awayUntil;
  private final double slowest;

  /** The mean time of a message until it has arrived. */
  private final double delay;

  private final boolean perfect;
  private double now;

  /** What this round's messages have taken so far. */
  private double sending;

  RoundClock(Impairments impairments, int clients, Streams streams) {
    this.impairments = impairments;
    // Exponential times, as many as it takes until one is not lost, add up to an exponential time.
    delay = impairments.delay() / (1 - impairments.loss());
    messages = streams.stream(Streams.Purpose.EVENTS, clients);
    perfect = impairments.clocks() == Impairments.Clocks.EQUAL && impairments.up() == 0;
    int drawn = perfect ? 0 : clients;
    draws = new UniformRandomProvider[drawn];
    paces = new double[drawn];
    awayFrom = new double[drawn];
    awayUntil = new double[drawn];
    double most = 1;
    for (int m = 0; m < drawn; m++) {
      draws[m] = streams.stream(Streams.Purpose.EVENTS, m);
      paces[m] =
          impairments.clocks() == Impairments.Clocks.UNEQUAL ? 0.5 + draws[m].nextDouble() : 1;
      most = m == 0 ? paces[m] : Math.max(most, paces[m]);
      if (impairments.up() > 0) {
        awayFrom[m] = exponential(m, impairments.up());
        awayUntil[m] = awayFrom[m] + exponential(m, impairments.down());
      }
    }
    slowest = most;
  }

  double seconds() {
    return now;
  }

  /** Clients send each other this many messages at once, and wait for the last of them. */
  void send(long count) {
    if (delay > 0 && count > 0) {
      // The largest of n exponential times, by the inverse of its distribution function.
      double u = 1 - messages.nextDouble();
      sending -= delay * Math.log(-Math.expm1(Math.log(u) / count));
    }
  }

  /** A round is done, in which clients computed this much. */
  void endRound(GradientCount gradients) {
    now = (perfect ? now + gradients.most() : computed(gradients)) + sending;
    sending = 0;
    gradients.endRound();
  }

  /** When the last client has done its work; nobody waits for one that rests. */
  private double computed(GradientCount gradients) {
    if (impairments.clocks() == Impairments.Clocks.UNEQUAL
        && impairments.up() == 0
        && gradients.even()) {
      return now + gradients.most() * slowest;
    }
    double last = now;
    for (int m = 0; m < paces.length; m++) {
      double wait =
          impairments.clocks() == Impairments.Clocks.POISSON ? exponential(m, 1) : paces[m];
      if (!gradients.rests(m)) {
        last = Math.max(last, back(m) + gradients.work(m) * wait);
      }
    }
    return last;
  }

  /** When a client can begin: now, or when it is back. */
  private double back(int m) {
    if (impairments.up() == 0) {
      return now;
    }
    while (now >= awayUntil[m]) {
      awayFrom[m] = awayUntil[m] + exponential(m, impairments.up());
      awayUntil[m] = awayFrom[m] + exponential(m, impairments.down());
    }
    return now < awayFrom[m] ? now : awayUntil[m];
  }

  private double exponential(int m, double mean) {
    return mean * ZigguratSampler.Exponential.of(draws[m]).sample();
  }
}
