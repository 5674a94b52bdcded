package ngd.app.terminal;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Where a command prints: results to {@code out}, all else to {@code err}, both in UTF-8. */
public final class Console {
  private final Remembering results;
  private final PrintWriter out;
  private final PrintWriter err;
  private final boolean terminal;
  private Progress progress = Progress.BAR;

  /** How long work says how far it is. */
  public enum Progress {
    /** A line that is redrawn, where a person watches. */
    BAR,
    /** JSON objects on lines of {@code err}, for programs. */
    JSON,
    NONE
  }

  /** A console on two streams; {@code terminal} says whether a person watches {@code err}. */
  public Console(OutputStream out, OutputStream err, boolean terminal) {
    results = new Remembering(out);
    this.out = new PrintWriter(new OutputStreamWriter(results, StandardCharsets.UTF_8));
    this.err = new PrintWriter(new OutputStreamWriter(err, StandardCharsets.UTF_8), true);
    this.terminal = terminal;
  }

  /**
   * The console of this process. The launcher keeps the JVM's own warnings from the user by giving
   * it another standard error, and passes the real one as the descriptor {@code ngd.stderr}.
   */
  public static Console ofProcess() {
    OutputStream err = new FileOutputStream(realStandardError());
    System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
    return new Console(
        new FileOutputStream(FileDescriptor.out), err, Boolean.getBoolean("ngd.terminal"));
  }

  private static FileDescriptor realStandardError() {
    Integer number = Integer.getInteger("ngd.stderr");
    if (number == null) {
      return FileDescriptor.err;
    }
    try {
      var constructor = FileDescriptor.class.getDeclaredConstructor(int.class);
      constructor.setAccessible(true);
      return constructor.newInstance(number);
    } catch (ReflectiveOperationException | RuntimeException unavailable) {
      return FileDescriptor.err;
    }
  }

  public PrintWriter out() {
    return out;
  }

  public PrintWriter err() {
    return err;
  }

  public boolean terminal() {
    return terminal;
  }

  public Progress progress() {
    return progress;
  }

  /** From now on progress is shown this way. */
  public void show(Progress how) {
    progress = how;
  }

  /**
   * Ends the output. Null if all of it arrived, or if the reader stopped reading, as {@code head}
   * does; else the reason why it did not.
   */
  public @Nullable String finish() {
    out.flush();
    err.flush();
    IOException failure = results.failure;
    if (failure == null || String.valueOf(failure.getMessage()).contains("Broken pipe")) {
      return null;
    }
    return failure.getMessage();
  }

  /** Remembers the first failure, which a {@link PrintWriter} keeps to itself. */
  private static final class Remembering extends OutputStream {
    private final OutputStream out;
    private @Nullable IOException failure;

    Remembering(OutputStream out) {
      this.out = out;
    }

    @Override
    public void write(int b) throws IOException {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      try {
        out.write(bytes, offset, length);
      } catch (IOException e) {
        if (failure == null) {
          failure = e;
        }
        throw e;
      }
    }

    @Override
    public void flush() throws IOException {
      out.flush();
    }
  }
}
