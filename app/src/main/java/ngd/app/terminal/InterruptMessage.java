package ngd.app.terminal;

import java.util.function.Supplier;

/** Words for a person who interrupts the command; not printed where it comes to its end. */
public final class InterruptMessage implements AutoCloseable {
  private final Thread speaker;

  public InterruptMessage(Console console, Supplier<String> words) {
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
