package ngd.studies.engine;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * The process of one part, seen by whoever runs it on its machine: it is told the work, what it
 * says is brought to the {@link Meeting}, and what all said is brought back. {@link OwnPart} is the
 * other end.
 *
 * <p>Lines over its standard streams, texts in Base64. To it: part, parts and host; the work; after
 * each {@code said}, a line for each part. From it: {@code said TEXT}, {@code failed TEXT}, and
 * {@code found TEXT}, the last one. Other lines are nobody's.
 */
public final class PartProcess {
  static final String SAID = "said ";
  static final String FOUND = "found ";
  static final String FAILED = "failed ";

  private static final long LOOK_MS = 200;

  /** A part that is not wanted any more has this long to put its things in order. */
  private static final long PATIENCE_S = 10;

  private PartProcess() {}

  /**
   * Runs a part to its end; it does not outlive this.
   *
   * @param command the process, with its arguments
   * @param folder where it runs
   * @param unwanted whether nobody waits for it any more
   * @return what it found
   * @throws PartFailed where it ended without
   */
  public static String run(
      List<String> command, Path folder, Meeting meeting, String work, BooleanSupplier unwanted) {
    try {
      Process process =
          new ProcessBuilder(command)
              .directory(folder.toFile())
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      Thread watch = Thread.ofVirtual().start(() -> endWhere(unwanted, process));
      try {
        return talk(process, meeting, work);
      } finally {
        watch.interrupt();
        end(process);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void endWhere(BooleanSupplier unwanted, Process process) {
    try {
      while (!unwanted.getAsBoolean()) {
        if (process.waitFor(LOOK_MS, TimeUnit.MILLISECONDS)) {
          return;
        }
      }
      end(process);
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  /** It sees the end of its input, and ends by itself; what is still there then is killed. */
  private static void end(Process process) {
    List<ProcessHandle> descendants = process.descendants().toList();
    try {
      process.getOutputStream().close();
    } catch (IOException gone) {
      // It has ended already.
    }
    boolean interrupted = Thread.interrupted();
    try {
      process.waitFor(PATIENCE_S, TimeUnit.SECONDS);
    } catch (InterruptedException again) {
      interrupted = true;
    }
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    descendants.forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private static String talk(Process process, Meeting meeting, String work) throws IOException {
    OutputStream to = process.getOutputStream();
    BufferedReader from = process.inputReader(StandardCharsets.UTF_8);
    try {
      tell(to, "%d %d %s".formatted(meeting.part(), meeting.parts(), meeting.host()));
      tell(to, coded(work));
      Optional<String> line = Optional.ofNullable(from.readLine());
      while (line.isPresent()) {
        String text = line.get();
        if (text.startsWith(FOUND)) {
          return plain(text.substring(FOUND.length()));
        } else if (text.startsWith(FAILED)) {
          throw new PartFailed(
              "at %s: %s".formatted(meeting.host(), plain(text.substring(FAILED.length()))));
        } else if (text.startsWith(SAID)) {
          for (String said : meeting.gather(plain(text.substring(SAID.length())))) {
            tell(to, coded(said));
          }
        }
        line = Optional.ofNullable(from.readLine());
      }
    } catch (IOException brokenPipe) {
      throw lost(meeting, brokenPipe.getMessage());
    }
    throw lost(meeting, "its process ended");
  }

  private static PartFailed lost(Meeting meeting, String why) {
    return new PartFailed("at %s: %s before it had found anything".formatted(meeting.host(), why));
  }

  private static void tell(OutputStream to, String line) throws IOException {
    to.write((line + "\n").getBytes(StandardCharsets.UTF_8));
    to.flush();
  }

  static String coded(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  static String plain(String coded) {
    return new String(Base64.getDecoder().decode(coded), StandardCharsets.UTF_8);
  }
}
