package ngd.core.preparation;

import ngd.core.InvalidInput;
import ngd.core.NearestName;

/** What happens to rows in which a value is missing. */
public enum Missing {
  /** They are left out, and counted. */
  DROP,
  /** They are an error. */
  FAIL;

  public static Missing parse(String word) {
    return switch (word) {
      case "drop" -> DROP;
      case "fail" -> FAIL;
      default ->
          throw new InvalidInput(
              "missing: must be drop or fail; got `%s`%s"
                  .formatted(word, NearestName.hint(word, java.util.List.of("drop", "fail"))));
    };
  }

  /** The word on the command line. */
  public String spec() {
    return this == DROP ? "drop" : "fail";
  }
}
