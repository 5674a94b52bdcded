package ngd.core.formula;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.OptionalDouble;

/**
 * Dates and times as numbers, as R has them: a date is the days since 1970-01-01, a time the
 * seconds since that day began in UTC. A time without a zone is taken as UTC.
 */
public final class Moments {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss", Locale.ROOT);
  private static final double NANOS = 1e9;
  private static final double DAY = 86_400;
  private static final int DATE_LENGTH = 10;

  private Moments() {}

  /** The number that a text in a formula means beside a date or a time; empty where it is none. */
  public static OptionalDouble number(ColumnType type, String text) {
    try {
      String iso = text.strip().replace(' ', 'T');
      if (type == ColumnType.DATE) {
        return OptionalDouble.of((double) LocalDate.parse(iso).toEpochDay());
      }
      LocalDateTime time =
          iso.length() == DATE_LENGTH
              ? LocalDate.parse(iso).atStartOfDay()
              : LocalDateTime.parse(iso);
      return OptionalDouble.of(
          time.toLocalDate().toEpochDay() * DAY + time.toLocalTime().toNanoOfDay() / NANOS);
    } catch (DateTimeException e) {
      return OptionalDouble.empty();
    }
  }

  /** A date or time as people write it, to the day or the second; R writes it so too. */
  public static String text(ColumnType type, double number) {
    return type == ColumnType.DATE
        ? LocalDate.ofEpochDay((long) Math.floor(number)).toString()
        : LocalDateTime.ofEpochSecond((long) Math.floor(number), 0, ZoneOffset.UTC).format(TIME);
  }
}
