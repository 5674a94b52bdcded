package ngd.core.simulation;

import java.util.List;
import ngd.core.InvalidInput;
import ngd.core.model.Linear;
import ngd.core.model.Objective;
import ngd.core.world.Mixing;

/**
 * Whom clients may trust: how they average what they hear, and which of them lie.
 *
 * @param attack what the attackers do; without attackers it does not matter
 * @param attackers the clients that lie in all that they send, while they follow the rules
 *     themselves, or follow them on false data
 */
public record Trust(Mixing mixing, Attack attack, List<Integer> attackers) {
  /** All are honest and trusted. */
  public static final Trust FULL = new Trust(new Mixing.Mean());

  public Trust {
    attackers = List.copyOf(attackers);
  }

  public Trust(Mixing mixing) {
    this(mixing, new Attack.NotANumber(), List.of());
  }

  /** Whether averaging is W x, and W x is true. */
  boolean full() {
    return mixing instanceof Mixing.Mean && attackers.isEmpty();
  }

  /** The data that clients work on: attackers' responses are false where they flip labels. */
  Objective poisoned(Objective truth) {
    if (attackers.isEmpty() || !(attack instanceof Attack.LabelFlip)) {
      return truth;
    }
    if (truth.loss() instanceof Linear) {
      return truth.loss().over(truth.shards().responding(attackers, y -> -y));
    }
    return truth.loss().over(truth.shards().responding(attackers, Trust::flipped));
  }

  private static double flipped(double y) {
    if (y != 0 && y != 1) {
      throw new InvalidInput(
          "attack label-flip: responses must be 0 and 1, or the model linear; got " + y);
    }
    return 1 - y;
  }

  void requireClients(int clients) {
    for (int attacker : attackers) {
      if (attacker < 0 || attacker >= clients) {
        throw new InvalidInput(
            "attackers: must be clients, 0 to %d; got %d".formatted(clients - 1, attacker));
      }
    }
  }
}
