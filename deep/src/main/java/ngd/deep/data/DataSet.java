package ngd.deep.data;

import java.util.Optional;
import java.util.function.Consumer;
import ngd.core.InvalidInput;
import ngd.core.training.TrainingData;

/** Samples to learn from and samples to validate with, of the same shape and classes. */
public record DataSet(Samples train, Samples validation) {
  public DataSet {
    if (!train.shape().equals(validation.shape())) {
      throw new InvalidInput(
          "%s: samples must be %s like those of %s; got %s"
              .formatted(validation.source(), train.shape(), train.source(), validation.shape()));
    }
    long numbers = (long) train.size() * train.shape().size();
    if (numbers > Integer.MAX_VALUE) {
      throw new InvalidInput(
          "%s: at most 2^31 numbers fit one process; got %d samples of %s (--samples takes fewer)"
              .formatted(train.source(), train.size(), train.shape()));
    }
  }

  /**
   * Reads what is asked for.
   *
   * @param clientColumn of a table, the column that names each row's client, where one is needed
   * @param warning receives how many rows were left out
   */
  public static DataSet read(
      TrainingData data, Optional<String> clientColumn, Consumer<String> warning) {
    return switch (data) {
      case TrainingData.ImageFiles images ->
          switch (images.word()) {
            case "mnist" -> MnistFiles.read(images.folder());
            case "cifar10" -> CifarFiles.read(images.folder());
            default -> ImageFolder.read(images.folder());
          };
      case TrainingData.TableRows rows -> TableReading.read(rows, clientColumn, warning);
    };
  }
}
