package ngd.app;

import java.util.function.Supplier;

/** Words for a person who stops the command in the middle; unsaid where it comes to its end. */
final class Farewell implements AutoCloseable {
  private final Thread speaker;

  Farewell(Console console, Supplier<String> words) {
    speaker = new Thread(() -> console.err().printf("%n%s%n", words.get()));
    Runtime.getRuntime().addShutdownHook(speaker);
  }

  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(speaker);
    } catch (IllegalStateException alreadyStopping) {
      // Then it has spoken.
    }
  }
}
