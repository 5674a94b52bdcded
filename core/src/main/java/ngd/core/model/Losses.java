package ngd.core.model;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.function.Function;
import ngd.core.InvalidInput;
import ngd.core.NumberText;
import ngd.core.Vocabulary;

/**
 * All losses by name: those of the library, then your own, as {@link ServiceLoader} finds them. The
 * loss of a family goes by the family's name ({@link Families}).
 */
public final class Losses {
  /**
   * A loss with the words for it.
   *
   * @param own whether it is of somebody else's making
   */
  public record Named(String words, Loss loss, boolean own) {}

  private record Known(
      String name, List<String> parameters, int required, Function<List<Double>, Loss> making)
      implements LossDescriptor {
    @Override
    public Loss loss(List<Double> numbers) {
      return making.apply(numbers);
    }
  }

  private static final List<LossDescriptor> LIBRARY =
      List.of(
          new Known("huber", List.of("DELTA"), 1, numbers -> new Huber(numbers.getFirst())),
          new Known(
              "quantile",
              List.of("TAU", "WIDTH"),
              1,
              numbers ->
                  numbers.size() == 1
                      ? new Quantile(numbers.getFirst())
                      : new SmoothedQuantile(numbers.getFirst(), numbers.getLast())),
          new Known(
              "hinge",
              List.of("WIDTH"),
              0,
              numbers -> numbers.isEmpty() ? new Hinge() : new SmoothedHinge(numbers.getFirst())));

  private Losses() {}

  /** Found once: what is on the class path does not change. */
  private static final class Registered {
    static final List<LossDescriptor> OWN = find();

    private static List<LossDescriptor> find() {
      List<LossDescriptor> own = new ArrayList<>();
      ServiceLoader.load(LossDescriptor.class).forEach(own::add);
      own.sort(Comparator.comparing(LossDescriptor::name));
      List<LossDescriptor> before = new ArrayList<>(LIBRARY);
      for (LossDescriptor one : own) {
        boolean taken =
            Families.isKnown(one.name())
                || before.stream().anyMatch(other -> other.name().equals(one.name()));
        if (taken) {
          throw new InvalidInput(
              "loss `%s`: must have a name of its own; %s provides one that is taken"
                  .formatted(one.name(), one.getClass().getName()));
        }
        before.add(one);
      }
      return List.copyOf(own);
    }
  }

  /** What each may be written as, its parameters in their places: {@code huber:DELTA}. */
  public static List<String> words() {
    List<String> words = new ArrayList<>();
    LIBRARY.forEach(one -> words.addAll(forms(one)));
    Registered.OWN.forEach(one -> words.addAll(forms(one)));
    return List.copyOf(words);
  }

  /** The forms with all numbers from the required ones on. */
  private static List<String> forms(LossDescriptor one) {
    List<String> forms = new ArrayList<>();
    StringBuilder form = new StringBuilder(one.name());
    for (int given = 0; given <= one.parameters().size(); given++) {
      if (given > 0) {
        form.append(':').append(one.parameters().get(given - 1));
      }
      if (given >= one.required()) {
        forms.add(form.toString());
      }
    }
    return forms;
  }

  /** Whether a word is the name of a family, and so its loss. */
  public static boolean ofFamily(String words) {
    return Families.isKnown(name(words)) && find(words).isEmpty();
  }

  /** Refuses a word that names no loss; the others in the way they are written down. */
  public static String require(String words) {
    return ofFamily(words) ? Families.requireKnown(words) : parse(words).words();
  }

  /** The loss that words such as {@code huber:1.345} name. */
  public static Named parse(String words) {
    // A family's name would have done as well.
    List<String> forms = new ArrayList<>(words());
    forms.addAll(Families.rowLosses());
    List<String> given = new Vocabulary("loss", forms).parameters(words);
    LossDescriptor descriptor = find(words).orElseThrow();
    List<Double> numbers = new ArrayList<>();
    StringBuilder canonical = new StringBuilder(descriptor.name());
    for (int i = 0; i < given.size(); i++) {
      double number = number(descriptor, i, given.get(i));
      numbers.add(number);
      canonical.append(':').append(NumberText.plain(number));
    }
    return new Named(
        canonical.toString(), descriptor.loss(numbers), Registered.OWN.contains(descriptor));
  }

  private static Optional<LossDescriptor> find(String words) {
    String name = name(words);
    List<LossDescriptor> all = new ArrayList<>(LIBRARY);
    all.addAll(Registered.OWN);
    return all.stream().filter(one -> one.name().equals(name)).findFirst();
  }

  private static String name(String words) {
    return words.strip().split(":", 2)[0];
  }

  private static double number(LossDescriptor loss, int place, String text) {
    double number =
        NumberText.read(
            text,
            Double::parseDouble,
            () ->
                "loss %s: %s must be a number; got `%s`"
                    .formatted(loss.name(), loss.parameters().get(place), text));
    if (!Double.isFinite(number)) {
      throw new InvalidInput(
          "loss %s: %s must be a finite number; got `%s`"
              .formatted(loss.name(), loss.parameters().get(place), text));
    }
    return number;
  }
}
