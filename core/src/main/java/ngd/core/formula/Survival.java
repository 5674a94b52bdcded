package ngd.core.formula;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The times of {@code Surv(time, event)} or {@code Surv(start, stop, event)}: a row is at risk
 * after its start, if it has one, up to and including its stop.
 *
 * @param event what ended at the stop: an event, or the watching alone
 */
public record Survival(Optional<Expression> start, Expression stop, Expression event) {
  /** The times, the start first. */
  public List<Expression> times() {
    List<Expression> times = new ArrayList<>();
    start.ifPresent(times::add);
    times.add(stop);
    return List.copyOf(times);
  }

  /** As it is written. */
  public String text() {
    return "Surv(%s%s, %s)"
        .formatted(start.map(time -> time.text() + ", ").orElse(""), stop.text(), event.text());
  }
}
