package ngd.core.training;

import java.nio.file.Path;
import java.util.List;
import ngd.core.InvalidInput;
import ngd.core.Vocabulary;
import ngd.core.data.TableAddress;
import ngd.core.formula.Formula;
import ngd.core.preparation.Missing;

/** What a network learns from, and what it is validated with. */
public sealed interface TrainingData {
  /**
   * Images in files of a known kind.
   *
   * @param word mnist, cifar10 or images
   */
  record ImageFiles(String word, Path folder) implements TrainingData {
    private static final Vocabulary WORDS =
        new Vocabulary(
            "data",
            List.of("mnist:DIR", "cifar10:DIR", "images:DIR", "a table's file", "a jdbc: URL"));

    /** What a word such as {@code mnist:DIR} names. */
    public static ImageFiles parse(String spec) {
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
      return new ImageFiles(word, Path.of(rest));
    }
  }

  /** Rows of a table, each of the class that the formula's response names. */
  record TableRows(TableAddress address, Formula formula, Missing missing)
      implements TrainingData {}

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
