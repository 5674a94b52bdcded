package ngd.core.question;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import ngd.core.InvalidInput;
import ngd.core.NearestName;
import ngd.core.NumberText;
import ngd.core.simulation.Cost;

/** How much each of several methods may spend: {@code rounds:500}, {@code bytes:1e6}. */
public record Budget(Kind kind, long amount) {
  /** What is counted. */
  public enum Kind {
    ROUNDS,
    /** Rows' gradients, over all clients. */
    GRADIENTS,
    /** Sent by all clients together. */
    BYTES,
    /** Simulated time. */
    SECONDS;

    /** The word on the command line. */
    public String spec() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** What a run has spent after some rounds. */
  public double spent(int rounds, Cost cost) {
    return switch (kind) {
      case ROUNDS -> rounds;
      case GRADIENTS -> cost.gradients();
      case BYTES -> cost.traffic().bytes();
      case SECONDS -> cost.seconds();
    };
  }

  public String spec() {
    return "%s:%d".formatted(kind.spec(), amount);
  }

  /** Reads {@code rounds:500}, {@code gradients:2e6}, {@code bytes:…} or {@code seconds:…}. */
  static Budget parse(String text) {
    List<String> kinds = Arrays.stream(Kind.values()).map(Kind::spec).toList();
    String[] parts = text.strip().split(":", -1);
    if (parts.length != 2 || !kinds.contains(parts[0])) {
      throw new InvalidInput(
          "budget: must be rounds:T, gradients:G, bytes:B or seconds:S; got `%s`%s"
              .formatted(text, parts.length == 2 ? NearestName.hint(parts[0], kinds) : ""));
    }
    double amount =
        NumberText.read(
            parts[1],
            Double::parseDouble,
            () -> "budget: must have a whole number after the colon; got `%s`".formatted(text));
    double most = parts[0].equals(Kind.ROUNDS.spec()) ? Integer.MAX_VALUE : 1e18;
    if (!(amount >= 1 && amount <= most) || amount != Math.rint(amount)) {
      throw new InvalidInput(
          "budget: must have a whole number from 1 to %s after the colon; got `%s`"
              .formatted(NumberText.text(most), text));
    }
    return new Budget(Kind.valueOf(parts[0].toUpperCase(Locale.ROOT)), (long) amount);
  }
}
