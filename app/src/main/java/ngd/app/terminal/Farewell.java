package ngd.app.terminal;

import java.util.function.Supplier;

/** Words for a person who stops the command in the middle; unsaid where it comes to its end. */
public final class Farewell implements AutoCloseable {
  private final Thread speaker;

  public Farewell(Console console, Supplier<String> words) {
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
