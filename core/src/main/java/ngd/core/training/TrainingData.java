package ngd.core.training;

import java.nio.file.Path;
import java.util.List;
import ngd.core.InvalidInput;
import ngd.core.Vocabulary;
import ngd.core.data.TableAddress;
import ngd.core.formula.Formula;
import ngd.core.preparation.Missing;
import ngd.core.run.JsonObject;

/** What a network learns from, and what it is validated with. */
public sealed interface TrainingData {
  /** Adds what bears on the result to a request; no secrets. */
  JsonObject describe(JsonObject request);

  /**
   * Images in files of a known kind.
   *
   * @param word mnist, cifar10 or images
   */
  record Images(String word, Path folder) implements TrainingData {
    private static final Vocabulary WORDS =
        new Vocabulary(
            "data",
            List.of("mnist:DIR", "cifar10:DIR", "images:DIR", "a table's file", "a jdbc: URL"));

    /** What a word such as {@code mnist:DIR} names. */
    public static Images parse(String spec) {
      int colon = spec.indexOf(':');
      String word = colon < 0 ? spec : spec.substring(0, colon);
      String rest = colon < 0 ? "" : spec.substring(colon + 1);
      if (!List.of("mnist", "cifar10", "images").contains(word)) {
        // What follows may be a mistyped URL, with a password in it.
        throw WORDS.unknown(word);
      }
      if (rest.isBlank()) {
        throw new InvalidInput(
            "data: the form is `%s:DIR`, the folder after the colon; got `%s`"
                .formatted(word, spec));
      }
      return new Images(word, Path.of(rest));
    }

    @Override
    public JsonObject describe(JsonObject request) {
      return request.put("data", word + ":" + folder);
    }
  }

  /** Rows of a table, each of the class that the formula's response names. */
  record Rows(TableAddress address, Formula formula, Missing missing) implements TrainingData {
    @Override
    public JsonObject describe(JsonObject request) {
      return request
          .put("data", shown(address.location()))
          .put("query", address.query().orElse(null))
          .put("na", address.missing())
          .put("missing", missing.spec())
          .put("formula", formula.text());
    }

    /** Of a URL only the kind of database, as the rest may hold secrets. */
    private static String shown(String location) {
      return isUrl(location)
          ? location.substring(0, location.indexOf(':', URL.length()) + 1) + "…"
          : location;
    }
  }

  /** How the address of a database begins. */
  String URL = "jdbc:";

  private static boolean isUrl(String place) {
    return place.startsWith(URL);
  }

  /**
   * Whether a place is meant to be a table: a file, a pattern, a database. A word before a colon
   * means images; one letter is a drive.
   */
  static boolean isTable(String place) {
    return isUrl(place)
        || !(place.matches("\\w{2,}:.*") || List.of("mnist", "cifar10", "images").contains(place));
  }
}
