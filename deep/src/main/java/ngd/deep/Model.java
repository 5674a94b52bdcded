package ngd.deep;

import java.util.List;
import java.util.ServiceLoader;
import ngd.core.InvalidInput;
import ngd.core.Vocabulary;

/**
 * A neural network by name: its layers for given inputs.
 *
 * <p>A model of your own implements this interface, has a constructor without arguments and is
 * named in {@code META-INF/services/ngd.deep.Model}; then {@code ngd train --model} knows it like
 * the others.
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
      case "lenet" -> bare(word, new Models.Lenet());
      case "mobilenet" -> bare(word, new Models.Mobilenet());
      case "resnet20" -> bare(word, new Models.Resnet20());
      case "mlp" -> Models.Mlp.parse(word);
      default -> throw words().unknown(spec);
    };
  }

  private static Model bare(String word, Model model) {
    if (!word.equals(model.name())) {
      throw new InvalidInput("model %s: takes no argument; got `%s`".formatted(model.name(), word));
    }
    return model;
  }

  private static Vocabulary words() {
    List<String> own =
        ServiceLoader.load(Model.class).stream().map(p -> p.get().name()).sorted().toList();
    List<String> all =
        new java.util.ArrayList<>(List.of("lenet", "mobilenet", "resnet20", "mlp:64-32"));
    all.addAll(own);
    return new Vocabulary("model", all);
  }
}
