package ngd.deep;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import ngd.core.InvalidInput;
import ngd.core.Vocabulary;
import ngd.core.data.CsvSource;

/** Samples to learn from and samples to validate with, of the same shape and classes. */
public record DataSet(Samples train, Samples validation) {
  private static final Vocabulary WORDS =
      new Vocabulary(
          "data", List.of("mnist:DIR", "cifar10:DIR", "images:DIR", "csv:FILE:RESPONSE"));

  public DataSet {
    if (!train.shape().equals(validation.shape())) {
      throw new InvalidInput(
          "%s: samples must be %s like those of %s; got %s"
              .formatted(validation.source(), train.shape(), train.source(), validation.shape()));
    }
  }

  /** What a specification such as {@code mnist:DIR} names. */
  public static DataSet parse(String spec) {
    int colon = spec.indexOf(':');
    String word = colon < 0 ? spec : spec.substring(0, colon);
    String rest = colon < 0 ? "" : spec.substring(colon + 1);
    if (!List.of("mnist", "cifar10", "images", "csv").contains(word)) {
      throw WORDS.unknown(spec);
    }
    if (rest.isBlank()) {
      throw new InvalidInput(
          "data: the form is one of %s; got `%s`"
              .formatted(String.join(", ", WORDS.forms()), spec));
    }
    return switch (word) {
      case "mnist" -> MnistFiles.read(Path.of(rest));
      case "cifar10" -> CifarFiles.read(Path.of(rest));
      case "images" -> ImageFolder.read(Path.of(rest));
      default -> table(rest);
    };
  }

  private static DataSet table(String rest) {
    int colon = rest.lastIndexOf(':');
    if (colon < 1 || colon == rest.length() - 1) {
      throw new InvalidInput(
          "data: the form is `csv:FILE:RESPONSE`, the response last; got `csv:%s`".formatted(rest));
    }
    String response = rest.substring(colon + 1);
    return TableSamples.of(
        new CsvSource(
                Path.of(rest.substring(0, colon)), response, List.of(), false, Optional.empty())
            .read());
  }
}
