package ngd.core.algorithm;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;
import java.util.function.DoubleFunction;
import ngd.core.InvalidInput;
import ngd.core.Vocabulary;

/** All methods by name: those of the library, then those that {@link ServiceLoader} finds. */
public final class Algorithms {
  private Algorithms() {}

  /** A method and the numbers after its colon. */
  public record Named(Method method, List<Double> parameters) {
    public Named {
      parameters = List.copyOf(parameters);
    }
  }

  /** All of them, the library's first; a name that is taken twice is refused. */
  public static List<Method> all() {
    List<Method> all = new ArrayList<>(BuiltIn.ALL);
    ServiceLoader.load(Method.class).stream()
        .map(ServiceLoader.Provider::get)
        .sorted(Comparator.comparing(Method::name))
        .forEach(all::add);
    for (int i = 0; i < all.size(); i++) {
      for (int k = 0; k < i; k++) {
        if (all.get(i).name().equals(all.get(k).name())) {
          throw new InvalidInput(
              "algorithm `%s`: may be provided once; both %s and %s do"
                  .formatted(
                      all.get(i).name(),
                      all.get(k).getClass().getName(),
                      all.get(i).getClass().getName()));
        }
      }
    }
    return List.copyOf(all);
  }

  /** The method that a specification such as {@code cfa:0.3} names. */
  public static Named parse(String spec) {
    List<Method> all = all();
    Vocabulary words =
        new Vocabulary("algorithm", all.stream().flatMap(m -> forms(m).stream()).toList());
    List<String> given = words.parameters(spec);
    String word = spec.strip().split(":", 2)[0];
    Method method = all.stream().filter(m -> m.name().equals(word)).findFirst().orElseThrow();
    List<Double> numbers = new ArrayList<>();
    for (int i = 0; i < given.size(); i++) {
      numbers.add(number(method, method.parameters().get(i), given.get(i)));
    }
    return new Named(method, numbers);
  }

  /** The method as rounds; refuses one that is written as events. */
  public static Algorithm.Rounds<?> rounds(Method method, Method.Request request) {
    if (method.make(request) instanceof Algorithm.Rounds<?> rounds) {
      return rounds;
    }
    throw new InvalidInput(
        "algorithm `%s`: is asynchronous and does not run in rounds".formatted(method.name()));
  }

  /** The method as a function of a constant step size, for those who try several. */
  @SuppressWarnings("unchecked") // A method has one kind of state, whatever its step size.
  public static DoubleFunction<Algorithm.Rounds<Algorithm.State>> family(
      Method method, Method.Request request) {
    return alpha ->
        (Algorithm.Rounds<Algorithm.State>) rounds(method, request.with(StepSize.constant(alpha)));
  }

  /** {@code name}, {@code name:A}, {@code name:A:B} … */
  private static List<String> forms(Method method) {
    List<String> forms = new ArrayList<>(List.of(method.name()));
    for (String parameter : method.parameters()) {
      forms.add(forms.getLast() + ":" + parameter);
    }
    return forms;
  }

  private static double number(Method method, String parameter, String text) {
    try {
      double value = Double.parseDouble(text);
      if (Double.isFinite(value)) {
        return value;
      }
    } catch (NumberFormatException notANumber) {
      // Said below.
    }
    throw new InvalidInput(
        "algorithm %s: %s must be a number; got `%s`".formatted(method.name(), parameter, text));
  }
}
