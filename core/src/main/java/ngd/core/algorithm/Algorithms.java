package ngd.core.algorithm;

import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import ngd.core.InvalidInput;
import ngd.core.Vocabulary;

/**
 * All algorithms by name: those of the library, then your own, as {@link ServiceLoader} finds them.
 */
public final class Algorithms {
  private Algorithms() {}

  /** An algorithm and the numbers after its colon. */
  public record Named(AlgorithmDescriptor descriptor, List<Double> parameters) {
    public Named {
      parameters = List.copyOf(parameters);
    }
  }

  /** All of them, the library's first; a name that is taken twice is refused. */
  public static List<AlgorithmDescriptor> all() {
    return Registered.ALL;
  }

  /** Found once: what is on the class path does not change. */
  private static final class Registered {
    static final List<AlgorithmDescriptor> ALL = find();

    private static List<AlgorithmDescriptor> find() {
      List<AlgorithmDescriptor> own = new ArrayList<>();
      List<AlgorithmDescriptor> others = new ArrayList<>();
      for (AlgorithmDescriptor found : ServiceLoader.load(AlgorithmDescriptor.class)) {
        boolean library =
            found.getClass().getPackageName().startsWith(Algorithms.class.getPackageName());
        (library ? own : others).add(found);
      }
      others.sort(java.util.Comparator.comparing(AlgorithmDescriptor::name));
      own.addAll(others);
      requireOnce(own);
      return List.copyOf(own);
    }

    private static void requireOnce(List<AlgorithmDescriptor> all) {
      for (int i = 0; i < all.size(); i++) {
        for (int k = 0; k < i; k++) {
          if (all.get(i).name().equals(all.get(k).name())) {
            throw new InvalidInput(
                "algorithm `%s`: may be provided once; both %s and %s provide it"
                    .formatted(
                        all.get(i).name(),
                        all.get(k).getClass().getName(),
                        all.get(i).getClass().getName()));
          }
        }
      }
    }
  }

  /** What each may be written as, its parameters in their places: {@code cfa-ge:E:RHO}. */
  public static List<String> words() {
    return all().stream().map(algorithm -> forms(algorithm).getLast()).toList();
  }

  /** The algorithm that a specification such as {@code cfa:0.3} names. */
  public static Named parse(String spec) {
    List<AlgorithmDescriptor> all = all();
    Vocabulary words =
        new Vocabulary("algorithm", all.stream().flatMap(m -> forms(m).stream()).toList());
    List<String> given = words.parameters(spec);
    String word = spec.strip().split(":", 2)[0];
    AlgorithmDescriptor algorithm =
        all.stream().filter(m -> m.name().equals(word)).findFirst().orElseThrow();
    List<Double> numbers = new ArrayList<>();
    for (int i = 0; i < given.size(); i++) {
      numbers.add(number(algorithm, algorithm.parameters().get(i), given.get(i)));
    }
    return new Named(algorithm, numbers);
  }

  /** The words that {@link #parse} reads. */
  static String spec(AlgorithmDescriptor algorithm, List<Double> parameters) {
    StringBuilder spec = new StringBuilder(algorithm.name());
    parameters.forEach(number -> spec.append(':').append(StepSize.plain(number)));
    return spec.toString();
  }

  /** {@code name}, {@code name:A}, {@code name:A:B} … */
  private static List<String> forms(AlgorithmDescriptor algorithm) {
    List<String> forms = new ArrayList<>(List.of(algorithm.name()));
    for (String parameter : algorithm.parameters()) {
      forms.add(forms.getLast() + ":" + parameter);
    }
    return forms;
  }

  private static double number(AlgorithmDescriptor algorithm, String parameter, String text) {
    try {
      double value = Double.parseDouble(text);
      if (Double.isFinite(value)) {
        return value;
      }
    } catch (NumberFormatException notANumber) {
      // Said below.
    }
    throw new InvalidInput(
        "algorithm %s: %s must be a number; got `%s`".formatted(algorithm.name(), parameter, text));
  }
}
