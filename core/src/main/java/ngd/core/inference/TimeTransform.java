package ngd.core.inference;

import ngd.core.InvalidInput;

/** The function of time against which proportional hazards are tested. */
public enum TimeTransform {
  /** One less the Kaplan–Meier estimate of all rows just before the time, as R's default. */
  KM("km"),
  IDENTITY("identity"),
  LOG("log");

  private final String word;

  TimeTransform(String word) {
    this.word = word;
  }

  public String word() {
    return word;
  }

  public static TimeTransform parse(String word) {
    return switch (word) {
      case "km" -> KM;
      case "identity" -> IDENTITY;
      case "log" -> LOG;
      default ->
          throw new InvalidInput("zph: must be km, identity or log; got `%s`".formatted(word));
    };
  }

  /** What a time of an event counts; not for that which depends on all rows. */
  double of(double time) {
    return this == LOG ? Math.log(time) : time;
  }
}
