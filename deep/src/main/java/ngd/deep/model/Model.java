package ngd.deep.model;

import static ngd.deep.model.Models.Normalisation.BATCH;
import static ngd.deep.model.Models.Normalisation.GROUP;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Collectors;
import ngd.core.InvalidInput;
import ngd.core.Vocabulary;

/**
 * A neural network by name: its layers for given inputs.
 *
 * <p>A model of your own implements this interface, has a constructor without arguments and is
 * named in {@code META-INF/services/ngd.deep.model.Model}; then {@code ngd train --model} knows it
 * like the others.
 */
public interface Model {
  /** The word on the command line, with the arguments it was given. */
  String name();

  /**
   * The layers, of which the last gives one number for each class: logits, without softmax.
   *
   * @param input one sample
   */
  List<Layer> layers(Shape input, int classes);

  /** What other libraries call its arrays in files that may be read; most models have none. */
  default List<OtherNames> otherNames() {
    return List.of();
  }

  /** The model that a specification such as {@code mlp:64-32} names. */
  static Model parse(String spec) {
    String word = spec.strip();
    for (ServiceLoader.Provider<Model> provider :
        ServiceLoader.load(Model.class).stream().toList()) {
      Model own = provider.get();
      if (own.name().equals(word)) {
        return own;
      }
    }
    return switch (word.split(":", 2)[0]) {
      case "lenet" -> only(word, new Models.Lenet());
      case "mobilenet" -> only(word, new Models.Mobilenet(BATCH), new Models.Mobilenet(GROUP));
      case "resnet20" -> only(word, new Models.Resnet20(BATCH), new Models.Resnet20(GROUP));
      case "mlp" -> Models.Mlp.parse(word);
      default -> throw words().unknown(spec);
    };
  }

  private static Model only(String word, Model... known) {
    for (Model model : known) {
      if (word.equals(model.name())) {
        return model;
      }
    }
    throw new InvalidInput(
        "model %s: must be written %s; got `%s`"
            .formatted(
                known[0].name(),
                Arrays.stream(known).map(Model::name).collect(Collectors.joining(" or ")),
                word));
  }

  private static Vocabulary words() {
    List<String> own =
        ServiceLoader.load(Model.class).stream().map(p -> p.get().name()).sorted().toList();
    List<String> all =
        new ArrayList<>(
            List.of(
                "lenet",
                "mobilenet",
                "mobilenet:group",
                "resnet20",
                "resnet20:group",
                "mlp:64-32"));
    all.addAll(own);
    return new Vocabulary("model", all);
  }
}
