package ngd.core.data;

import java.util.regex.Pattern;
import ngd.core.InvalidInput;

/** The address of a database, and what of it may be written down. */
public final class DatabaseUrl {
  /** How such an address begins. */
  public static final String PREFIX = "jdbc:";

  /** What stands for a secret that was left out. */
  private static final String HIDDEN = "…";

  private static final Pattern CREDENTIALS = Pattern.compile("//[^/@]*@");
  private static final Pattern SECRET =
      Pattern.compile("(?i)([?&;][^=&;]*(?:pass|pwd|secret|token|key|user)[^=&;]*=)([^&;]*)");
  private static final Pattern VARIABLE = Pattern.compile("\\$\\{\\w+\\}");

  private DatabaseUrl() {}

  /** The place without users and passwords, but for those that environment variables hold. */
  public static String stored(String place) {
    int url = place.indexOf(PREFIX);
    if (url < 0) {
      return place;
    }
    String open = CREDENTIALS.matcher(place).replaceAll("//" + HIDDEN + "@");
    return SECRET
        .matcher(open)
        .replaceAll(
            found ->
                java.util.regex.Matcher.quoteReplacement(
                    found.group(1)
                        + (VARIABLE.matcher(found.group(2)).matches() ? found.group(2) : HIDDEN)));
  }

  /** Refuses a place that was written down without its secrets. */
  public static String whole(String key, String place) {
    if (place.contains(PREFIX) && place.contains(HIDDEN)) {
      throw new InvalidInput(
          "%s: users and passwords of databases are not stored in manifests; give --%s again, or use $${NAME}, an environment variable"
              .formatted(key, key)
              .replace("$$", "$"));
    }
    return place;
  }
}
