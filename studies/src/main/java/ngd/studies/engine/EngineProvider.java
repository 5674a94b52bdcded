package ngd.studies.engine;

import java.util.Optional;
import java.util.ServiceLoader;
import ngd.core.InvalidInput;
import ngd.core.NumberText;

/**
 * Makes engines that live in modules of their own, found through {@link ServiceLoader}: their
 * dependencies are there only where somebody asked for them.
 */
public interface EngineProvider {
  /** The Spark application that {@code spark-submit} started this process for. */
  String SUBMITTED = "spark";

  /** Whether this provider knows the address, such as {@code spark://host:7077}. */
  boolean understands(String address);

  Engine connect(String address);

  /** The same place, for work whose parts run side by side. */
  Machines machines(String address);

  /**
   * The engine behind {@code --on}: {@code local}, {@code local:THREADS}, a Spark master, or {@link
   * #SUBMITTED}.
   */
  static Engine of(String address) {
    String words = address.strip();
    if (words.equals("local")) {
      return new LocalEngine(Runtime.getRuntime().availableProcessors());
    }
    if (words.startsWith("local:")) {
      return new LocalEngine(threads(words));
    }
    return provider(words)
        .orElseThrow(
            () ->
                unknown(
                    address,
                    "local, local:THREADS, spark://HOST:PORT, local-cluster[WORKERS,CORES,MEMORY] or,"
                        + " under spark-submit, spark"))
        .connect(words);
  }

  /** The machines behind {@code --on}: a Spark master, or {@link #SUBMITTED}. */
  static Machines machinesOf(String address) {
    String words = address.strip();
    return provider(words)
        .orElseThrow(
            () ->
                unknown(
                    address,
                    "local, spark://HOST:PORT, local-cluster[WORKERS,CORES,MEMORY] or, under"
                        + " spark-submit, spark"))
        .machines(words);
  }

  private static Optional<EngineProvider> provider(String words) {
    return ServiceLoader.load(EngineProvider.class).stream()
        .map(ServiceLoader.Provider::get)
        .filter(provider -> provider.understands(words))
        .findFirst();
  }

  /** Whether an address needs more than this machine's cores, and so another class path. */
  static boolean isSpark(String address) {
    return address.equals(SUBMITTED)
        || address.startsWith("spark://")
        || address.startsWith("local-cluster[");
  }

  private static int threads(String words) {
    return NumberText.read(
        words.substring("local:".length()),
        Integer::parseInt,
        () -> "engine: the form is `local:THREADS`; got `%s`".formatted(words));
  }

  private static InvalidInput unknown(String address, String allowed) {
    return new InvalidInput(
        isSpark(address)
            ? "engine: `%s` needs the Spark module, which is not on the class path; ./ngd in a checkout of the sources fetches it"
                .formatted(address)
            : "engine: must be %s; got `%s`".formatted(allowed, address));
  }
}
